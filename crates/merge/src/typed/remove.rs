//! A value without some of its fields (structured-merge-diff `typed/remove.go`).

use kindsmith_gostd::budget;
use kindsmith_json::{Arena, Object, Value};

use super::list::item_element;
use super::{Handler, handler};
use crate::MAX_DEPTH;
use crate::element::Element;
use crate::set::FieldSet;
use crate::topology::{AtomId, List, Map, Topology};

impl Topology {
    /// Removes members and items from a value. A container that loses everything becomes null.
    #[must_use]
    pub(crate) fn remove_items<'a>(
        &self,
        arena: &'a Arena,
        value: Value<'a>,
        fields: FieldSet<'a>,
    ) -> Value<'a> {
        if fields.is_empty() {
            return value;
        }
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
    /// `fields` is not empty, so atomic and empty values become null.
    fn value(self, id: AtomId, value: Value<'a>, fields: FieldSet<'a>, depth: usize) -> Value<'a> {
        budget::spend_in(1, || self.arena.allocated_bytes());
        if depth == MAX_DEPTH {
            return value;
        }
        match (handler(self.topology.atom(id), value), value) {
            (Handler::Scalar(_), _) => value,
            (Handler::Map(map), Value::Object(object)) if !map.atomic => {
                self.members(map, object, fields, depth)
            }
            (Handler::List(list), Value::Array(items)) if list.associative => {
                self.items(list, items, fields, depth)
            }
            _ => Value::Null,
        }
    }

    fn members(self, map: &Map, object: Object<'a>, fields: FieldSet<'a>, depth: usize) -> Value<'a> {
        let mut edit = object.edit(self.arena);
        for node in fields.nodes() {
            let Element::Field(name) = node.element else {
                continue;
            };
            if node.member {
                edit.remove(name);
                continue;
            }
            let Some(position) = edit.position(name) else {
                continue;
            };
            let old = edit.at(position);
            let id = map.child(name).unwrap_or(Topology::DEDUCED);
            let new = self.value(id, old, node.children, depth + 1);
            if !super::is_identical(old, new) {
                edit.set(position, new);
            }
        }
        let left = edit.finish();
        if left.is_empty() {
            Value::Null
        } else {
            Value::Object(left)
        }
    }

    fn items(self, list: &List, items: &'a [Value<'a>], fields: FieldSet<'a>, depth: usize) -> Value<'a> {
        let mut left = Vec::with_capacity(items.len());
        let mut is_changed = false;
        for &item in items {
            let element = item_element(self.arena, list, item).ok();
            let new = match element.and_then(|element| fields.find(&element)) {
                Some(node) if node.member => {
                    is_changed = true;
                    continue;
                }
                Some(node) => self.value(list.element, item, node.children, depth + 1),
                None => item,
            };
            is_changed |= !super::is_identical(item, new);
            left.push(new);
        }
        if left.is_empty() {
            Value::Null
        } else if is_changed {
            Value::Array(self.arena.alloc_slice_copy(&left))
        } else {
            Value::Array(items)
        }
    }
}
