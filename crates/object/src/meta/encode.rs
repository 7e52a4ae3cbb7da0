//! Encodes metadata as an object again, like `runtime.DefaultUnstructuredConverter.ToUnstructured`.

use kindsmith_json::{Arena, Entry, Object};

use super::ObjectMeta;
use super::fields::{MetaField, OBJECT_META, SORTED};

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
            KeyOrder::Go => self.encode_built_in(arena),
        }
    }

    /// Encodes the metadata as custom resources show it: empty fields are omitted, the keys are sorted.
    #[must_use]
    pub fn encode(&self, arena: &'a Arena) -> Object<'a> {
        self.encode_fields(arena, SORTED.map(|position| &OBJECT_META[position]))
    }

    /// Encodes the metadata as built-in kinds show it: in the order of the Go struct.
    #[must_use]
    pub fn encode_built_in(&self, arena: &'a Arena) -> Object<'a> {
        self.encode_fields(arena, OBJECT_META.each_ref())
    }

    fn encode_fields(&self, arena: &'a Arena, fields: [&'static MetaField; 15]) -> Object<'a> {
        let values = fields.map(|known| (known.field.name, (known.get)(self)));
        let count = values.iter().filter(|(_, value)| value.is_some()).count();
        let mut present = values
            .into_iter()
            .filter_map(|(key, value)| value.map(|value| Entry { key, value }));
        let entries = arena.alloc_slice_fill_with(count, |_| present.next().unwrap_or_default());
        Object::from_entries(arena, entries)
    }
}
