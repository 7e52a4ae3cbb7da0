//! Defaulting as KEP-1929 describes it for Go types: members that are absent, null, or a zero that Go cannot tell from
//! absent get their default, and null members without a default go. Struct members that are not pointers always exist,
//! and so do scalars without `omitempty`.

use kindsmith_json::{Object, Path, Value};
use kindsmith_schema::Scalar;

use super::Fill;
use crate::plan::{FieldIx, FieldPlan, MAX_DEPTH, NodeId, NodeShape, Slot};
use kindsmith_object::{Event, Trace};

impl<'a, T: Trace> Fill<'_, 'a, T> {
    pub(super) fn kep(&mut self, object: Value<'a>) -> Value<'a> {
        let root = Slot {
            node: self.plan.root,
            pointer: false,
        };
        self.kep_value(root, object, &Path::NIL)
    }

    fn kep_value(&mut self, slot: Slot, value: Value<'a>, path: &Path<'_>) -> Value<'a> {
        if self.depth >= MAX_DEPTH {
            return value;
        }
        self.depth += 1;
        let plan = self.plan;
        let filled = match (&plan.node(slot.node).shape, value) {
            (NodeShape::Struct(_), Value::Object(_) | Value::Null) => {
                let mut object = value.as_object().unwrap_or_default();
                self.kep_members(slot.node, &mut object, path);
                Value::Object(object)
            }
            (NodeShape::List(element), Value::Array(items)) => {
                let mut edit = kindsmith_json::ArrayEdit::new(self.arena, items);
                for (index, &item) in items.iter().enumerate() {
                    if let Some(item) = self.kep_element(slot.node, *element, item, &path.index(index)) {
                        edit.set(index, item);
                    }
                }
                Value::Array(edit.finish())
            }
            (NodeShape::Map { value: element, .. }, Value::Object(object)) => {
                let mut changed = object.edit(self.arena);
                for (key, entry) in object {
                    match self.kep_element(slot.node, *element, entry, &path.key(key)) {
                        Some(entry) => drop(changed.insert(key, entry)),
                        // A null entry without a default is removed.
                        None if entry.is_null() => drop(changed.remove(key)),
                        None => {}
                    }
                }
                Value::Object(changed.finish())
            }
            (_, value) => value,
        };
        self.depth -= 1;
        filled
    }

    fn kep_element(
        &mut self,
        holder: NodeId,
        slot: Slot,
        item: Value<'a>,
        path: &Path<'_>,
    ) -> Option<Value<'a>> {
        let default = self.plan.defaults.kep.elements.get(&holder.0);
        let item = match default.filter(|default| self.is_open(default, slot, Some(item))) {
            Some(default) => self.filled(default, path),
            None if item.is_null() => return None,
            None => item,
        };
        Some(self.kep_value(slot, item, path))
    }

    fn kep_members(&mut self, node: NodeId, object: &mut Object<'a>, path: &Path<'_>) {
        let plan = self.plan;
        let NodeShape::Struct(members) = &plan.node(node).shape else {
            return;
        };
        for (offset, field) in plan.struct_fields(members).iter().enumerate() {
            if field.inline {
                if plan.member(field, Value::Object(*object)).is_some() && self.depth < MAX_DEPTH {
                    self.depth += 1;
                    self.kep_members(field.slot.node, object, path);
                    self.depth -= 1;
                }
                continue;
            }
            let Some(key) = &field.key else { continue };
            let path = path.child(&field.name);
            let ix = FieldIx(members.first + offset as u32);
            let given = object.get(key);
            if given == Some(Value::Null) && plan.defaults.kep.nullable.contains(&ix.0) {
                continue;
            }
            let given = given.filter(|value| !self.kep_is_unset(ix, field, *value));
            let Some(open) = given.or_else(|| self.kep_absent(ix, field, &path)) else {
                // A null member without a default is removed.
                object.remove(self.arena, key);
                continue;
            };
            let value = self.kep_value(field.slot, open, &path);
            object.insert(self.arena, key, value);
        }
    }

    /// Whether a member is as good as absent: null, or a zero that Go drops and a default replaces.
    fn kep_is_unset(&self, ix: FieldIx, field: &FieldPlan, value: Value<'a>) -> bool {
        let default = self.plan.defaults.kep.fields.get(&ix.0);
        let value = self.plan.nilable(field, Some(value)).unwrap_or_default();
        value.is_null() || default.is_some_and(|default| self.is_open(default, field.slot, Some(value)))
    }

    /// The default of a member that is absent.
    fn kep_absent(&mut self, ix: FieldIx, field: &FieldPlan, path: &Path<'_>) -> Option<Value<'a>> {
        if let Some(default) = self.plan.defaults.kep.fields.get(&ix.0) {
            return Some(self.filled(default, path));
        }
        if field.slot.pointer {
            return None;
        }
        let value = match &self.plan.node(field.slot.node).shape {
            NodeShape::Struct(_) => Value::Object(Object::EMPTY),
            NodeShape::Scalar(scalar) if !field.omit_empty && !field.omit_zero => match scalar {
                Scalar::String => Value::Str(""),
                Scalar::Bool => Value::Bool(false),
                _ => Value::Int(0),
            },
            _ => return None,
        };
        if T::ON {
            self.trace.event(Event::Defaulted {
                path,
                source: None,
                value,
            });
        }
        Some(value)
    }
}
