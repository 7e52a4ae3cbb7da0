//! A value reduced to some of its fields (structured-merge-diff `typed/remove.go`, `ExtractItems`).

use kindsmith_json::{Arena, Entry, Object, Value};

use super::list::item_element;
use super::{Handler, handler};
use crate::MAX_DEPTH;
use crate::element::Element;
use crate::set::FieldSet;
use crate::topology::{AtomId, List, Map, Topology};

impl Topology {
    /// Keeps only the members and items of the set; null if nothing is left.
    #[must_use]
    pub fn extract_items<'a>(&self, arena: &'a Arena, value: Value<'a>, fields: FieldSet<'a>) -> Value<'a> {
        Walk {
            topology: self,
            arena,
        }
        .value(self.root(), value, fields, 0)
    }
}

#[derive(Clone, Copy)]
struct Walk<'t, 'a> {
    topology: &'t Topology,
    arena: &'a Arena,
}

impl<'a> Walk<'_, 'a> {
    fn value(self, id: AtomId, value: Value<'a>, fields: FieldSet<'a>, depth: usize) -> Value<'a> {
        if depth == MAX_DEPTH {
            return value;
        }
        match (handler(self.topology.atom(id), value), value) {
            (Handler::Map(map), Value::Object(object)) if !map.atomic && !object.is_empty() => {
                self.members(map, object, fields, depth)
            }
            (Handler::List(list), Value::Array(items)) if list.associative && !items.is_empty() => {
                self.items(list, items, fields, depth)
            }
            (Handler::Nothing, _) => Value::Null,
            _ => value,
        }
    }

    fn members(self, map: &Map, object: Object<'a>, fields: FieldSet<'a>, depth: usize) -> Value<'a> {
        let mut kept = Vec::with_capacity(object.len());
        for entry in object.entries() {
            let Some(node) = fields.find(&Element::Field(entry.key)) else {
                continue;
            };
            let id = map.child(entry.key).unwrap_or(Topology::DEDUCED);
            // Bug of upstream: for a member's children it uses the fields next to the member.
            let inside = if node.member { fields } else { node.children };
            kept.push(Entry {
                key: entry.key,
                value: self.value(id, entry.value, inside, depth + 1),
            });
        }
        if kept.is_empty() {
            Value::Null
        } else {
            Value::Object(Object::from_entries(
                self.arena,
                self.arena.alloc_slice_copy(&kept),
            ))
        }
    }

    fn items(self, list: &List, items: &'a [Value<'a>], fields: FieldSet<'a>, depth: usize) -> Value<'a> {
        let mut kept = Vec::with_capacity(items.len());
        for item in items {
            let element = item_element(self.arena, list, *item).ok();
            let Some(node) = element.and_then(|element| fields.find(&element)) else {
                continue;
            };
            kept.push(if node.children.is_empty() {
                *item
            } else {
                self.value(list.element, *item, node.children, depth + 1)
            });
        }
        if kept.is_empty() {
            Value::Null
        } else {
            Value::Array(self.arena.alloc_slice_copy(&kept))
        }
    }
}
