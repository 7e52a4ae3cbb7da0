//! Objects of the members that are present.

use kindsmith_json::{Arena, Entry, Object, Value};

/// An object of the members that are present.
pub(crate) fn members<'a>(arena: &'a Arena, fields: &[(&'static str, Option<Value<'a>>)]) -> Value<'a> {
    let present: Vec<Entry<'a>> = fields
        .iter()
        .filter_map(|&(key, value)| value.map(|value| Entry { key, value }))
        .collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&present)))
}
