//! Converts objects to and from their stored form.

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::KeyOrder;
use kindsmith_request::Status;

use super::gated;
use crate::{DecodedObject, Kind};

impl Kind {
    /// Reads a stored object in this version.
    ///
    /// # Errors
    ///
    /// If the stored value is not an object.
    pub fn read<'a>(&'a self, arena: &'a Arena, stored: Value<'a>) -> Result<Value<'a>, Status> {
        let Value::Object(object) = stored else {
            return Err(Status::internal("the stored value is no object"));
        };
        if self.storage.is_none() {
            // Stored in this version: only defaults may have been added since.
            let defaulted = self.defaulted(arena, stored);
            let is_same = defaulted
                .as_object()
                .is_some_and(|defaulted| std::ptr::eq(defaulted.entries(), object.entries()));
            if is_same {
                return Ok(stored);
            }
            return Ok(self.plan().encoded(arena, defaulted));
        }
        if self.strategy.conversion().is_some() {
            return Ok(self.as_served(arena, self.checked().defaulted(arena, stored)));
        }
        let converted = self.with_type(arena, stored);
        Ok(self.plan().encoded(arena, self.defaulted(arena, converted)))
    }

    /// An object as its Go type is encoded: members that are never omitted have their zero values.
    pub fn as_encoded<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        self.plan().encoded(arena, self.strategy.tracked(arena, object))
    }

    /// The object to store: in the storage version, without resource version.
    pub(super) fn to_storage<'a>(&'a self, arena: &'a Arena, object: &DecodedObject<'a>) -> Value<'a> {
        let mut object = *object;
        object.meta.resource_version = "";
        object.meta.self_link = "";
        object.write_back(arena, KeyOrder::Go);
        let storage = self.storage.as_deref().unwrap_or(self);
        let kept = storage
            .plan()
            .without_empty(arena, storage.with_type(arena, object.value()));
        storage.plan().encoded(arena, kept)
    }

    /// The object with the kind and version of this one.
    pub(crate) fn with_type<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object.as_object().unwrap_or_default();
        let api_version = self.names.api_version();
        if object.get("apiVersion").and_then(Value::as_str) != Some(&api_version) {
            object.insert(arena, "apiVersion", Value::Str(arena.alloc_str(&api_version)));
        }
        if object.get("kind").and_then(Value::as_str) != Some(&self.names.kind) {
            object.insert(arena, "kind", Value::Str(&self.names.kind));
        }
        Value::Object(object)
    }

    /// Sets the defaults of the type and of the kind.
    pub(crate) fn defaulted<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let given = object;
        let object = self.rounded(arena, self.strategy.default_in(self.release, arena, object));
        if self.settings.has_no_tag_defaults {
            return object;
        }
        let defaulted = self.plan().default(arena, object);
        let names = (&*self.names.group, &*self.names.kind);
        if self.is_own() {
            gated::without_defaults(arena, self.release, names, given, defaulted)
        } else {
            defaulted
        }
    }
}
