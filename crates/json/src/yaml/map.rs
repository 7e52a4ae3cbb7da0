//! A YAML mapping under construction: keys keep their type until all of them are known.

use std::collections::BTreeMap;
use std::fmt;

use super::error::YamlError;
use super::node::{Document, NodeId};
use super::resolve::Resolved;
use super::show;
use crate::{Arena, Entry, Object, ObjectEdit, Value};

/// A key: `1` and `"1"` differ until they become JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    /// The bits of a float.
    Float(u64),
    Str(&'a str),
}

impl<'a> From<Resolved<'a>> for Key<'a> {
    fn from(scalar: Resolved<'a>) -> Self {
        match scalar {
            Resolved::Null => Key::Null,
            Resolved::Bool(truth) => Key::Bool(truth),
            Resolved::Int(number) => Key::Int(number),
            Resolved::Uint(number) => Key::Uint(number),
            Resolved::Float(number) => Key::Float(number.to_bits()),
            Resolved::Str(text) | Resolved::Timestamp(text) => Key::Str(text),
        }
    }
}

/// As Go's `%#v` prints it.
impl fmt::Display for Key<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Null => out.write_str("<nil>"),
            Key::Bool(truth) => write!(out, "{truth}"),
            Key::Int(number) => write!(out, "{number}"),
            Key::Uint(number) => write!(out, "{number:#x}"),
            Key::Float(bits) => {
                let mut printed = String::new();
                crate::write::append_float_general(&mut printed, f64::from_bits(*bits));
                out.write_str(&printed)
            }
            Key::Str(text) => out.write_str(&crate::write::go_quote(text)),
        }
    }
}

#[derive(Default)]
pub(super) struct Map<'a> {
    /// Each with the node of its value.
    entries: Vec<(Key<'a>, Value<'a>, NodeId)>,
    /// Positions of the keys once there are many.
    index: BTreeMap<Key<'a>, usize>,
}

const FEW: usize = 16;

impl<'a> Map<'a> {
    /// Sets the value of a key; was it there before?
    pub(super) fn insert(&mut self, key: Key<'a>, value: Value<'a>, node: NodeId) -> bool {
        if let Some(position) = self.position(key) {
            self.entries[position] = (key, value, node);
            return true;
        }
        self.entries.push((key, value, node));
        if self.entries.len() > FEW {
            self.index.insert(key, self.entries.len() - 1);
        }
        false
    }

    fn position(&mut self, key: Key<'a>) -> Option<usize> {
        if self.entries.len() < FEW {
            return self.entries.iter().position(|(known, ..)| *known == key);
        }
        if self.index.is_empty() {
            self.index = self.entries.iter().map(|(key, ..)| *key).zip(0..).collect();
        }
        self.index.get(&key).copied()
    }

    /// Makes the keys strings, as `convertToJSONableObject` in sigs.k8s.io/yaml does.
    pub(super) fn finish(
        self,
        arena: &'a Arena,
        document: &Document<'_>,
        unsayable: &mut Option<YamlError>,
    ) -> Value<'a> {
        let text_only = self.entries.iter().all(|(key, ..)| matches!(key, Key::Str(_)));
        let mut strings = Vec::with_capacity(self.entries.len());
        for (key, value, node) in self.entries {
            match key_text(arena, key) {
                Some(key) => strings.push(Entry { key, value }),
                None => {
                    let error = YamlError::new(unsupported(key, document, node), document.nodes[node].start);
                    unsayable.get_or_insert(error);
                }
            }
        }
        if text_only {
            return Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&strings)));
        }
        let mut edit = ObjectEdit::new(arena, Object::EMPTY);
        for entry in strings {
            edit.insert(entry.key, entry.value);
        }
        Value::Object(edit.finish())
    }
}

fn unsupported(key: Key<'_>, document: &Document<'_>, value: NodeId) -> String {
    let kind = if key == Key::Null { "%!s(<nil>)" } else { "uint64" };
    format!(
        "unsupported map key of type: {kind}, key: {key}, value: {}",
        show::go_syntax(document, value)
    )
}

pub(super) fn key_text<'a>(arena: &'a Arena, key: Key<'a>) -> Option<&'a str> {
    match key {
        Key::Null | Key::Uint(_) => None,
        Key::Bool(truth) => Some(if truth { "true" } else { "false" }),
        Key::Int(number) => Some(arena.alloc_str(itoa::Buffer::new().format(number))),
        Key::Float(bits) => Some(arena.alloc_str(&float_text(f64::from_bits(bits)))),
        Key::Str(text) => Some(text),
    }
}

/// Upstream prints float keys with 32 bits of precision.
fn float_text(number: f64) -> String {
    let mut printed = String::new();
    crate::write::append_float32_general(&mut printed, number as f32);
    match printed.as_str() {
        "+Inf" => ".inf".into(),
        "-Inf" => "-.inf".into(),
        "NaN" => ".nan".into(),
        _ => printed,
    }
}
