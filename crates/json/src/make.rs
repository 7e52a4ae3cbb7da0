//! Objects made of listed members. Knows no schema.

use crate::{Arena, Entry, Object, Value};

/// An object with these members, whose keys are distinct.
///
/// ```
/// # use kindsmith_json::{Arena, object_of, to_string};
/// let arena = Arena::new();
/// let port = object_of(&arena, &[("name", "http".into()), ("port", 80.into())]);
/// assert_eq!(to_string(port), r#"{"name":"http","port":80}"#);
/// ```
#[must_use]
pub fn object_of<'a>(arena: &'a Arena, members: &[(&'a str, Value<'a>)]) -> Value<'a> {
    let entries = members.iter().map(|&(key, value)| Entry { key, value });
    Value::Object(Object::from_entries(arena, arena.alloc_slice_fill_iter(entries)))
}

/// An object with those of these members that are present.
///
/// ```
/// # use kindsmith_json::{Arena, object_of_present, to_string};
/// let arena = Arena::new();
/// let port = object_of_present(&arena, &[("name", None), ("port", Some(80.into()))]);
/// assert_eq!(to_string(port), r#"{"port":80}"#);
/// ```
#[must_use]
pub fn object_of_present<'a>(arena: &'a Arena, members: &[(&'a str, Option<Value<'a>>)]) -> Value<'a> {
    let present: Vec<Entry<'a>> = members
        .iter()
        .filter_map(|&(key, value)| value.map(|value| Entry { key, value }))
        .collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&present)))
}
