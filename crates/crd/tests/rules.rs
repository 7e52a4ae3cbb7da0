//! Replays the API server's recorded responses to objects with validation rules: errors, warnings, and costs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kindsmith_cel::cost::limit;
use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::{BadValue, ErrorKind, FieldError};
use kindsmith_schema::{JsonSchema, Str, ValidationRule};
use kindsmith_structural::rules::Ratchet;
use kindsmith_structural::{StructuralChange, StructuralSchema};

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance/cel")
        .join(name)
}

fn read(path: &PathBuf) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn recorded_answers() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder("cases"))
        .expect("the recordings are part of the project")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    let mut differences = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        let name = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a UTF-8 name");
        let arena = Arena::new();
        let text = read(&folder("schemas").join(format!("{name}.json")));
        let schema = kindsmith_json::parse_str(&arena, &text).expect("a schema");
        let (schema, _) = kindsmith_openapi::schema::read(schema).expect("a schema");
        for line in read(&file).lines() {
            let arena = Arena::new();
            let case = kindsmith_json::parse_str(&arena, line).expect("a case");
            for (field, recorded, computed) in answer(&schema, case) {
                *counts.entry(field).or_default() += 1;
                if recorded != computed {
                    let id = case.get("id").and_then(Value::as_str).unwrap_or_default();
                    differences.push(format!(
                        "{id} {field}:\n  recorded {recorded}\n  computed {computed}"
                    ));
                }
            }
        }
    }
    let shown = differences
        .iter()
        .take(20)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        differences.is_empty(),
        "{} of {counts:?} differ:\n{shown}",
        differences.len()
    );
}

/// The fields to compare, each as recorded and as computed.
fn answer(schema: &JsonSchema, case: Value<'_>) -> Vec<(&'static str, String, String)> {
    let Some(result) = case.get("result").filter(|result| !result.is_null()) else {
        return Vec::new();
    };
    let arena = Arena::new();
    let structure = StructuralSchema::compile(&with_rules(schema, case)).expect("a structural schema");
    let effective = |key: &str| {
        let object = case.get(key)?;
        let pruned = structure.prune(&arena, object, true);
        let clean = structure.remove_nulls(&arena, pruned);
        Some(structure.default(&arena, clean))
    };
    let new = effective("obj").expect("an object");
    let old = effective("old");
    let mut compared = Vec::new();
    for (key, given, value) in [("effectiveObj", "obj", Some(new)), ("effectiveOld", "old", old)] {
        let recorded = case.get(key).or(case.get(given));
        compared.push((key, text(recorded), text(value)));
    }
    let change = StructuralChange {
        old,
        ..StructuralChange::create(new)
    };
    let verdict = structure.validate(&change);
    let recorded = result.get("errors").and_then(Value::as_array).unwrap_or_default();
    let mut recorded: Vec<String> = recorded.iter().map(|error| error_text(*error)).collect();
    let mut computed: Vec<String> = verdict.errors.iter().map(error_json).collect();
    let is_sorted = result.get("order").is_some();
    if is_sorted {
        recorded.sort();
        computed.sort();
    }
    compared.push(("errors", recorded.join("\n"), computed.join("\n")));
    let warnings = result
        .get("warnings")
        .and_then(Value::as_array)
        .unwrap_or_default();
    let recorded: Vec<&str> = warnings.iter().filter_map(|text| text.as_str()).collect();
    compared.push(("warnings", recorded.join("\n"), verdict.warnings.join("\n")));
    let unstable = case.get("unstable").and_then(Value::as_array).unwrap_or_default();
    if !unstable.iter().any(|field| field.as_str() == Some("budgetUsed")) {
        let rules = structure.run_rules(&Path::NIL, new, old, Ratchet::Forgive, limit::PER_OBJECT);
        let used = rules.budget.map(|left| limit::PER_OBJECT - left);
        let recorded = case.get("budgetUsed").and_then(Value::as_i64);
        compared.push(("budgetUsed", format!("{recorded:?}"), format!("{used:?}")));
    }
    compared
}

fn text(value: Option<Value<'_>>) -> String {
    value.map_or(String::new(), |value| {
        kindsmith_json::write::Format::default()
            .order(kindsmith_json::write::Order::Sorted)
            .to_string(value)
    })
}

/// The parts of a recorded error as one text.
fn error_text(error: Value<'_>) -> String {
    let part = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
    let bad = match error.get("omitValue") {
        Some(_) => "omitted".to_owned(),
        None => text(error.get("badValue")),
    };
    format!("{} {} {bad} {}", part("type"), part("field"), part("message"))
}

fn error_json(error: &FieldError) -> String {
    let bad = match &error.bad {
        BadValue::Omitted if error.kind != ErrorKind::TooLong => "omitted".to_owned(),
        BadValue::Nil => String::new(),
        bad => bad.to_json(),
    };
    format!("{} {} {bad} {error}", error.kind.name(), error.path)
}

fn with_rules(schema: &JsonSchema, case: Value<'_>) -> JsonSchema {
    let mut schema = schema.clone();
    let more = case
        .get("moreRules")
        .and_then(Value::as_array)
        .unwrap_or_default();
    for rule in [case].iter().chain(more) {
        let text = |key: &str| {
            rule.get(key)
                .and_then(Value::as_str)
                .map_or(Str::from(""), Str::from)
        };
        let node = schema.at_mut(&text("path")).expect("a node of the schema");
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
    schema
}
