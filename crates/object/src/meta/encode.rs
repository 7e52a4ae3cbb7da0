//! Encodes metadata as an object again, like `runtime.DefaultUnstructuredConverter.ToUnstructured`.

use kindsmith_json::{Arena, Entry, Object, Value};

use super::ObjectMeta;

/// The order of the keys of encoded metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyOrder {
    /// Sorted, as in custom resources.
    Sorted,
    /// In the order of the Go struct, as in built-in kinds.
    Go,
}

impl<'a> ObjectMeta<'a> {
    /// Encodes the metadata with its keys in the given order.
    #[must_use]
    pub fn encode_in(&self, arena: &'a Arena, order: KeyOrder) -> Object<'a> {
        match order {
            KeyOrder::Sorted => self.encode(arena),
            KeyOrder::Go => self.encode_native(arena),
        }
    }

    /// Encodes the metadata as an object: empty fields are left out, keys are sorted as the server writes
    /// them.
    #[must_use]
    pub fn encode(&self, arena: &'a Arena) -> Object<'a> {
        let fields: [(&'static str, Option<Value<'a>>); 15] = [
            ("annotations", map(self.annotations)),
            ("creationTimestamp", self.creation_timestamp.map(Value::Str)),
            (
                "deletionGracePeriodSeconds",
                self.deletion_grace_period_seconds.map(Value::Int),
            ),
            ("deletionTimestamp", self.deletion_timestamp.map(Value::Str)),
            ("finalizers", list(self.finalizers)),
            ("generateName", text(self.generate_name)),
            (
                "generation",
                (self.generation != 0).then_some(Value::Int(self.generation)),
            ),
            ("labels", map(self.labels)),
            ("managedFields", list(self.managed_fields)),
            ("name", text(self.name)),
            ("namespace", text(self.namespace)),
            ("ownerReferences", list(self.owner_references)),
            ("resourceVersion", text(self.resource_version)),
            ("selfLink", text(self.self_link)),
            ("uid", text(self.uid)),
        ];
        object(arena, &fields)
    }

    /// Encodes the metadata as encoding/json encodes the Go struct: in the order of its fields, as in native
    /// kinds.
    #[must_use]
    pub fn encode_native(&self, arena: &'a Arena) -> Object<'a> {
        const ORDER: [&str; 15] = [
            "name",
            "generateName",
            "namespace",
            "selfLink",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "labels",
            "annotations",
            "ownerReferences",
            "finalizers",
            "managedFields",
        ];
        let sorted = self.encode(arena);
        object(arena, &ORDER.map(|key| (key, sorted.get(key))))
    }
}

fn object<'a>(arena: &'a Arena, fields: &[(&'static str, Option<Value<'a>>)]) -> Object<'a> {
    let count = fields.iter().filter(|(_, value)| value.is_some()).count();
    let mut present = fields
        .iter()
        .filter_map(|&(key, value)| value.map(|value| Entry { key, value }));
    let entries = arena.alloc_slice_fill_with(count, |_| present.next().unwrap_or_default());
    Object::from_entries(arena, entries)
}

fn text<'a>(text: &'a str) -> Option<Value<'a>> {
    (!text.is_empty()).then_some(Value::Str(text))
}

fn map<'a>(map: Object<'a>) -> Option<Value<'a>> {
    (!map.is_empty()).then_some(Value::Object(map))
}

fn list<'a>(list: &'a [Value<'a>]) -> Option<Value<'a>> {
    (!list.is_empty()).then_some(Value::Array(list))
}
