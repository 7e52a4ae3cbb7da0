//! Definitions as the API answers them.

use kindsmith_json::{Arena, Entry, Value};

use super::{ApiVersion, Definition};
use crate::record::{Form, Making, Member};

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
        Values::new(arena).of(self)
    }
}

/// Definitions as the API answers them, one after another: what their schemas share, their values share.
pub struct Values<'a> {
    to: Making<'a>,
}

impl<'a> Values<'a> {
    /// Makes values in an arena.
    #[must_use]
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            to: Making::new(arena, Form::Api),
        }
    }

    /// The value of a definition; see [`Definition::to_value`].
    #[must_use]
    pub fn of(&self, definition: &'a Definition) -> Value<'a> {
        let body = definition.value(&self.to).as_object().unwrap_or_default();
        let head = [
            ("kind", Value::Str("CustomResourceDefinition")),
            ("apiVersion", Value::Str(ApiVersion::V1.as_str())),
            // Its owner has put its fields in order.
            ("metadata", definition.metadata.value(self.to.arena)),
        ];
        let head = head.into_iter().map(|(key, value)| Entry { key, value });
        let body = body.entries().iter().filter(|entry| entry.key != "metadata");
        let entries: Vec<_> = head.chain(body.copied()).collect();
        self.to.object(&entries)
    }
}
