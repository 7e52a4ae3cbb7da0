//! Errors of a CRD with each of the recorded expressions.

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_conformance::{Known, files};
use kindsmith_crd::definition::{DefinitionValidation, create};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_openapi::crd::Validation;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, Str, ValidationRule};

use super::sample;

const NOT_BOOL: &str = "cel expression must evaluate to a bool";

#[test]
fn recorded_expressions_in_definitions() {
    let schemas: BTreeMap<String, JsonSchema> = files("cel/schemas").into_iter().map(schema).collect();
    let mut differences = Vec::new();
    let (mut cases, mut refused) = (0, 0);
    for (name, text) in files("cel/cases") {
        for line in text.lines() {
            let arena = Arena::new();
            let case = parse_str(&arena, line).expect("a case is JSON");
            let Some(expected) = expected(case) else {
                continue;
            };
            let verdict = judge(case, &schemas[&name]);
            cases += 1;
            refused += usize::from(!expected.is_empty());
            let found = found(&verdict);
            if found != expected {
                let id = case
                    .get("id")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned();
                differences.push((id, format!("\n  expected {expected:#?}\n  found {found:#?}")));
            }
        }
    }
    println!("cel/cases: {cases} definitions, {refused} refused");
    Known::read("cel.definitions").hold_against(differences);
}

fn schema((name, text): (String, String)) -> (String, JsonSchema) {
    let arena = Arena::new();
    let value = parse_str(&arena, &text).expect("a schema is JSON");
    let (schema, _) = kindsmith_openapi::schema::read(value).expect("recorded schemas decode");
    (name, schema)
}

/// The recorded errors, sorted; `None` if a case is about something else: a value, or a crash of the compiler.
fn expected(case: Value<'_>) -> Option<Vec<String>> {
    let compile = case.get("compile");
    let errors = compile
        .and_then(|compile| compile.get("errors"))
        .and_then(Value::as_array);
    let only_value = errors.is_some_and(|errors| matches!(errors, [Value::Str(NOT_BOOL)]));
    let recorded = case.get("crdErrors").and_then(Value::as_array);
    // Some cases were recorded from the evaluator alone.
    let left_out = case.get("unstable").and_then(Value::as_array).unwrap_or_default();
    if left_out.iter().any(|name| name.as_str() == Some("crdErrors")) {
        return None;
    }
    if compile.is_some_and(|compile| compile.get("panic").is_some()) || (only_value && recorded.is_none()) {
        return None;
    }
    let message = |error: &Value<'_>| error.get("message").and_then(Value::as_str).map(str::to_owned);
    let mut texts: Vec<String> = recorded.unwrap_or_default().iter().filter_map(message).collect();
    texts.sort();
    Some(texts)
}

fn found(verdict: &DefinitionValidation) -> Vec<String> {
    let mut texts: Vec<String> = verdict.errors.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

fn judge(case: Value<'_>, schema: &JsonSchema) -> DefinitionValidation {
    let mut schema = schema.clone();
    add(&mut schema, case);
    for rule in case
        .get("moreRules")
        .and_then(Value::as_array)
        .unwrap_or_default()
    {
        add(&mut schema, *rule);
    }
    let mut definition = sample::definition("{}");
    definition.spec.versions.make()[0].schema = Some(Validation {
        open_api_v3_schema: Some(Arc::new(schema)),
    });
    create(&mut definition.to_internal(), sample::newest())
}

/// Adds a rule to its node.
fn add(schema: &mut JsonSchema, rule: Value<'_>) {
    let text = |key| Str::from(rule.get(key).and_then(Value::as_str).unwrap_or_default());
    let path = text("path");
    let mut steps = path.split('/').skip(1);
    let mut node = schema;
    while let Some(step) = steps.next() {
        node = match step {
            "properties" => {
                let name = steps
                    .next()
                    .expect("a name")
                    .replace("~1", "/")
                    .replace("~0", "~");
                let found = node
                    .properties
                    .iter_mut()
                    .find(|(property, _)| **property == *name);
                &mut found.expect("the schema has the property").1
            }
            "items" => match node.items.as_deref_mut() {
                Some(Items::Each(item)) => item,
                _ => panic!("{path}: no items"),
            },
            "additionalProperties" => match node.additional_properties.as_deref_mut() {
                Some(SchemaOrBool::Schema(values)) => values,
                _ => panic!("{path}: no values"),
            },
            other => panic!("{path}: {other}"),
        };
    }
    node.validations.push(ValidationRule {
        rule: text("rule"),
        message: text("message"),
        message_expression: text("messageExpression"),
        reason: rule.get("reason").and_then(Value::as_str).map(Str::from),
        field_path: text("fieldPath"),
        optional_old_self: rule.get("optionalOldSelf").and_then(Value::as_bool),
        ..ValidationRule::default()
    });
}
