//! Writes CRDs as the API returns them.

use kindsmith_json::{Arena, Entry, Value};

use super::{ApiVersion, Definition};
use crate::record::{Form, Making, Member};

impl Definition {
    /// Like [`Definition::to_value`], but the value does not borrow from the CRD. An arena drops nothing, so
    /// a CRD placed in one would never be freed.
    #[must_use]
    pub fn copy_in<'a>(&self, arena: &'a Arena) -> Value<'a> {
        self.to_value(&Arena::new()).copy_in(arena)
    }

    /// The CRD as the API returns it: fields in the order of the Go types, always with `status`.
    #[must_use]
    pub fn to_value<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        Values::new(arena).of(self)
    }
}

/// Converts CRDs to the form the API returns, one after another; schemas with shared parts give values with shared
/// parts.
pub struct Values<'a> {
    to: Making<'a>,
}

impl<'a> Values<'a> {
    /// Creates values in an arena.
    #[must_use]
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            to: Making::new(arena, Form::Api),
        }
    }

    /// The value of a CRD; see [`Definition::to_value`].
    #[must_use]
    pub fn of(&self, definition: &'a Definition) -> Value<'a> {
        let body = definition.value(&self.to).as_object().unwrap_or_default();
        let head = [
            ("kind", Value::Str("CustomResourceDefinition")),
            ("apiVersion", Value::Str(ApiVersion::V1.as_str())),
            // Its fields are already in order.
            ("metadata", definition.metadata.value(self.to.arena)),
        ];
        let head = head.into_iter().map(|(key, value)| Entry { key, value });
        let body = body.entries().iter().filter(|entry| entry.key != "metadata");
        let entries: Vec<_> = head.chain(body.copied()).collect();
        self.to.object(&entries)
    }
}
