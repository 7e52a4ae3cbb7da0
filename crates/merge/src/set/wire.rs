//! Sets as `fieldsV1` (structured-merge-diff `fieldpath/serialize.go`).

use kindsmith_json::{Arena, Entry, Object, Value};

use super::{FieldSet, Nodes};
use crate::MAX_DEPTH;
use crate::element_text::{self, Parsed};

/// Why a value is not a field set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError(pub String);

impl std::fmt::Display for DecodeError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for DecodeError {}

impl<'a> FieldSet<'a> {
    /// Reads `fieldsV1`. Elements of unknown kinds are dropped with everything below them.
    ///
    /// # Errors
    /// If a value is not an object, or a key is not an element.
    pub fn decode(arena: &'a Arena, value: Value<'a>) -> Result<Self, DecodeError> {
        let (_, set) = decode(&mut Nodes::new(arena), value, 0)?;
        Ok(set)
    }

    /// Writes `fieldsV1`.
    #[must_use]
    pub fn encode(self, arena: &'a Arena) -> Value<'a> {
        encode(arena, self, false)
    }
}

/// Whether the node itself is a member, and its children. A node without children is a member.
fn decode<'a>(
    nodes: &mut Nodes<'a>,
    value: Value<'a>,
    depth: usize,
) -> Result<(bool, FieldSet<'a>), DecodeError> {
    let object = match value {
        Value::Object(object) => object,
        Value::Null => return Ok((true, FieldSet::EMPTY)),
        other => {
            let found = other.kind().name();
            return Err(DecodeError(format!(
                "ReadMapCB: expect {{ or n, but found {found}"
            )));
        }
    };
    if depth == MAX_DEPTH {
        return Err(DecodeError("exceeded max depth".to_owned()));
    }
    let mut member = false;
    let start = nodes.start();
    for (key, below) in object {
        if key == "." {
            member = true;
            continue;
        }
        let parsed = element_text::parse(nodes.arena, key);
        match parsed.map_err(|why| DecodeError(format!("parsing key as path element: {why}")))? {
            Parsed::Unknown => {}
            Parsed::Element(element) => {
                let (member, children) = decode(nodes, below, depth + 1)?;
                nodes.push(element, member, children);
            }
        }
    }
    let set = nodes.finish_unsorted(start);
    Ok((member || set.is_empty(), set))
}

fn encode<'a>(arena: &'a Arena, set: FieldSet<'a>, member: bool) -> Value<'a> {
    let dot = usize::from(member && !set.is_empty());
    let entries = arena.alloc_slice_fill_copy(set.nodes().len() + dot, Entry::default());
    if dot == 1 {
        entries[0] = Entry {
            key: ".",
            value: Value::Object(Object::EMPTY),
        };
    }
    for (entry, node) in entries[dot..].iter_mut().zip(set.nodes()) {
        *entry = Entry {
            key: element_text::write(arena, &node.element),
            value: encode(arena, node.children, node.member),
        };
    }
    Value::Object(Object::from_entries(arena, entries))
}
