//! Strategic merge patch: a merge patch that knows the Go types, so that lists can merge by their keys (apimachinery's
//! pkg/util/strategicpatch). Only built-in kinds accept it.

mod directive;
mod list;
mod object;
mod order;
mod shape;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_schema::{Schema, TypeId, TypeRef, View};

use super::{PatchError, document, unfit};

/// A strategic merge patch.
#[derive(Debug, Clone)]
pub struct StrategicPatch<'a> {
    patch: Object<'a>,
    /// What strict decoding rejects in the patch itself.
    pub strict: Vec<String>,
}

impl<'a> StrategicPatch<'a> {
    /// Reads a patch.
    ///
    /// # Errors
    ///
    /// If it is not an object.
    pub fn read(arena: &'a Arena, bytes: &'a [u8]) -> Result<Self, PatchError> {
        let read = document(arena, bytes)?;
        if !matches!(read.value, Value::Object(_) | Value::Null) {
            return Err(PatchError::BadRequest(unfit(read.value)));
        }
        let strict = read.duplicates.iter().map(ToString::to_string).collect();
        Ok(StrategicPatch {
            patch: read.value.as_object().unwrap_or_default(),
            strict,
        })
    }

    /// The patch as errors show it, printed like a Go map.
    #[must_use]
    pub fn shown(&self) -> String {
        kindsmith_object::go_value::printed(Value::Object(self.patch))
    }

    /// Applies the patch to an object of a type.
    ///
    /// # Errors
    ///
    /// If a directive is wrong, or lists cannot merge.
    pub fn apply(
        &self,
        arena: &'a Arena,
        target: Value<'a>,
        schema: &Schema,
        ty: TypeId,
    ) -> Result<Value<'a>, PatchError> {
        let root = TypeRef::Named(ty);
        let merger = Merger {
            arena,
            view: schema.view(),
        };
        let target = target.as_object().unwrap_or_default();
        merger.merge(target, self.patch, &root, 0).map(Value::Object)
    }
}

/// Merges values of the types of a schema.
#[derive(Clone, Copy)]
struct Merger<'s, 'a> {
    arena: &'a Arena,
    view: View<'s>,
}

#[cfg(test)]
mod tests;
