//! `--batch`: rules with objects in, answers out, one JSON line each, in the form of the conformance recordings.

use std::io::{BufRead, Write};

use kindsmith_cel::cost::{CostEstimate, limit};
use kindsmith_cel::eval::Program;
use kindsmith_cel::eval::value::Value as Cel;
use kindsmith_cel::validation_rule::{CompileFailure, Purpose};
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::{BadValue, ErrorKind, FieldError, Release};
use kindsmith_schema::{JsonSchema, Str, ValidationRule};
use kindsmith_structural::StructuralChange;
use kindsmith_structural::rules::{Occurrence, Ratchet};

use super::definition;
use super::expression::Expression;
use super::form::{self, Members, json, list};
use kindsmith::cel::{NoSubject, Subject};

/// Answers line by line until the input ends.
pub(super) fn serve(
    schema: &JsonSchema,
    release: Release,
    mut input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        // A line that is not UTF-8 gets an error, as any other unreadable line.
        let text = String::from_utf8_lossy(&line);
        let is_text = matches!(text, std::borrow::Cow::Borrowed(_));
        match text.trim() {
            "" => {}
            text if is_text => writeln!(output, "{}", answer(schema, release, text))?,
            _ => writeln!(output, "{{\"error\":\"the line is not UTF-8\"}}")?,
        }
        line.clear();
    }
    output.flush()
}

/// The answer to one line. Requests that cannot be answered get `{"id": …, "error": …}`.
pub(super) fn answer(schema: &JsonSchema, release: Release, line: &str) -> String {
    let arena = Arena::new();
    let mut id = None;
    let answer = kindsmith_json::parse_str(&arena, line)
        .map_err(|error| error.to_string())
        .and_then(|request| {
            id = request.get("id");
            match Request::read(schema, release, request) {
                Ok(request) => Ok(request.answer(&arena)),
                Err(Unanswered::NoType(schema)) => Ok(without_type(&arena, id, release, &schema)),
                Err(Unanswered::Other(why)) => Err(why),
            }
        });
    kindsmith_json::to_string(answer.unwrap_or_else(|error| {
        let mut members = Members::new(&arena);
        if let Some(id) = id {
            members.put("id", id);
        }
        members.text("error", &error);
        members.finish()
    }))
}

/// Why a request has no answer of its own.
enum Unanswered {
    /// Expressions cannot see the node: the schema with the rules.
    NoType(Box<JsonSchema>),
    /// The request cannot be understood.
    Other(String),
}

impl From<String> for Unanswered {
    fn from(why: String) -> Self {
        Self::Other(why)
    }
}

/// The answer about a rule at a node without a CEL type: no expression compiles there (`Compile` in
/// apiextensions-apiserver's pkg/apiserver/schema/cel/compilation.go), and the CRD is refused.
fn without_type<'a>(
    arena: &'a Arena,
    id: Option<Value<'a>>,
    release: Release,
    schema: &JsonSchema,
) -> Value<'a> {
    let mut out = Members::new(arena);
    if let Some(id) = id {
        out.put("id", id);
    }
    let mut compile = Members::new(arena);
    compile.put("ok", Value::Bool(false));
    let text = "failed to convert to declType for CEL validation rules";
    compile.put("errors", list(arena, &[Value::Str(text)]));
    out.put("compile", compile.finish());
    out.put("staticCost", Value::Null);
    out.put("crdErrors", errors(arena, &definition::errors(schema, release)));
    out.put("result", Value::Null);
    out.finish()
}

/// A rule, its place in the schema, and an object.
struct Request<'a> {
    id: Option<Value<'a>>,
    rule: ValidationRule,
    /// The schema with the rule and the other rules of the request.
    schema: JsonSchema,
    subject: Subject,
    release: Release,
    new: Value<'a>,
    old: Option<Value<'a>>,
}

impl<'a> Request<'a> {
    fn read(schema: &JsonSchema, release: Release, request: Value<'a>) -> Result<Request<'a>, Unanswered> {
        let mut schema = schema.clone();
        let more = request.get("moreRules").and_then(Value::as_array);
        let (pointer, rule) = add_rule(&mut schema, request)?;
        for rule in more.unwrap_or_default() {
            add_rule(&mut schema, *rule)?;
        }
        let subject = match Subject::of_release(&schema, &pointer, release) {
            Ok(subject) => subject,
            Err(NoSubject::NoType) => return Err(Unanswered::NoType(Box::new(schema))),
            Err(why) => return Err(Unanswered::Other(why.to_string())),
        };
        let new = request.get("obj");
        Ok(Request {
            id: request.get("id"),
            rule,
            subject,
            schema,
            release,
            new: new.ok_or_else(|| "a request has no `obj`".to_owned())?,
            old: request.get("old"),
        })
    }

    fn optional_old(&self) -> bool {
        self.rule.optional_old_self == Some(true)
    }

    fn answer(&self, arena: &'a Arena) -> Value<'a> {
        let scratch = Arena::new();
        let new = self.subject.effective(&scratch, self.new);
        let old = self.old.map(|old| self.subject.effective(&scratch, old));
        let rule = Expression::compile(&self.rule.rule, &self.subject, self.optional_old());
        let message = (!self.rule.message_expression.is_empty())
            .then(|| Expression::compile(&self.rule.message_expression, &self.subject, self.optional_old()));
        let mut out = Members::new(arena);
        if let Some(id) = self.id {
            out.put("id", id);
        }
        for (key, given, value) in [
            ("effectiveObj", Some(self.new), Some(new)),
            ("effectiveOld", self.old, old),
        ] {
            if let (true, Some(value)) = (given != value, value) {
                out.put(key, value.copy_in(arena));
            }
        }
        let failure = self.compile(arena, &mut out, &rule, message.as_ref());
        self.costs(arena, &mut out, &rule, message.as_ref());
        self.crd_errors(arena, &mut out, &rule);
        let result = if failure {
            Value::Null
        } else {
            self.result(arena, new, old)
        };
        out.put("result", result);
        if !failure {
            let structure = self.subject.structure();
            let verdict = structure.run_rules(&Path::NIL, new, old, Ratchet::Forgive, limit::PER_OBJECT);
            if let Some(left) = verdict.budget {
                out.put("budgetUsed", Value::Int(limit::PER_OBJECT - left));
            }
        }
        self.evaluations(arena, &mut out, &rule, message.as_ref(), new, old);
        out.finish()
    }

    /// Adds the compiler's answer; returns whether the rule or its message is rejected.
    fn compile(
        &self,
        arena: &'a Arena,
        out: &mut Members<'a>,
        rule: &Expression,
        message: Option<&Expression>,
    ) -> bool {
        let failure = rule
            .failure(Purpose::Rule)
            .map(|failure| (failure, Purpose::Rule))
            .or_else(|| Some((message?.failure(Purpose::Message)?, Purpose::Message)));
        let mut compile = Members::new(arena);
        compile.put("ok", Value::Bool(failure.is_none()));
        match &failure {
            None => {}
            Some((CompileFailure::Panic(text), _)) => compile.text("panic", text),
            Some((failure, purpose)) => {
                let text = arena.alloc_str(&failure.detail(*purpose));
                compile.put("errors", list(arena, &[Value::Str(text)]));
            }
        }
        out.put("compile", compile.finish());
        if let Ok(checked) = &rule.checked {
            out.text("exprType", &checked.checked.result().to_string());
        }
        if rule.uses_old_self() {
            out.put("usesOldSelf", Value::Bool(true));
        }
        failure.is_some()
    }

    fn costs(
        &self,
        arena: &'a Arena,
        out: &mut Members<'a>,
        rule: &Expression,
        message: Option<&Expression>,
    ) {
        let cost = |expression: &Expression| {
            let checked = expression.checked.as_ref().ok();
            checked.map_or(Value::Null, |checked| estimate(arena, checked.cost))
        };
        out.put("staticCost", cost(rule));
        let message = message.filter(|message| message.checked.is_ok());
        if let Some(message) = message {
            out.put("messageExpressionStaticCost", cost(message));
        }
        let (None, Ok(checked)) = (rule.failure(Purpose::Rule), &rule.checked) else {
            return;
        };
        let (cardinality, used) = (self.subject.cardinality, self.subject.cardinality_used);
        let mut costs = Members::new(arena);
        costs.put("cardinality", cardinality.map_or(Value::Null, form::number));
        costs.number("cardinalityUsed", used);
        costs.number("rule", checked.cost.max.saturating_mul(used));
        let message = message
            .filter(|message| message.failure(Purpose::Message).is_none())
            .and_then(|message| message.checked.as_ref().ok());
        if let Some(message) = message.filter(|message| message.cost.max > 0) {
            costs.number("messageExpression", message.cost.max);
        }
        out.put("crdCost", costs.finish());
    }

    /// The API server's errors for a CRD with this schema; none for an expression whose only fault is that it is not a
    /// bool.
    fn crd_errors(&self, arena: &'a Arena, out: &mut Members<'a>, rule: &Expression) {
        if let Some(CompileFailure::WrongType | CompileFailure::Panic(_)) = rule.failure(Purpose::Rule) {
            return;
        }
        let found = definition::errors(&self.schema, self.release);
        if !found.is_empty() {
            out.put("crdErrors", errors(arena, &found));
        }
    }

    /// The API server's answer to the object.
    fn result(&self, arena: &'a Arena, new: Value<'_>, old: Option<Value<'_>>) -> Value<'a> {
        let change = StructuralChange {
            old,
            ..StructuralChange::create(new)
        };
        let verdict = self.subject.structure().validate(&change);
        let mut result = Members::new(arena);
        result.put("valid", Value::Bool(verdict.errors.is_empty()));
        if !verdict.errors.is_empty() {
            result.put("errors", errors(arena, &verdict.errors));
        }
        if !verdict.warnings.is_empty() {
            let texts = verdict.warnings.iter();
            let texts: Vec<Value<'a>> = texts.map(|text| Value::Str(arena.alloc_str(text))).collect();
            result.put("warnings", list(arena, &texts));
        }
        result.finish()
    }

    fn evaluations(
        &self,
        arena: &'a Arena,
        out: &mut Members<'a>,
        rule: &Expression,
        message: Option<&Expression>,
        new: Value<'_>,
        old: Option<Value<'_>>,
    ) {
        let values = self.subject.occurrences(new, old);
        if let Some(program) = rule.program() {
            let evaluate = |at: &Occurrence<'_>, out: &mut Members<'a>, error: &'static str| {
                if rule.uses_old_self() && at.old.is_none() && !self.optional_old() {
                    out.text("skipped", "no oldSelf");
                } else {
                    self.evaluate(arena, out, program, at, self.optional_old(), error);
                }
            };
            match &values[..] {
                [] => {}
                [only] => evaluate(only, out, "evalError"),
                _ => {
                    let evals = self.each(arena, &values, |at, out| evaluate(at, out, "error"));
                    out.put("evals", evals);
                }
            }
        }
        let Some(program) = message.and_then(Expression::program) else {
            return;
        };
        let evals = self.each(arena, &values, |at, out| {
            // The validator binds `oldSelf` as a plain value, and only if a rule of the node refers to it.
            let bound = Occurrence {
                old: at.old.filter(|_| rule.uses_old_self()),
                ..at.clone()
            };
            self.evaluate(arena, out, program, &bound, false, "error");
        });
        out.put("messageExpressionEvals", evals);
    }

    fn each<'v>(
        &self,
        arena: &'a Arena,
        values: &[Occurrence<'v>],
        mut evaluate: impl FnMut(&Occurrence<'v>, &mut Members<'a>),
    ) -> Value<'a> {
        let mut evals = Vec::new();
        for at in values {
            let mut out = Members::new(arena);
            out.text("at", &at.path.to_string());
            evaluate(at, &mut out);
            evals.push(out.finish());
        }
        list(arena, &evals)
    }

    fn evaluate(
        &self,
        arena: &'a Arena,
        out: &mut Members<'a>,
        program: &Program,
        at: &Occurrence<'_>,
        optional_old: bool,
        error: &'static str,
    ) {
        self.subject.run(
            program,
            Some(&at.new),
            at.old.as_ref(),
            optional_old,
            |value, scratch, cost| {
                match value {
                    Cel::Error(message) => out.text(error, message),
                    value => out.put("value", json(arena, value, scratch)),
                }
                out.number("runtimeCost", cost);
            },
        );
    }
}

fn add_rule(schema: &mut JsonSchema, request: Value<'_>) -> Result<(String, ValidationRule), String> {
    let text = |key: &str| request.get(key).and_then(Value::as_str);
    let owned = |key: &str| text(key).map_or(Str::from(""), Str::from);
    let pointer = text("path").unwrap_or_default();
    let node = schema
        .at_mut(pointer)
        .ok_or_else(|| format!("the schema has no node `{pointer}`"))?;
    let rule = ValidationRule {
        rule: text("rule").ok_or("a request has no `rule`")?.into(),
        message: owned("message"),
        message_expression: owned("messageExpression"),
        reason: text("reason").map(Str::from),
        field_path: owned("fieldPath"),
        optional_old_self: request.get("optionalOldSelf").and_then(Value::as_bool),
        ..ValidationRule::default()
    };
    node.validations.push(rule.clone());
    Ok((pointer.to_owned(), rule))
}

fn estimate(arena: &Arena, cost: CostEstimate) -> Value<'_> {
    let mut members = Members::new(arena);
    members.number("min", cost.min);
    members.number("max", cost.max);
    members.finish()
}

/// Errors as data, and their full text.
fn errors<'a>(arena: &'a Arena, errors: &[FieldError]) -> Value<'a> {
    let error = |error: &FieldError| {
        let mut members = Members::new(arena);
        members.text("type", error.kind.name());
        members.text("field", &error.path.to_string());
        members.text("detail", &error.detail.to_string());
        match &error.bad {
            BadValue::Nil => {}
            _ if matches!(error.kind, ErrorKind::Required | ErrorKind::Forbidden) => {
                members.text("badValue", "");
            }
            BadValue::Omitted if error.kind != ErrorKind::TooLong => {
                members.put("omitValue", Value::Bool(true));
            }
            bad => {
                let text = arena.alloc_str(&bad.to_json());
                members.put(
                    "badValue",
                    kindsmith_json::parse_str(arena, text).unwrap_or_default(),
                );
            }
        }
        members.text("message", &error.to_string());
        members.finish()
    };
    let errors: Vec<Value<'a>> = errors.iter().map(error).collect();
    list(arena, &errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_text_is_answered_and_the_next_one_read() {
        let input = b"{\"id\":1}\n\xff\xfe\n\n{\"id\":2}\n";
        let mut output = Vec::new();
        serve(&JsonSchema::default(), Release::NEWEST, &input[..], &mut output)
            .expect("memory can be written");
        let output = String::from_utf8(output).expect("answers are text");
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines.len(), 3, "{output}");
        assert!(
            lines[0].contains("\"id\":1") && lines[2].contains("\"id\":2"),
            "{output}"
        );
        assert_eq!(lines[1], "{\"error\":\"the line is not UTF-8\"}");
    }

    fn schema(text: &str) -> JsonSchema {
        let arena = Arena::new();
        let value = kindsmith_json::parse_str(&arena, text).expect("it is JSON");
        kindsmith_openapi::schema::read(value).expect("it is a schema").0
    }

    #[test]
    fn a_rule_at_a_node_without_a_type_does_not_compile() {
        let schema =
            schema(r#"{"type":"object","properties":{"v":{"x-kubernetes-preserve-unknown-fields":true}}}"#);
        let answer = answer(
            &schema,
            Release::NEWEST,
            r#"{"id":"a","path":"/properties/v","rule":"true","obj":{"v":1}}"#,
        );
        let expected = concat!(
            r#"{"id":"a","compile":{"ok":false,"errors":["failed to convert to declType for CEL validation rules"]},"#,
            r#""staticCost":null,"crdErrors":[{"type":"InternalError","#
        );
        assert!(answer.starts_with(expected), "{answer}");
        assert!(answer.ends_with(r#""result":null}"#), "{answer}");
    }

    #[test]
    fn a_text_that_is_too_long_is_not_shown() {
        let schema = schema(r#"{"type":"object","properties":{"v":{"type":"string","maxLength":1}}}"#);
        let answer = answer(
            &schema,
            Release::NEWEST,
            r#"{"path":"","rule":"true","obj":{"v":"abc"}}"#,
        );
        assert!(answer.contains(r#""badValue":"<value omitted>""#), "{answer}");
    }

    #[test]
    fn keys_of_several_types_are_in_order_of_their_types() {
        let schema = schema(r#"{"type":"object"}"#);
        let answer = answer(
            &schema,
            Release::NEWEST,
            r#"{"path":"","rule":"{dyn('a'): 1, dyn(2): 2, dyn(1): 3}","obj":{}}"#,
        );
        let keys: Vec<&str> = answer
            .split(r#"[{"t":""#)
            .skip(1)
            .map(|rest| &rest[..3])
            .collect();
        assert_eq!(keys, ["int", "int", "str"], "{answer}");
    }
}
