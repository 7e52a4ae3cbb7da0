//! Converts structural schemas in JSON to the crate's declarations.

use kindsmith_cel::types::decl::{ArrayShape, Format, ListType, ObjectShape, Schema, Shape};
use kindsmith_json::Value;

/// Reads a schema node and its descendants.
pub(crate) fn read(json: Value<'_>) -> Schema {
    let flag = |name: &str| json.get(name).and_then(Value::as_bool).unwrap_or(false);
    let number = |name: &str| json.get(name).and_then(Value::as_i64);
    let shape = match json.get("type").and_then(Value::as_str) {
        Some("object") => Shape::Object(object(json)),
        Some("array") => Shape::Array(array(json)),
        Some("string") => Shape::String(match json.get("format").and_then(Value::as_str) {
            Some("byte") => Format::Byte,
            Some("duration") => Format::Duration,
            Some("date") => Format::Date,
            Some("date-time") => Format::DateTime,
            _ => Format::Plain,
        }),
        Some("boolean") => Shape::Boolean,
        Some("number") => Shape::Number,
        Some("integer") => Shape::Integer,
        _ => Shape::Untyped,
    };
    let longest = json
        .get("enum")
        .and_then(Value::as_array)
        .filter(|values| !values.is_empty())
        .map(|values| {
            values
                .iter()
                .filter_map(|value| value.as_str())
                .map(|text| text.len() as i64)
                .max()
                .unwrap_or(0)
        });
    Schema {
        shape,
        nullable: flag("nullable"),
        int_or_string: flag("x-kubernetes-int-or-string"),
        preserve_unknown: flag("x-kubernetes-preserve-unknown-fields"),
        embedded: flag("x-kubernetes-embedded-resource"),
        has_default: json.get("default").is_some_and(|value| !value.is_null()),
        max_length: number("maxLength"),
        longest_enum: longest,
    }
}

fn object(json: Value<'_>) -> ObjectShape {
    let properties = json
        .get("properties")
        .and_then(Value::as_object)
        .filter(|object| !object.is_empty())
        .map(|object| {
            object
                .iter()
                .map(|(key, value)| (key.to_owned(), read(value)))
                .collect()
        });
    let required = json.get("required").and_then(Value::as_array).unwrap_or_default();
    ObjectShape {
        properties,
        required: required
            .iter()
            .filter_map(|name| name.as_str())
            .map(str::to_owned)
            .collect(),
        additional: json
            .get("additionalProperties")
            .filter(|value| value.as_object().is_some())
            .map(|value| Box::new(read(value))),
        max_properties: json.get("maxProperties").and_then(Value::as_i64),
    }
}

fn array(json: Value<'_>) -> ArrayShape {
    let list_type = match json.get("x-kubernetes-list-type").and_then(Value::as_str) {
        Some("set") => ListType::Set,
        Some("map") => {
            let keys = json
                .get("x-kubernetes-list-map-keys")
                .and_then(Value::as_array)
                .unwrap_or_default();
            ListType::Map(
                keys.iter()
                    .filter_map(|key| key.as_str())
                    .map(str::to_owned)
                    .collect(),
            )
        }
        _ => ListType::Atomic,
    };
    ArrayShape {
        items: json.get("items").map(|items| Box::new(read(items))),
        list_type,
        max_items: json.get("maxItems").and_then(Value::as_i64),
    }
}

/// The node at a JSON pointer.
pub(crate) fn at<'a>(schema: Value<'a>, pointer: &str) -> Value<'a> {
    pointer.split('/').skip(1).fold(schema, |node, step| {
        let step = step.replace("~1", "/").replace("~0", "~");
        node.get(&step)
            .unwrap_or_else(|| panic!("no {step} on the way to {pointer}"))
    })
}

/// How often the node at a pointer can occur: the product of the bounds above it, if all are bounded.
pub(crate) fn cardinality(schema: Value<'_>, pointer: &str) -> Option<u64> {
    let mut product: u64 = 1;
    let (mut node, mut in_properties) = (schema, false);
    for step in pointer.split('/').skip(1) {
        let bound = match step {
            "items" if !in_properties => Some("maxItems"),
            "additionalProperties" if !in_properties => Some("maxProperties"),
            _ => None,
        };
        if let Some(bound) = bound {
            let max = node.get(bound).and_then(Value::as_i64)?;
            product = product.saturating_mul(u64::try_from(max).unwrap_or(0));
        }
        in_properties = !in_properties && step == "properties";
        node = node
            .get(&step.replace("~1", "/").replace("~0", "~"))
            .unwrap_or_default();
    }
    Some(product)
}
