//! A value without some of its fields (structured-merge-diff `typed/remove.go`).

use kindsmith_json::{Arena, ArrayEdit, Object, Value};

use super::list::item_element;
use super::{Handler, handler};
use crate::MAX_DEPTH;
use crate::element::Element;
use crate::set::FieldSet;
use crate::topology::{AtomId, List, Map, Topology};

impl Topology {
    /// Removes members and items from a value. A container that loses everything becomes null.
    #[must_use]
    pub fn remove_items<'a>(&self, arena: &'a Arena, value: Value<'a>, fields: FieldSet<'a>) -> Value<'a> {
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
            let old = edit.entries()[position].value;
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
        let mut edit = ArrayEdit::new(self.arena, items);
        let mut at = 0;
        for item in items {
            let element = item_element(self.arena, list, *item).ok();
            match element.and_then(|element| fields.find(&element)) {
                Some(node) if node.member => {
                    edit.remove(at);
                    continue;
                }
                Some(node) => {
                    let new = self.value(list.element, *item, node.children, depth + 1);
                    if !super::is_identical(*item, new) {
                        edit.set(at, new);
                    }
                }
                None => {}
            }
            at += 1;
        }
        match edit.finish() {
            [] => Value::Null,
            left => Value::Array(left),
        }
    }
}
