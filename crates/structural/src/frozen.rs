//! JSON values that a plan owns and lends to arenas: parsed once, their strings are never copied.
//!
//! Values of an arena borrow from it, and an arena cannot be shared between threads. So a plan keeps a tree
//! of its own; lending it copies only the slices of containers. Knows no schema.

use kindsmith_json::write::{Floats, Format};
use kindsmith_json::{Arena, Entry, Object, Value, parse_str};

/// An owned JSON value.
#[derive(Debug, Clone)]
pub(crate) enum Frozen {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    Str(Box<str>),
    Array(Box<[Frozen]>),
    Object(Box<[(Box<str>, Frozen)]>),
    /// A value below the depth limit, as JSON text.
    Text(Box<str>),
}

/// The depth limit for containers.
const MAX_DEPTH: usize = 64;

impl Frozen {
    /// Copies a value.
    pub(crate) fn new(value: Value<'_>) -> Self {
        freeze(value, 0)
    }

    /// Lends the value to an arena.
    #[inline]
    pub(crate) fn value<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        match self {
            Self::Null => Value::Null,
            Self::Bool(truth) => Value::Bool(*truth),
            Self::Int(number) => Value::Int(*number),
            Self::Uint(number) => Value::Uint(*number),
            Self::Float(number) => Value::Float(*number),
            Self::Str(text) => Value::Str(text),
            _ => self.container(arena),
        }
    }

    fn container<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        match self {
            Self::Array(items) if items.is_empty() => Value::Array(&[]),
            Self::Array(items) => {
                let items = items.iter().map(|item| item.value(arena));
                Value::Array(arena.alloc_slice_fill_iter(items))
            }
            Self::Object(entries) if entries.is_empty() => Value::Object(Object::EMPTY),
            Self::Object(entries) => {
                let entries = entries.iter().map(|(key, value)| Entry {
                    key,
                    value: value.value(arena),
                });
                Value::Object(Object::from_entries(arena, arena.alloc_slice_fill_iter(entries)))
            }
            Self::Text(text) => parse_str(arena, text).unwrap_or_default(),
            scalar => scalar.value(arena),
        }
    }

    /// Memory in bytes, itself included.
    pub(crate) fn memory(&self) -> usize {
        let more = match self {
            Self::Null | Self::Bool(_) | Self::Int(_) | Self::Uint(_) | Self::Float(_) => 0,
            Self::Str(text) | Self::Text(text) => text.len(),
            Self::Array(items) => items.iter().map(Self::memory).sum(),
            Self::Object(entries) => entries
                .iter()
                .map(|(key, value)| size_of::<Box<str>>() + key.len() + value.memory())
                .sum(),
        };
        size_of::<Self>() + more
    }
}

fn freeze(value: Value<'_>, depth: usize) -> Frozen {
    match value {
        Value::Null => Frozen::Null,
        Value::Bool(truth) => Frozen::Bool(truth),
        Value::Int(number) => Frozen::Int(number),
        Value::Uint(number) => Frozen::Uint(number),
        Value::Float(number) => Frozen::Float(number),
        Value::Str(text) => Frozen::Str(text.into()),
        Value::Array(_) | Value::Object(_) if depth == MAX_DEPTH => {
            Frozen::Text(Format::default().floats(Floats::Marked).to_string(value).into())
        }
        Value::Array(items) => Frozen::Array(items.iter().map(|&item| freeze(item, depth + 1)).collect()),
        Value::Object(object) => Frozen::Object(
            object
                .iter()
                .map(|(key, value)| (key.into(), freeze(value, depth + 1)))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str) {
        let arena = Arena::new();
        let value = parse_str(&arena, json).expect("JSON");
        let frozen = Frozen::new(value);
        assert_eq!(frozen.value(&arena), value);
        assert!(frozen.memory() >= size_of::<Frozen>());
    }

    #[test]
    fn values_round_trip() {
        for json in [
            "null",
            "true",
            "-3",
            "2.5",
            r#""text""#,
            "[]",
            "{}",
            r#"{"a":[1,{"b":null}],"c":"d"}"#,
        ] {
            check(json);
        }
    }

    #[test]
    fn deep_values_round_trip() {
        check(&format!("{}1{}", "[".repeat(5000), "]".repeat(5000)));
        check(&format!("{}1{}", r#"{"a":"#.repeat(5000), "}".repeat(5000)));
    }
}
