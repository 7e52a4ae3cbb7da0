//! One step of a field path: how a child is picked out of its parent. Knows no schema.

use std::cmp::Ordering;
use std::fmt;

use kindsmith_gostd::float::format_f64;
use kindsmith_gostd::quote::push_quoted;
use kindsmith_json::{Arena, Value};

use crate::order;

/// A step of a path.
///
/// The order is the one field sets are written in: field names, keys, values, indexes. Two elements are equal when
/// neither comes first, so `1` and `1.0` name the same item.
#[derive(Clone, Copy, Debug)]
pub enum Element<'a> {
    /// A member of a struct or map.
    Field(&'a str),
    /// The item of a list map with these keys, sorted by name.
    Key(&'a [KeyField<'a>]),
    /// The item of a set.
    Value(Value<'a>),
    /// The item of a list by its position.
    Index(i64),
}

/// One key of a list map's item.
#[derive(Clone, Copy, Debug)]
pub struct KeyField<'a> {
    /// Name of the key.
    pub name: &'a str,
    /// Its value in the item, or the schema's default.
    pub value: Value<'a>,
}

impl Element<'_> {
    /// Copies the element and all it borrows into another arena.
    pub(crate) fn copy_in<'b>(&self, arena: &'b Arena) -> Element<'b> {
        match *self {
            Element::Field(name) => Element::Field(arena.alloc_str(name)),
            Element::Key(fields) => {
                let fields = fields.iter().map(|field| KeyField {
                    name: arena.alloc_str(field.name),
                    value: field.value.copy_in(arena),
                });
                Element::Key(arena.alloc_slice_fill_iter(fields))
            }
            Element::Value(value) => Element::Value(value.copy_in(arena)),
            Element::Index(index) => Element::Index(index),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Element::Field(_) => 0,
            Element::Key(_) => 1,
            Element::Value(_) => 2,
            Element::Index(_) => 3,
        }
    }
}

impl Ord for Element<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Element::Field(left), Element::Field(right)) => left.cmp(right),
            (Element::Key(left), Element::Key(right)) => compare_keys(left, right),
            (Element::Value(left), Element::Value(right)) => order::compare(*left, *right),
            (Element::Index(left), Element::Index(right)) => left.cmp(right),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

fn compare_keys(left: &[KeyField<'_>], right: &[KeyField<'_>]) -> Ordering {
    for (left, right) in left.iter().zip(right) {
        let order = left
            .name
            .cmp(right.name)
            .then_with(|| order::compare(left.value, right.value));
        if order.is_ne() {
            return order;
        }
    }
    left.len().cmp(&right.len())
}

impl PartialOrd for Element<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Element<'_> {}

/// Prints as in the paths of messages: `.name`, `[port=80,protocol="TCP"]`, `[="a"]`, `[3]`.
impl fmt::Display for Element<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.push_to(&mut text);
        out.write_str(&text)
    }
}

impl Element<'_> {
    /// Appends the element as printed in messages.
    pub(crate) fn push_to(&self, text: &mut String) {
        match self {
            Element::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Element::Key(fields) => {
                text.push('[');
                for (position, field) in fields.iter().enumerate() {
                    if position > 0 {
                        text.push(',');
                    }
                    text.push_str(field.name);
                    text.push('=');
                    push_value(text, field.value, 0);
                }
                text.push(']');
            }
            Element::Value(value) => {
                text.push_str("[=");
                push_value(text, *value, 0);
                text.push(']');
            }
            Element::Index(index) => {
                text.push('[');
                text.push_str(&index.to_string());
                text.push(']');
            }
        }
    }
}

/// Values nested deeper in a key are cut off; schemas allow only scalars as keys.
const MAX_SHOWN_DEPTH: usize = 16;

/// A value as structured-merge-diff's `value.ToString` shows it.
fn push_value(text: &mut String, value: Value<'_>, depth: usize) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(truth) => text.push_str(if truth { "true" } else { "false" }),
        Value::Int(number) => text.push_str(&number.to_string()),
        Value::Uint(number) => text.push_str(&number.to_string()),
        Value::Float(number) => text.push_str(&format_f64(number)),
        Value::Str(string) => push_quoted(text, string),
        _ if depth == MAX_SHOWN_DEPTH => {}
        Value::Array(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                push_value(text, *item, depth + 1);
            }
            text.push(']');
        }
        Value::Object(object) => {
            for entry in object.sorted() {
                text.push_str(entry.key);
                text.push('=');
                push_value(text, entry.value, depth + 1);
            }
        }
    }
}

const _: () = assert!(size_of::<Element<'_>>() <= 24, "elements are copied everywhere");
