//! Objects on their way into the store and out of it.

use kindsmith_json::{Arena, Value};
use kindsmith_request::{Status, Write, Written, identity};

use crate::{Draft, Kind};

impl Kind {
    /// Reads a stored object in this version.
    ///
    /// # Errors
    ///
    /// If the stored value is no object.
    pub fn read<'a>(
        &'a self,
        arena: &'a Arena,
        stored: Value<'a>,
        version: &str,
    ) -> Result<Value<'a>, Status> {
        let _ = version;
        let Value::Object(object) = stored else {
            return Err(Status::internal("the stored value is no object"));
        };
        if self.storage.is_none() {
            // What is stored in this version was written by it; only defaults may have come since.
            let defaulted = self.defaulted(arena, stored);
            let is_same = defaulted
                .as_object()
                .is_some_and(|defaulted| std::ptr::eq(defaulted.entries(), object.entries()));
            if is_same {
                return Ok(stored);
            }
            return Ok(self.plan().encoded(arena, defaulted));
        }
        let converted = self.with_type(arena, stored);
        Ok(self.plan().encoded(arena, self.defaulted(arena, converted)))
    }

    /// What is stored, and what is read back from it for the answer.
    pub(super) fn store<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        draft: &Draft<'a>,
        is_new: bool,
    ) -> Result<Written<'a>, Status> {
        if is_new {
            identity::check_new_resource_version(&draft.meta)?;
        }
        let mut draft = *draft;
        draft.meta.resource_version = "";
        draft.meta.self_link = "";
        draft.write_back(arena);
        let storage = self.storage.as_deref().unwrap_or(self);
        let kept = storage
            .plan()
            .without_empty(arena, storage.with_type(arena, draft.value()));
        let stored = storage.plan().encoded(arena, kept);
        let object = self.read(arena, stored, write.version)?;
        Ok(Written {
            stored,
            object,
            is_removed: false,
        })
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

    /// Fills in what the type and the kind default.
    pub(crate) fn defaulted<'a>(&'a self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let object = self.strategy.default(arena, object);
        self.plan().default(arena, object)
    }
}
