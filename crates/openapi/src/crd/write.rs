//! Definitions as the API answers them.

use kindsmith_json::{Arena, Entry, Object, Value};

use super::{ApiVersion, Definition};
use crate::record::{self, Form};

impl Definition {
    /// The same as [`Definition::to_value`], but the value lives on without the definition. An arena drops nothing, so a
    /// definition that was put into one would stay for ever.
    #[must_use]
    pub fn copy_in<'a>(&self, arena: &'a Arena) -> Value<'a> {
        self.to_value(&Arena::new()).copy_in(arena)
    }

    /// The definition as the API answers it: fields in the order of the Go types, `status` always there.
    #[must_use]
    pub fn to_value<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        let body = record::value(self, arena, Form::Api)
            .as_object()
            .unwrap_or_default();
        let head = [
            ("kind", Value::Str("CustomResourceDefinition")),
            ("apiVersion", Value::Str(ApiVersion::V1.as_str())),
            // Its owner has put its fields in order.
            ("metadata", self.metadata.value(arena)),
        ];
        let head = head.into_iter().map(|(key, value)| Entry { key, value });
        let body = body.entries().iter().filter(|entry| entry.key != "metadata");
        let entries: Vec<_> = head.chain(body.copied()).collect();
        Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
    }
}
