//! Why metadata in a generic map does not become `metav1.ObjectMeta`, in the words of the converter that the API server uses
//! where no bytes are decoded (`fromUnstructured` in apimachinery's pkg/runtime/converter.go).

use kindsmith_json::{Arena, Object, Value};

use super::DecodeError;
use super::decode::{Malformed, UnknownFields, decode};
use super::fields::{Field, FieldType, OBJECT_META, Struct};
use crate::go_value;

/// The converter's error for the first field that it rejects, in the order of the struct.
#[must_use]
pub fn restore_error(metadata: Object<'_>) -> Option<String> {
    let mut fields = OBJECT_META.iter().map(|known| &known.field);
    fields.find_map(|field| of_field(field, metadata))
}

fn of_field(field: &Field, object: Object<'_>) -> Option<String> {
    let value = object.get(field.name).filter(|value| !value.is_null())?;
    match (field.ty, value) {
        (FieldType::Raw, _) => None,
        (FieldType::Text | FieldType::RequiredText, _) => of_text(value, field.go_type),
        (FieldType::Integer | FieldType::OptionalInteger, _) => of_integer(value),
        (FieldType::OptionalBool, Value::Bool(_)) => None,
        (FieldType::OptionalBool, _) => Some("unrecognized type: bool".to_owned()),
        (FieldType::Time | FieldType::OptionalTime, _) => of_time(value),
        (FieldType::Texts, Value::Object(entries)) => {
            entries.values().find_map(|value| of_text(value, "string"))
        }
        (FieldType::Texts, _) => Some(format!("cannot restore map from {}", go_value::kind(value))),
        (FieldType::TextSet, Value::Array(items)) => items.iter().find_map(|item| of_text(*item, "string")),
        (FieldType::Structs(structure), Value::Array(items)) => {
            items.iter().find_map(|item| of_struct(structure, *item))
        }
        (FieldType::TextSet | FieldType::Structs(_), _) => {
            Some(format!("cannot restore slice from {}", go_value::kind(value)))
        }
    }
}

fn of_struct(structure: &Struct, value: Value<'_>) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Object(object) => structure.fields.iter().find_map(|field| of_field(field, object)),
        other => Some(format!("cannot restore struct from: {}", go_value::kind(other))),
    }
}

/// Go converts integers to strings, which the converter rejects; it knows no way from other types.
fn of_text(value: Value<'_>, go_type: &str) -> Option<String> {
    match value {
        Value::Null | Value::Str(_) => None,
        Value::Int(_) => Some(format!("cannot convert int64 to {go_type}")),
        _ => Some("unrecognized type: string".to_owned()),
    }
}

fn of_integer(value: Value<'_>) -> Option<String> {
    match value {
        Value::Int(_) | Value::Uint(_) => None,
        Value::Float(number) if number.trunc() == number => None,
        Value::Float(_) => Some("cannot convert float64 to int64".to_owned()),
        _ => Some("unrecognized type: int64".to_owned()),
    }
}

/// Times decode themselves.
fn of_time(value: Value<'_>) -> Option<String> {
    let arena = Arena::new();
    let mut object = Object::EMPTY;
    object.insert(&arena, "creationTimestamp", value);
    match decode(
        &arena,
        Value::Object(object),
        Malformed::Refuse,
        UnknownFields::Ignore,
    ) {
        Ok(_) => None,
        Err(DecodeError::Type { found, .. }) => Some(format!(
            "json: cannot unmarshal {found} into Go value of type string"
        )),
        Err(error) => Some(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::parse_str;

    use super::*;

    #[test]
    fn the_first_field_that_does_not_convert_is_named_by_its_type() {
        for (metadata, expected) in [
            (r#"{"name":"a","labels":{"a":"b"},"generation":2.0}"#, None),
            (
                r#"{"labels":{"a":1},"name":"a"}"#,
                Some("cannot convert int64 to string"),
            ),
            (r#"{"labels":{"a":true}}"#, Some("unrecognized type: string")),
            (r#"{"labels":["a"]}"#, Some("cannot restore map from slice")),
            (r#"{"finalizers":"a"}"#, Some("cannot restore slice from string")),
            (
                r#"{"ownerReferences":["a"]}"#,
                Some("cannot restore struct from: string"),
            ),
            (
                r#"{"ownerReferences":[{"uid":1}]}"#,
                Some("cannot convert int64 to types.UID"),
            ),
            (r#"{"generation":1.5}"#, Some("cannot convert float64 to int64")),
            (
                r#"{"deletionTimestamp":1}"#,
                Some("json: cannot unmarshal number into Go value of type string"),
            ),
        ] {
            let arena = Arena::new();
            let object = parse_str(&arena, metadata)
                .expect("JSON")
                .as_object()
                .expect("an object");
            assert_eq!(restore_error(object).as_deref(), expected, "{metadata}");
        }
    }
}
