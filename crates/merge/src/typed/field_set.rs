//! The fields a configuration mentions (structured-merge-diff `typed/tofieldset.go`).

use kindsmith_json::{Arena, Object, Value};

use super::list::Index;
use super::{Handler, handler};
use crate::MAX_DEPTH;
use crate::element::Element;
use crate::set::{FieldSet, Nodes};
use crate::topology::{AtomId, List, Map, Topology};

impl Topology {
    /// Every leaf and item of the value.
    #[must_use]
    pub fn field_set<'a>(&self, arena: &'a Arena, value: Value<'a>) -> FieldSet<'a> {
        let mut walk = Walk {
            topology: self,
            nodes: Nodes::new(arena),
        };
        walk.value(self.root(), value, 0).1
    }
}

/// Represents items without keys, which are left when all fields of an item are removed. Upstream uses an empty
/// element for them, so that the list does not count as empty.
const NAMELESS: Element<'static> = Element::Index(i64::MAX);

struct Walk<'t, 'a> {
    topology: &'t Topology,
    nodes: Nodes<'a>,
}

impl<'a> Walk<'_, 'a> {
    /// Whether the value itself is a field, and the fields below it.
    fn value(&mut self, id: AtomId, value: Value<'a>, depth: usize) -> (bool, FieldSet<'a>) {
        const LEAF: (bool, FieldSet<'static>) = (true, FieldSet::EMPTY);
        if depth == MAX_DEPTH {
            return LEAF;
        }
        match (handler(self.topology.atom(id), value), value) {
            (Handler::Scalar(_) | Handler::Nothing, _) => LEAF,
            (Handler::List(list), _) if !list.associative => LEAF,
            (Handler::Map(map), _) if map.atomic => LEAF,
            (Handler::List(list), Value::Array(items)) => (false, self.items(list, items, depth)),
            (Handler::Map(map), Value::Object(object)) => (false, self.members(map, object, depth)),
            _ => (false, FieldSet::EMPTY),
        }
    }

    fn items(&mut self, list: &List, items: &'a [Value<'a>], depth: usize) -> FieldSet<'a> {
        let index = Index::new(self.nodes.arena, list, items);
        let start = self.nodes.start();
        for group in index.groups() {
            let below = match group {
                [only] => self.value(list.element, index.item(*only), depth + 1).1,
                // Of duplicate items, only the item itself is a field.
                _ => FieldSet::EMPTY,
            };
            self.nodes.push(index.element(group[0]), true, below);
        }
        if index.elements.len() < items.len() {
            self.nodes.push(NAMELESS, true, FieldSet::EMPTY);
        }
        self.nodes.finish_unsorted(start)
    }

    fn members(&mut self, map: &Map, object: Object<'a>, depth: usize) -> FieldSet<'a> {
        let start = self.nodes.start();
        for entry in object.entries() {
            let Some(id) = map.child(entry.key) else {
                continue;
            };
            let (leaf, below) = self.value(id, entry.value, depth + 1);
            let is_bare = match entry.value {
                Value::Null => true,
                Value::Object(object) => object.is_empty(),
                _ => false,
            };
            let member = leaf || is_bare || map.field(entry.key).is_none();
            self.nodes.push(Element::Field(entry.key), member, below);
        }
        self.nodes.finish_unsorted(start)
    }
}
