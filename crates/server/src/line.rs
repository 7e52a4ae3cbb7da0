//! Lines of JSON for logs.

use kindsmith_api::Time;
use kindsmith_gostd::time::{Layout, Time as GoTime};
use kindsmith_json::{Arena, Entry, Object, Value};

/// An object without empty entries.
pub(crate) fn object<'a>(arena: &'a Arena, entries: &[(&'static str, Value<'a>)]) -> Value<'a> {
    let entries: Vec<Entry<'a>> = entries
        .iter()
        .filter(|(_, value)| !matches!(value, Value::Null | Value::Str("") | Value::Array([])))
        .map(|&(key, value)| Entry { key, value })
        .collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
}

/// A time as text, with microseconds.
pub(crate) fn stamp(time: Time) -> String {
    GoTime::from_unix(time.seconds, time.nanoseconds)
        .map(|time| time.format(Layout::Rfc3339Micro))
        .unwrap_or_default()
}
