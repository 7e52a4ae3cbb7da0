//! How the schema of a custom resource validates values, case by case: every keyword, with Kubernetes'
//! messages.

mod containers;
mod formats;
mod junctors;
mod numbers;
mod places;
mod resources;
mod scalars;

use crate::published;
use kindsmith_json::{Arena, Value, parse_str, yaml};
use kindsmith_object::FieldError;
use kindsmith_schema::JsonSchema;
use kindsmith_structural::{StructuralChange, StructuralSchema};

/// Reads JSON, or YAML, which makes schemas shorter but reads `1.0` as an integer.
fn read<'a>(arena: &'a Arena, text: &'a str) -> Value<'a> {
    if let Ok(value) = parse_str(arena, text) {
        return value;
    }
    yaml::parse(arena, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn schema(text: &str) -> JsonSchema {
    let arena = Arena::new();
    published::schema(&kindsmith_json::to_string(read(&arena, text)))
}

fn shown(errors: &[FieldError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

/// Validates a whole object.
#[track_caller]
fn check_object(schema_text: &str, object: &str, expected: &[&str]) {
    let arena = Arena::new();
    let object = read(&arena, object);
    let structure = StructuralSchema::compile(&schema(schema_text)).expect("structural");
    let errors = structure.validate(&StructuralChange::create(object)).errors;
    assert_eq!(shown(&errors), expected, "{schema_text} {object:?}");
}

/// Validates the value of a field `a`. `$ ` is replaced by `a in body `.
#[track_caller]
fn check(field: &str, value: &str, expected: &[&str]) {
    let expected: Vec<String> = expected
        .iter()
        .map(|text| text.replace("$ ", "a in body "))
        .collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    let object = match parse_str(&Arena::new(), value) {
        Ok(_) => format!("{{\"a\": {value}}}"),
        Err(_) => format!("{{a: {value}}}"),
    };
    check_object(
        &format!("{{type: object, properties: {{a: {field}}}}}"),
        &object,
        &expected,
    );
}
