//! Objects as a protobuf store returns them: without empty lists and maps.

use kindsmith_checks::Profile;
use kindsmith_gostd::budget::Batch;
use kindsmith_json::{Arena, ArrayEdit, Value};

use super::equal;
use crate::plan::{MAX_DEPTH, NodeId, NodeShape, Plan, Slot};

impl Plan {
    /// Drops members that are an empty list or map: protobuf cannot tell them from absent ones, and the API
    /// server's responses to writes have been through it. Values without a type stay as they are. KEP-1929 keeps all.
    #[must_use]
    pub fn without_empty<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        if self.profile == Profile::Kep {
            return object;
        }
        let mut dropping = Dropping {
            plan: self,
            arena,
            depth: 0,
            batch: Batch::default(),
        };
        dropping.value(self.root, object)
    }

    /// Is the member at a path of structs equal in two objects, compared as a Go value? True for a member that the type
    /// does not have.
    #[must_use]
    pub fn is_same_member(&self, path: &[&str], left: Value<'_>, right: Value<'_>) -> bool {
        let root = Slot {
            node: self.root,
            pointer: false,
        };
        let (mut slot, mut left, mut right) = (root, Some(left), Some(right));
        for key in path {
            let NodeShape::Struct(members) = &self.node(slot.node).shape else {
                return true;
            };
            let Ok(found) = members.keys.binary_search_by(|(known, _)| (**known).cmp(key)) else {
                return true;
            };
            let field = self.field(members.keys[found].1);
            slot = field.slot;
            left = self.member(field, left.unwrap_or_default());
            right = self.member(field, right.unwrap_or_default());
        }
        equal(self, slot, left, right)
    }
}

struct Dropping<'p, 'a> {
    plan: &'p Plan,
    arena: &'a Arena,
    depth: usize,
    batch: Batch,
}

impl<'a> Dropping<'_, 'a> {
    fn value(&mut self, node: NodeId, value: Value<'a>) -> Value<'a> {
        if self.depth >= MAX_DEPTH {
            return value;
        }
        self.depth += 1;
        let arena = self.arena;
        self.batch.spend_in(1, || arena.allocated_bytes());
        let plan = self.plan;
        let kept = match (&plan.node(node).shape, value) {
            (NodeShape::Struct(_), Value::Object(_)) => self.object(node, value),
            (NodeShape::List(element) | NodeShape::Array { element, .. }, Value::Array(items)) => {
                let mut edit = ArrayEdit::new(self.arena, items);
                for (index, &item) in items.iter().enumerate() {
                    let kept = self.slot(*element, item);
                    if !is_untouched(item, kept) {
                        edit.set(index, kept);
                    }
                }
                Value::Array(edit.finish())
            }
            (NodeShape::Map { value: element, .. }, Value::Object(object)) => {
                let mut edit = object.edit(self.arena);
                for (position, entry) in object.values().enumerate() {
                    let kept = self.slot(*element, entry);
                    if !is_untouched(entry, kept) {
                        edit.set(position, kept);
                    }
                }
                Value::Object(edit.finish())
            }
            (_, value) => value,
        };
        self.depth -= 1;
        kept
    }

    fn slot(&mut self, slot: Slot, value: Value<'a>) -> Value<'a> {
        match value {
            Value::Array(_) | Value::Object(_) => self.value(slot.node, value),
            scalar => scalar,
        }
    }

    fn object(&mut self, node: NodeId, value: Value<'a>) -> Value<'a> {
        let plan = self.plan;
        let (NodeShape::Struct(members), Value::Object(object)) = (&plan.node(node).shape, value) else {
            return value;
        };
        let slot_of = |key: &str| {
            let found = members.keys.binary_search_by(|(known, _)| (**known).cmp(key));
            found.ok().map(|found| plan.field(members.keys[found].1).slot)
        };
        let mut edit = object.edit(self.arena);
        let mut has_empty = false;
        for (position, (key, entry)) in object.iter().enumerate() {
            let Some(slot) = slot_of(key) else { continue };
            if self.is_empty(slot, entry) {
                has_empty = true;
                continue;
            }
            let kept = self.slot(slot, entry);
            if !is_untouched(entry, kept) {
                edit.set(position, kept);
            }
        }
        if has_empty {
            edit.retain(|key, entry| slot_of(key).is_none_or(|slot| !self.is_empty(slot, entry)));
        }
        Value::Object(edit.finish())
    }

    fn is_empty(&self, slot: Slot, value: Value<'_>) -> bool {
        match (&self.plan.node(slot.node).shape, value) {
            (NodeShape::List(_), Value::Array(items)) => items.is_empty(),
            (NodeShape::Map { .. }, Value::Object(object)) => object.is_empty(),
            _ => false,
        }
    }
}

/// Containers that were not changed come back as the same slice.
fn is_untouched(before: Value<'_>, after: Value<'_>) -> bool {
    match (before, after) {
        (Value::Array(before), Value::Array(after)) => std::ptr::eq(before, after),
        (Value::Object(before), Value::Object(after)) => std::ptr::eq(before.entries(), after.entries()),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{parse_str, to_string};
    use kindsmith_schema::{Builder, Field, JsonTag, Scalar, Shape, Struct, Type, TypeName, TypeRef};

    use super::*;

    fn plan() -> Plan {
        let mut builder = Builder::default();
        let name = TypeName::new("example.org/api", "Thing");
        let id = builder.declare(&name);
        let text = || TypeRef::Scalar(Scalar::String);
        let fields = vec![
            Field::new(
                "Inner",
                JsonTag::parse("inner"),
                TypeRef::Pointer(Box::new(TypeRef::Named(id))),
            ),
            Field::new("List", JsonTag::parse("list"), TypeRef::List(Box::new(text()))),
            Field::new(
                "Map",
                JsonTag::parse("map"),
                TypeRef::Map(Box::new(text()), Box::new(text())),
            ),
        ];
        builder.define(id, Type::new(name, Shape::Struct(Struct { fields })));
        let (schema, renumbering) = builder.finish();
        Plan::compile(&schema, renumbering.ty(id))
    }

    #[test]
    fn empty_lists_and_maps_are_dropped_and_empty_structs_kept() {
        let (plan, arena) = (plan(), Arena::new());
        for (before, after) in [
            (r#"{"list":[],"map":{}}"#, "{}"),
            (r#"{"inner":{},"list":["a"]}"#, r#"{"inner":{},"list":["a"]}"#),
            (
                r#"{"inner":{"list":[],"inner":{"map":{}}}}"#,
                r#"{"inner":{"inner":{}}}"#,
            ),
        ] {
            let value = parse_str(&arena, before).expect("JSON");
            assert_eq!(to_string(plan.without_empty(&arena, value)), after);
        }
    }

    #[test]
    fn members_are_compared_as_go_values() {
        let (plan, arena) = (plan(), Arena::new());
        let value = |text| parse_str(&arena, text).expect("JSON");
        assert!(plan.is_same_member(&["list"], value(r#"{"list":[]}"#), value("{}")));
        assert!(!plan.is_same_member(&["list"], value(r#"{"list":["a"]}"#), value("{}")));
        assert!(plan.is_same_member(&["other"], value(r#"{"other":1}"#), value("{}")));
    }
}
