//! Runs one case and compares every field that the crate computes.

use kindsmith_cel::cost::limit::{self, PER_CALL};
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::eval::{Inputs, Program, Scratch};
use kindsmith_cel::types::decl::Declarations;
use kindsmith_cel::validation_rule::{self, CheckedExpression, CompileFailure, OLD_SELF, Purpose};
use kindsmith_json::Value;

use super::instance::{self, Instance};
use super::{render, schema};

/// A compared field; `difference` shows both sides if they differ.
pub(crate) struct Outcome {
    pub(crate) field: &'static str,
    pub(crate) difference: Option<String>,
}

fn compare(field: &'static str, expected: &str, actual: &str) -> Outcome {
    let difference = (expected != actual).then(|| format!("\n  recorded {expected}\n  computed {actual}"));
    Outcome { field, difference }
}

struct Case<'a> {
    json: Value<'a>,
    declarations: Declarations,
    optional_old: bool,
    outcomes: Vec<Outcome>,
}

pub(crate) fn run<'a>(root: Value<'a>, json: Value<'a>) -> Vec<Outcome> {
    let pointer = json.get("path").and_then(Value::as_str).unwrap_or_default();
    let node = schema::at(root, pointer);
    let declared = schema::read(node);
    let is_root = pointer.is_empty() || declared.embedded;
    let Some(declarations) = Declarations::new(&declared, is_root, "selfTypeN") else {
        return Vec::new();
    };
    let optional_old = json
        .get("optionalOldSelf")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    let mut case = Case {
        json,
        declarations,
        optional_old,
        outcomes: Vec::new(),
    };
    case.rule(root, pointer);
    case.compare_crd_cost(root, pointer);
    case.outcomes
}

impl<'a> Case<'a> {
    fn text(&self, key: &str) -> Option<&'a str> {
        self.json.get(key).and_then(Value::as_str)
    }

    fn rule(&mut self, root: Value<'a>, pointer: &str) {
        let text = self.text("rule").unwrap_or_default();
        let checked = validation_rule::check_expression(text, &self.declarations, self.optional_old);
        let program = checked
            .as_ref()
            .ok()
            .map(|checked| plan(checked, &self.declarations));
        let message = self
            .text("messageExpression")
            .map(|text| validation_rule::check_expression(text, &self.declarations, self.optional_old));
        let message_program = message
            .as_ref()
            .and_then(|m| m.as_ref().ok())
            .map(|checked| plan(checked, &self.declarations));
        let (errors, panic) = self.compile_errors();
        self.compare_compile(&errors, panic.as_deref());
        if let Ok(checked) = &checked {
            self.compare_checked(
                checked,
                message.as_ref().and_then(|message| message.as_ref().ok()),
            );
        }
        let uses_old = checked
            .as_ref()
            .is_ok_and(|checked| checked.checked.uses(OLD_SELF));
        if let Some(Ok(program)) = &program {
            self.evaluate(root, pointer, program, uses_old);
        }
        if let Some(Ok(program)) = &message_program {
            self.evaluate_message(root, pointer, program, uses_old);
        }
    }

    fn compare_compile(&mut self, errors: &[String], panic: Option<&str>) {
        let recorded = self.json.get("compile").unwrap_or_default();
        let expected = match recorded.get("panic").and_then(Value::as_str) {
            Some(text) => format!("panic {text}"),
            None => recorded
                .get("errors")
                .and_then(Value::as_array)
                .unwrap_or_default()
                .iter()
                .filter_map(|error| error.as_str())
                .collect::<Vec<_>>()
                .join("\n"),
        };
        let actual = panic.map_or(errors.join("\n"), |text| format!("panic {text}"));
        self.outcomes.push(compare("compile", &expected, &actual));
    }

    fn compare_checked(&mut self, rule: &CheckedExpression, message: Option<&CheckedExpression>) {
        let ty = self.text("exprType").unwrap_or_default().to_owned();
        self.outcomes
            .push(compare("exprType", &ty, &rule.checked.result().to_string()));
        let pairs = [
            ("staticCost", Some(rule)),
            ("messageExpressionStaticCost", message),
        ];
        for (field, expression) in pairs {
            let Some(expression) = expression else { continue };
            let recorded = self.json.get(field).unwrap_or_default();
            // A saturated bound is recorded as the nearest float.
            let bound = |name: &str| {
                let value = recorded.get(name)?;
                value.as_u64().or(value
                    .as_f64()
                    .filter(|float| *float >= u64::MAX as f64)
                    .map(|_| u64::MAX))
            };
            let expected = format!("{:?} to {:?}", bound("min"), bound("max"));
            let actual = format!(
                "{:?} to {:?}",
                Some(expression.cost.min),
                Some(expression.cost.max)
            );
            self.outcomes.push(compare(field, &expected, &actual));
        }
    }

    /// Compares the number checked against the limit per rule: the estimate times how often the node can occur.
    fn compare_crd_cost(&mut self, root: Value<'a>, pointer: &str) {
        let Some(recorded) = self.json.get("crdCost") else {
            return;
        };
        let number = |value: Value<'_>| {
            value.as_u64().or(value
                .as_f64()
                .filter(|float| *float >= u64::MAX as f64)
                .map(|_| u64::MAX))
        };
        let cardinality = schema::cardinality(root, pointer);
        let used = cardinality.unwrap_or(limit::max_cardinality(self.declarations.root.min_size));
        let text = self.text("rule").unwrap_or_default();
        let Ok(rule) = validation_rule::check_expression(text, &self.declarations, self.optional_old) else {
            return;
        };
        let actual = [cardinality, Some(used), Some(rule.cost.max.saturating_mul(used))];
        let expected =
            ["cardinality", "cardinalityUsed", "rule"].map(|key| recorded.get(key).and_then(number));
        self.outcomes.push(compare(
            "crdCost",
            &format!("{expected:?}"),
            &format!("{actual:?}"),
        ));
        if let Some(uses) = self.json.get("usesOldSelf").and_then(Value::as_bool) {
            let actual = rule.checked.uses(OLD_SELF);
            self.outcomes
                .push(compare("usesOldSelf", &uses.to_string(), &actual.to_string()));
        }
    }

    fn instances(&self, root: Value<'a>, pointer: &str) -> (Vec<Instance<'a>>, bool) {
        let object = member(self.json, "effectiveObj")
            .or(member(self.json, "obj"))
            .expect("an object");
        let old = member(self.json, "effectiveOld").or(member(self.json, "old"));
        instance::find(root, pointer, object, old)
    }

    fn evaluate(&mut self, root: Value<'a>, pointer: &str, program: &Program, uses_old: bool) {
        let (instances, _) = self.instances(root, pointer);
        let unstable: Vec<&str> = self
            .json
            .get("unstable")
            .and_then(Value::as_array)
            .unwrap_or_default()
            .iter()
            .filter_map(|field| field.as_str())
            .collect();
        if let Some(evals) = self.json.get("evals").and_then(Value::as_array) {
            for recorded in evals {
                let at = recorded.get("at").and_then(Value::as_str).unwrap_or_default();
                let found = instances.iter().find(|instance| instance.at == at);
                let actual = found.map(|found| self.eval(program, found, uses_old, self.optional_old));
                self.outcomes
                    .extend(compare_eval("evals", "evalsCost", *recorded, actual, &unstable));
            }
            return;
        }
        let actual = match &instances[..] {
            [only] => Some(self.eval(program, only, uses_old, self.optional_old)),
            _ => None,
        };
        self.outcomes
            .extend(compare_eval("value", "runtimeCost", self.json, actual, &unstable));
    }

    fn evaluate_message(&mut self, root: Value<'a>, pointer: &str, program: &Program, uses_old: bool) {
        let (instances, _) = self.instances(root, pointer);
        let Some(evals) = self.json.get("messageExpressionEvals").and_then(Value::as_array) else {
            return;
        };
        for recorded in evals {
            let at = recorded.get("at").and_then(Value::as_str).unwrap_or_default();
            let found = instances.iter().find(|instance| instance.at == at);
            // The validator binds a plain oldSelf, and only if the rule refers to it.
            let actual = found.map(|found| {
                let bound = Instance {
                    old: found.old.filter(|_| uses_old),
                    at: String::new(),
                    value: found.value,
                };
                self.eval(program, &bound, false, false)
            });
            let fields = ("messageExpressionEvals", "messageExpressionEvalsCost");
            self.outcomes
                .extend(compare_eval(fields.0, fields.1, *recorded, actual, &[]));
        }
    }

    /// The result in the form of the recordings, and its cost.
    fn eval(
        &self,
        program: &Program,
        instance: &Instance<'a>,
        uses_old: bool,
        optional: bool,
    ) -> (String, u64) {
        if uses_old && instance.old.is_none() && !optional {
            return ("skipped".to_owned(), 0);
        }
        let scratch = Scratch::new();
        let node = &*self.declarations.root;
        let inputs = Inputs {
            object: Some((instance.value, node)),
            old: instance.old.map(|old| (old, node)),
            optional_old: optional,
            limit: PER_CALL,
        };
        let outcome = program.eval(inputs, &scratch);
        let text = match outcome.value {
            Cel::Error(message) => format!("error {message}"),
            value => render::value(value, &scratch),
        };
        (text, outcome.cost)
    }
}

fn member<'a>(json: Value<'a>, key: &str) -> Option<&'a Value<'a>> {
    let object = json.as_object()?;
    Some(&object.entries()[object.position(key)?].value)
}

fn plan(checked: &CheckedExpression, declarations: &Declarations) -> Result<Program, String> {
    Program::new(&checked.checked, Some(declarations)).map_err(String::from)
}

impl Case<'_> {
    /// The messages of the CRD validator. The message expression is compiled only if the rule is valid.
    fn compile_errors(&self) -> (Vec<String>, Option<String>) {
        let expressions = [
            (Purpose::Rule, self.text("rule")),
            (Purpose::Message, self.text("messageExpression")),
        ];
        for (purpose, text) in expressions {
            let Some(text) = text else { continue };
            match validation_rule::compile_for(purpose, text, &self.declarations, self.optional_old) {
                Ok(_) => {}
                Err(CompileFailure::Panic(text)) => return (Vec::new(), Some(text)),
                Err(failure) => return (vec![failure.detail(purpose)], None),
            }
        }
        (Vec::new(), None)
    }
}

fn compare_eval(
    value_field: &'static str,
    cost_field: &'static str,
    recorded: Value<'_>,
    actual: Option<(String, u64)>,
    unstable: &[&str],
) -> Vec<Outcome> {
    let error = recorded
        .get("evalError")
        .or(recorded.get("error"))
        .and_then(Value::as_str);
    let skipped = recorded.get("skipped").is_some();
    let expected = match (recorded.get("value"), error) {
        (Some(value), _) => render::recorded(value),
        (None, Some(error)) => format!("error {error}"),
        (None, None) if skipped => "skipped".to_owned(),
        (None, None) => "nothing".to_owned(),
    };
    let (text, cost) = actual.map_or(("nothing".to_owned(), None), |(text, cost)| (text, Some(cost)));
    let mut outcomes = Vec::new();
    if !unstable.contains(&"value") {
        outcomes.push(compare(value_field, &expected, &text));
    }
    let recorded_cost = recorded.get("runtimeCost").and_then(Value::as_u64);
    if recorded_cost.is_some() {
        outcomes.push(compare(
            cost_field,
            &format!("{recorded_cost:?}"),
            &format!("{cost:?}"),
        ));
    }
    outcomes
}
