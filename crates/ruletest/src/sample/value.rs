//! Small values that a schema probably accepts.

use kindsmith_schema::JsonSchema;
use serde_json::{Map, Value as Json, json};

use super::{MAX_COUNT, text};

/// Deeper schemas repeat themselves.
const MAX_DEPTH: usize = 12;

/// The smallest value that the schema probably accepts.
pub(super) fn smallest(schema: &JsonSchema, depth: usize) -> Json {
    if let Some(first) = schema.enum_values.first() {
        return of_json(first);
    }
    if schema.int_or_string {
        return json!(1);
    }
    match &*schema.ty {
        "string" => json!(text::smallest(schema)),
        "integer" => json!(integer(schema)),
        "number" => json!(integer(schema) as f64),
        "boolean" => json!(false),
        "array" => list(schema, schema.min_items.unwrap_or(0), depth),
        _ if !schema.properties.is_empty() || schema.additional().is_some() || &*schema.ty == "object" => {
            object(schema, depth)
        }
        _ => json!({}),
    }
}

/// A JSON value of a schema.
pub(super) fn of_json(value: &kindsmith_schema::Json) -> Json {
    serde_json::from_str(&value.to_string()).unwrap_or_default()
}

fn integer(schema: &JsonSchema) -> i64 {
    let step = |exclusive: bool| i64::from(exclusive);
    let mut number = 0;
    if let Some(maximum) = schema.maximum {
        number = number.min(maximum.floor() as i64 - step(schema.exclusive_maximum));
    }
    if let Some(minimum) = schema.minimum {
        number = number.max(minimum.ceil() as i64 + step(schema.exclusive_minimum));
    }
    match schema.multiple_of {
        Some(unit) if unit >= 1.0 => (number as f64 / unit).ceil() as i64 * unit as i64,
        _ => number,
    }
}

/// A list of distinct elements.
pub(super) fn list(schema: &JsonSchema, length: i64, depth: usize) -> Json {
    let length = length.clamp(0, MAX_COUNT);
    let Some(item) = schema.item().filter(|_| depth < MAX_DEPTH) else {
        return json!([]);
    };
    let keys: Vec<&str> = schema.list_map_keys.iter().map(|key| &**key).collect();
    let elements = (0..length).map(|index| {
        let mut element = smallest(item, depth + 1);
        if keys.is_empty() {
            return distinct(item, element, index);
        }
        // One key that differs is enough.
        for key in &keys {
            let Some(property) = item.property(key) else {
                continue;
            };
            let value = distinct(property, smallest(property, depth + 1), index);
            element[*key] = value;
        }
        element
    });
    Json::Array(elements.collect())
}

/// The n-th variation of a value.
fn distinct(schema: &JsonSchema, value: Json, index: i64) -> Json {
    if !schema.enum_values.is_empty() {
        let at = index as usize % schema.enum_values.len();
        return of_json(&schema.enum_values[at]);
    }
    match value {
        _ if index == 0 => value,
        Json::String(text) => json!(text::varied(schema, &text, index)),
        Json::Number(number) => json!(number.as_i64().unwrap_or_default() + index),
        Json::Object(mut members) => {
            let found = schema
                .properties
                .iter()
                .find(|(_, one)| matches!(&*one.ty, "string" | "integer"));
            if let Some((name, property)) = found {
                let value = distinct(property, smallest(property, MAX_DEPTH), index);
                members.insert(name.to_string(), value);
            }
            Json::Object(members)
        }
        other => other,
    }
}

fn object(schema: &JsonSchema, depth: usize) -> Json {
    let mut members = Map::new();
    if depth >= MAX_DEPTH {
        return Json::Object(members);
    }
    for name in &schema.required {
        let value = schema
            .property(name)
            .map_or(json!({}), |property| smallest(property, depth + 1));
        members.insert(name.to_string(), value);
    }
    let wanted = schema.min_properties.unwrap_or(0).clamp(0, MAX_COUNT) as usize;
    for (name, property) in &schema.properties {
        if members.len() < wanted && !members.contains_key(&**name) {
            members.insert(name.to_string(), smallest(property, depth + 1));
        }
    }
    fill(schema, &mut members, wanted, depth);
    Json::Object(members)
}

/// Adds entries to a map until it has this many.
pub(super) fn fill(schema: &JsonSchema, members: &mut Map<String, Json>, wanted: usize, depth: usize) {
    let Some(additional) = schema.additional() else {
        return;
    };
    let mut index = 0;
    while members.len() < wanted {
        members.insert(format!("key{index}"), smallest(additional, depth + 1));
        index += 1;
    }
}
