//! Keys of maps: any scalar, two of which are equal if type and value are.

use std::collections::HashMap;

use super::resolve::resolve;
use super::tree::{Kind, Tree};
use crate::{Arena, Value, write};

/// A key before conversion to text: `1` and `"1"` differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(u64),
    Str(&'a str),
}

impl<'a> Key<'a> {
    pub(super) fn of(value: Value<'a>) -> Option<Key<'a>> {
        Some(match value {
            Value::Null => Key::Null,
            Value::Bool(truth) => Key::Bool(truth),
            Value::Int(number) => Key::Int(number),
            Value::Uint(number) => Key::Uint(number),
            Value::Float(number) => Key::Float(number.to_bits()),
            Value::Str(text) => Key::Str(text),
            Value::Array(_) | Value::Object(_) => return None,
        })
    }
}

/// A key as text, or its type and value if JSON cannot have it.
pub(super) fn json_key(key: Key<'_>) -> Result<String, String> {
    Ok(match key {
        Key::Str(text) => text.to_owned(),
        Key::Bool(truth) => truth.to_string(),
        Key::Int(number) => number.to_string(),
        Key::Float(bits) => float_key(f64::from_bits(bits)),
        Key::Uint(number) => return Err(format!("uint64, key: {number:#x}")),
        Key::Null => return Err("%!s(<nil>), key: <nil>".to_owned()),
    })
}

/// A float as sigs.k8s.io/yaml converts it to a key (`convertToJSONableObject`): with 32-bit precision.
fn float_key(number: f64) -> String {
    let mut text = String::new();
    write::append_float32_general(&mut text, number as f32);
    match text.as_str() {
        "+Inf" => ".inf".to_owned(),
        "-Inf" => "-.inf".to_owned(),
        "NaN" => ".nan".to_owned(),
        _ => text,
    }
}

/// The text of a key, if JSON can have it.
pub(super) fn text_of<'a>(tree: &Tree<'a>, arena: &'a Arena, key: u32) -> Option<String> {
    let node = &tree.nodes[tree.target(key) as usize];
    let Kind::Scalar { text, plain } = node.kind else {
        return None;
    };
    let value = resolve(arena, text, plain, node.tag).ok()?;
    json_key(Key::of(value)?).ok()
}

/// The nodes of a map as Go would hold them: merged, each key once.
pub(super) fn distinct_entries<'a>(children: &[u32], values: &[Value<'a>]) -> Vec<(u32, u32)> {
    let mut entries: Vec<(u32, u32)> = Vec::new();
    let mut index: HashMap<Key<'a>, usize> = HashMap::new();
    for pair in children.chunks_exact(2) {
        let &[key, value] = pair else { continue };
        let known = values.get(key as usize).and_then(|&value| Key::of(value));
        match known.and_then(|known| index.insert(known, entries.len())) {
            Some(position) => {
                entries[position].1 = value;
                if let Some(known) = known {
                    index.insert(known, position);
                }
            }
            None => entries.push((key, value)),
        }
    }
    entries
}
