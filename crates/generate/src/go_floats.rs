//! Numbers as Go reads them from JSON into `any`.

use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_schema::Json;

/// The value after Go reads it as JSON, where all numbers are floats.
pub(crate) fn through_floats(json: &Json) -> Json {
    let arena = Arena::new();
    Json::from(floats(&arena, json.value(&arena)))
}

fn floats<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Int(_) | Value::Uint(_) => Value::Float(value.as_f64().unwrap_or_default()),
        Value::Array(items) => {
            let items = items.iter().map(|item| floats(arena, *item));
            Value::Array(arena.alloc_slice_fill_iter(items))
        }
        Value::Object(object) => {
            let entries = object.entries().iter().map(|entry| Entry {
                key: entry.key,
                value: floats(arena, entry.value),
            });
            Object::from_entries(arena, arena.alloc_slice_fill_iter(entries)).into()
        }
        other => other,
    }
}
