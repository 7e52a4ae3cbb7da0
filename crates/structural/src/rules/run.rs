//! Runs the rules of a schema over an object.
//!
//! Follows `Validator.validate` (apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go): each node's
//! own rules in order, then the nodes below. The caller decides whether rules run at all.

use kindsmith_cel::cost::limit;
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::eval::{Inputs, Outcome as Evaluation, Program, Scratch};
use kindsmith_gostd::quote;
use kindsmith_json::{Path, Value};
use kindsmith_schema::Str;

use super::table::{NodeRules, Outcome, Rule};
use crate::layout::{Additional, Below, NodeId, StructuralSchema, Type, Ways};
use crate::ratchet::Pair;
use crate::validate::Validation;
use kindsmith_object::{About, BadValue, Detail, ErrorKind, FieldError};

/// The longest allowed result of a message expression, in bytes.
const MAX_MESSAGE: usize = 5120;

const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";
const MESSAGE_OUT_OF_BUDGET: &str = "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";

/// The result of running rules.
#[derive(Debug, Default)]
pub struct RuleVerdict {
    /// The errors.
    pub errors: Vec<FieldError>,
    /// Errors of unchanged values, which are only warned about.
    pub warnings: Vec<String>,
    /// The remaining budget; `None` if rules were skipped because of the cost limits.
    pub budget: Option<i64>,
}

/// How failures of unchanged values are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ratchet {
    /// As warnings.
    Forgive,
    /// As errors.
    Insist,
}

impl StructuralSchema {
    /// Whether the schema has any rule.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        self.root().below.has(Below::RULES)
    }

    /// Whether a value has a part to which rules apply.
    #[must_use]
    pub fn has_rules_for(&self, value: Value<'_>) -> bool {
        self.has_rules_at(self.root, value)
    }

    fn has_rules_at(&self, id: NodeId, value: Value<'_>) -> bool {
        let node = self.node(id);
        if !node.below.has(Below::RULES) {
            return false;
        }
        if node.rules.len > 0 {
            return true;
        }
        match value {
            Value::Array(items) => {
                let below = node.items;
                below.is_some_and(|below| items.iter().any(|&item| self.has_rules_at(below, item)))
            }
            Value::Object(members) => members.iter().any(|(name, member)| {
                let below = self.property(node, name).or(match node.additional {
                    Additional::Schema(below) => Some(below),
                    Additional::Absent | Additional::Allowed(_) => None,
                });
                below.is_some_and(|below| self.has_rules_at(below, member))
            }),
            _ => false,
        }
    }

    /// Runs all rules over an object and its old version, within a budget ([`limit::PER_OBJECT`]).
    ///
    /// Paths of errors start with `path`, which is [`Path::NIL`] for a whole resource.
    pub fn run_rules(
        &self,
        path: &Path<'_>,
        new: Value<'_>,
        old: Option<Value<'_>>,
        ratchet: Ratchet,
        budget: i64,
    ) -> RuleVerdict {
        let run = Run::new(self, ratchet, budget);
        let pair = old.map(|old| Pair::new(new, old, self.root));
        run.finish(path, new, pair.as_ref())
    }
}

/// Runs the rules at the root and below; `pair` holds the object and its old version.
pub(crate) fn run(
    structure: &StructuralSchema,
    new: Value<'_>,
    pair: Option<&Pair<'_>>,
    verdict: &mut Validation,
) {
    let run = Run::new(structure, Ratchet::Forgive, limit::PER_OBJECT);
    let found = run.finish(&Path::NIL, new, pair);
    verdict.errors.extend(found.errors);
    verdict.warnings.extend(found.warnings);
}

/// Ends the run: no further rules.
struct Stop;

/// The old value of a value.
#[derive(Clone, Copy)]
struct Before<'p, 'v> {
    /// The value and its old value.
    current: Option<&'p Pair<'v>>,
    /// If there is none: the closest ancestor with an old value.
    nearest: Option<&'p Pair<'v>>,
    /// Whether the old value counts for ratcheting.
    visible: bool,
}

struct Run<'s> {
    structure: &'s StructuralSchema,
    scratch: Scratch,
    ratchet: Ratchet,
    errors: Vec<FieldError>,
    warnings: Vec<String>,
    budget: i64,
}

/// A node and the value at it.
struct At<'n, 'v> {
    path: &'n Path<'n>,
    ty: Type,
    new: Value<'v>,
    old: Option<Value<'v>>,
    before: Before<'n, 'v>,
}

impl<'s> Run<'s> {
    fn new(structure: &'s StructuralSchema, ratchet: Ratchet, budget: i64) -> Self {
        Run {
            structure,
            scratch: Scratch::new(),
            ratchet,
            errors: Vec::new(),
            warnings: Vec::new(),
            budget,
        }
    }

    fn finish<'v>(mut self, path: &Path<'_>, new: Value<'v>, pair: Option<&Pair<'v>>) -> RuleVerdict {
        let before = Before {
            current: pair,
            nearest: None,
            visible: true,
        };
        let end = self.node(path, self.structure.root, new, before);
        RuleVerdict {
            errors: self.errors,
            warnings: self.warnings,
            budget: end.is_ok().then_some(self.budget),
        }
    }

    fn node<'v>(
        &mut self,
        path: &Path<'_>,
        id: NodeId,
        value: Value<'v>,
        before: Before<'_, 'v>,
    ) -> Result<(), Stop> {
        let node = self.structure.node(id);
        if value.is_null() || !node.below.has(Below::RULES) {
            return Ok(());
        }
        if let Some(rules) = self.structure.rules.of(node.rules) {
            let old = before.current.map(|pair| pair.old).filter(|old| !old.is_null());
            self.rules(
                rules,
                &At {
                    path,
                    ty: node.ty,
                    new: value,
                    old,
                    before,
                },
            )?;
        }
        match value {
            Value::Array(items) => self.items(path, id, items, before),
            Value::Object(_) => self.members(path, id, value, before),
            _ => Ok(()),
        }
    }

    fn items<'v>(
        &mut self,
        path: &Path<'_>,
        id: NodeId,
        items: &[Value<'v>],
        before: Before<'_, 'v>,
    ) -> Result<(), Stop> {
        let structure = self.structure;
        let Some(item) = structure.node(id).items else {
            return Ok(());
        };
        if !structure.node(item).below.has(Below::RULES) {
            return Ok(());
        }
        let elements = before.current.and_then(|pair| pair.elements(structure));
        for (index, &value) in items.iter().enumerate() {
            let pair = elements.as_ref().and_then(|elements| elements.find(value));
            let before = Before {
                current: pair.as_ref(),
                nearest: before.current.or(before.nearest),
                visible: true,
            };
            self.node(&path.index(index), item, value, before)?;
        }
        Ok(())
    }

    fn members<'v>(
        &mut self,
        path: &Path<'_>,
        id: NodeId,
        value: Value<'v>,
        before: Before<'_, 'v>,
    ) -> Result<(), Stop> {
        let structure = self.structure;
        let node = structure.node(id);
        let Some(object) = value.as_object() else {
            return Ok(());
        };
        match structure.ways(node, Below::RULES) {
            Ways::None => return Ok(()),
            Ways::One(property) => {
                let key = structure.name(property.name);
                return match object.get(key) {
                    Some(value) => self.member(&path.child(key), property.node, key, value, before),
                    None => Ok(()),
                };
            }
            Ways::Several => {}
        }
        let mut near = 0;
        for (key, value) in object {
            let named = structure.position_near(node, key, &mut near);
            let (child, path) = match (named, node.additional) {
                (Some(position), _) => (structure.properties(node)[position].node, path.child(key)),
                (None, Additional::Schema(child)) => (child, path.key(key)),
                (None, _) => continue,
            };
            if structure.node(child).below.has(Below::RULES) {
                self.member(&path, child, key, value, before)?;
            }
        }
        Ok(())
    }

    fn member<'v>(
        &mut self,
        path: &Path<'_>,
        child: NodeId,
        key: &str,
        value: Value<'v>,
        before: Before<'_, 'v>,
    ) -> Result<(), Stop> {
        let old = before.current.and_then(|pair| pair.old.get(key));
        let pair = old.map(|old| Pair::new(value, old, child));
        // Both objects are in the version of the request, so these two fields cannot differ.
        let is_type = before.nearest.is_none() && matches!(key, "apiVersion" | "kind");
        let before = Before {
            current: pair.as_ref(),
            nearest: before.current.or(before.nearest).filter(|_| !is_type),
            visible: !is_type,
        };
        self.node(path, child, value, before)
    }

    fn rules(&mut self, node: &NodeRules, at: &At<'_, '_>) -> Result<(), Stop> {
        if self.budget <= 0 {
            self.errors.push(failure(at, OUT_OF_BUDGET));
            return Err(Stop);
        }
        for rule in &node.rules {
            match &rule.outcome {
                Outcome::Blank => {}
                Outcome::Failed(detail) => {
                    let error = failure(at, format!("rule compile error: {detail}"));
                    self.errors.push(rule.at_fault(error));
                }
                Outcome::Ready(_) if rule.uses_old_self && at.old.is_none() && !rule.optional_old_self => {}
                Outcome::Ready(program) => self.rule(node, rule, program, at)?,
            }
        }
        Ok(())
    }

    fn rule(
        &mut self,
        node: &NodeRules,
        rule: &Rule,
        program: &Program,
        at: &At<'_, '_>,
    ) -> Result<(), Stop> {
        self.scratch.reset();
        let evaluation = evaluate(program, node, at, rule.optional_old_self, &self.scratch);
        let cost = i64::try_from(evaluation.cost)
            .ok()
            .filter(|&cost| cost <= self.budget);
        let Some(cost) = cost else {
            self.errors.push(failure(at, OUT_OF_BUDGET));
            return Err(Stop);
        };
        self.budget -= cost;
        match evaluation.value {
            Cel::Bool(true) => return Ok(()),
            Cel::Error(error) => {
                let quoted = rule.quoted();
                let (detail, end) = if error.starts_with("no such overload") {
                    let text = format!(
                        "'{error}': call arguments did not match a supported operator, function or macro signature for rule: {quoted}"
                    );
                    (text, Ok(()))
                } else if evaluation.cancelled {
                    let text = format!(
                        "'{error}': no further validation rules will be run due to call cost exceeds limit for rule: {quoted}"
                    );
                    (text, Err(Stop))
                } else {
                    (format!("{error} evaluating rule: {quoted}"), Ok(()))
                };
                self.errors.push(rule.at_fault(failure(at, detail)));
                return end;
            }
            _ => {}
        }
        self.broken(node, rule, at)
    }

    /// Reports a rule that evaluates to false.
    fn broken(&mut self, node: &NodeRules, rule: &Rule, at: &At<'_, '_>) -> Result<(), Stop> {
        let detail = match self.message(node, rule, at) {
            Ok(message) => message.unwrap_or_else(|| rule.fixed_message()),
            Err(detail) => {
                let mut error = failure(at, detail);
                rule.relocate(&mut error);
                self.report(rule, at, error);
                return Err(Stop);
            }
        };
        let bad = match at.ty {
            _ if !rule.shows_value => type_name(at.ty).into(),
            Type::Object | Type::Array => BadValue::Omitted,
            _ => bad_value(at.new),
        };
        let mut error = broken_rule(at.path, rule.index, rule.kind, detail, bad);
        rule.relocate(&mut error);
        self.report(rule, at, error);
        Ok(())
    }

    /// The message from the message expression, if usable; the error if the run ends here.
    fn message(&mut self, node: &NodeRules, rule: &Rule, at: &At<'_, '_>) -> Result<Option<String>, String> {
        let Some(program) = &rule.message_program else {
            return Ok(None);
        };
        self.scratch.reset();
        // The expression gets the plain value even where `oldSelf` is declared optional.
        let at = At {
            old: at.old.filter(|_| node.binds_old_self),
            ..*at
        };
        let evaluation = evaluate(program, node, &at, false, &self.scratch);
        let cost = i64::try_from(evaluation.cost)
            .ok()
            .filter(|&cost| cost <= self.budget);
        let Some(cost) = cost else {
            return Err(MESSAGE_OUT_OF_BUDGET.to_owned());
        };
        if evaluation.cancelled {
            return Err(format!(
                "no further validation rules will be run due to call cost exceeds limit for messageExpression: {}",
                quote::quote(&rule.message_expression)
            ));
        }
        self.budget -= cost;
        let Cel::String(text) = evaluation.value else {
            return Ok(None);
        };
        let text = text.trim();
        let usable = !text.is_empty() && text.len() <= MAX_MESSAGE && !text.contains('\n');
        Ok(usable.then(|| text.to_owned()))
    }

    fn report(&mut self, rule: &Rule, at: &At<'_, '_>, error: FieldError) {
        let forgiven =
            self.ratchet == Ratchet::Forgive && !rule.uses_old_self && at.before.unchanged(self.structure);
        if forgiven {
            self.warnings.push(error.to_string());
        } else {
            self.errors.push(error);
        }
    }
}

/// The error of a rule that is not fulfilled, before it is moved to the rule's `fieldPath`.
pub(crate) fn broken_rule(
    path: &Path<'_>,
    index: u32,
    kind: ErrorKind,
    detail: impl Into<Detail>,
    bad: BadValue,
) -> FieldError {
    let (bad, detail) = match kind {
        ErrorKind::Required | ErrorKind::Forbidden => ("".into(), detail.into()),
        ErrorKind::Duplicate => (bad, Detail::None),
        _ => (bad, detail.into()),
    };
    let path = path.to_owned();
    let depth = path.steps().len() as u32;
    FieldError::new(kind, path, bad, detail).about(About::Rule { index, depth })
}

impl Before<'_, '_> {
    fn unchanged(&self, structure: &StructuralSchema) -> bool {
        let pair = self.current.filter(|_| self.visible).or(self.nearest);
        pair.is_some_and(|pair| pair.unchanged(structure))
    }
}

impl Rule {
    /// An error that is the fault of the rule, not of the object.
    fn at_fault(&self, mut error: FieldError) -> FieldError {
        error.about = Some(About::BrokenRule {
            index: self.index,
            depth: error.path.steps().len() as u32,
        });
        error
    }

    /// The name of the rule in run-time errors.
    fn quoted(&self) -> &str {
        if self.message.is_empty() {
            self.text.trim()
        } else {
            self.message.trim()
        }
    }

    fn fixed_message(&self) -> String {
        if self.message.is_empty() {
            format!("failed rule: {}", self.text.trim())
        } else {
            self.message.trim().to_owned()
        }
    }

    /// Moves an error to the rule's `fieldPath`. The reference treats the path below the node as one name, so
    /// one that starts with a key gets a dot in front of its bracket.
    fn relocate(&self, error: &mut FieldError) {
        if let Some(path) = &self.field_path {
            error.path.push(kindsmith_json::path::Step::Field(path.clone()));
        }
    }
}

fn evaluate<'a>(
    program: &'a Program,
    node: &'a NodeRules,
    at: &'a At<'_, '_>,
    optional_old: bool,
    scratch: &'a Scratch,
) -> Evaluation<'a> {
    let inputs = Inputs {
        object: Some((&at.new, &*node.declared)),
        old: at.old.as_ref().map(|old| (old, &*node.declared)),
        optional_old,
        limit: limit::PER_CALL,
    };
    program.eval(inputs, scratch)
}

/// An error about the rules of a node, which shows the node's type.
fn failure(at: &At<'_, '_>, detail: impl Into<Str>) -> FieldError {
    FieldError::invalid(at.path, type_name(at.ty), detail.into())
}

fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Object => "object",
        Type::Array => "array",
        Type::String => "string",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Boolean => "boolean",
        Type::Any | Type::Unknown => "",
    }
}

/// A scalar as errors print it; other values in any form, since they do not match their schema.
fn bad_value(value: Value<'_>) -> BadValue {
    match value {
        Value::Str(text) => BadValue::Text(text.into()),
        Value::Int(number) => BadValue::Integer(number.into()),
        Value::Uint(number) => BadValue::Float(number as f64),
        Value::Float(number) => BadValue::Float(number),
        Value::Bool(truth) => BadValue::Bool(truth),
        Value::Null => BadValue::Nil,
        Value::Array(_) | Value::Object(_) => BadValue::Json(kindsmith_json::to_string(value).into()),
    }
}
