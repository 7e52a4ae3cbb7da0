//! Objects: member by member, by the types of the fields.

use kindsmith_gostd::budget;
use kindsmith_json::{Object, ObjectEdit, Value};
use kindsmith_schema::TypeRef;

use super::Merger;
use super::directive::{self, Patch};
use super::order;
use super::shape::{Found, Strategy};
use crate::MAX_DEPTH;
use crate::patch::PatchError;

impl<'s, 'a> Merger<'s, 'a> {
    /// Applies a patch to an object of a type.
    pub(super) fn merge(
        self,
        original: Object<'a>,
        patch: Object<'a>,
        of: &'s TypeRef,
        depth: usize,
    ) -> Result<Object<'a>, PatchError> {
        match directive::of(Value::Object(patch)) {
            Some(Patch::Replace) => {
                let mut patch = patch;
                patch.remove(self.arena, directive::PATCH);
                return Ok(patch);
            }
            Some(Patch::Delete) => return Ok(Object::EMPTY),
            Some(Patch::Merge | Patch::Unknown) => return Err(directive::unknown(Value::Object(patch))),
            None => {}
        }
        if depth > MAX_DEPTH {
            return Ok(patch);
        }
        budget::spend_in(1 + patch.len() as u64, || self.arena.allocated_bytes());
        let mut merged = original.edit(self.arena);
        let mut rest = patch.edit(self.arena);
        directive::retain(&mut merged, &mut rest)?;
        for (key, list) in patch.iter().filter(|(key, _)| key.starts_with(directive::ORDER)) {
            rest.remove(key);
            self.set_order(&mut merged, &mut rest, key, list, of, depth)?;
        }
        for (key, value) in rest.finish() {
            self.member(&mut merged, key, value, of, depth)?;
        }
        Ok(merged.finish())
    }

    /// Applies one member of a patch to an object.
    fn member(
        self,
        merged: &mut ObjectEdit<'a>,
        key: &'a str,
        value: Value<'a>,
        of: &'s TypeRef,
        depth: usize,
    ) -> Result<(), PatchError> {
        let is_deletion = key.starts_with(directive::DELETE_FROM);
        let key = if is_deletion {
            directive::field(key, directive::DELETE_FROM)?
        } else {
            key
        };
        let after = match (merged.get(key), value) {
            (_, Value::Null) => None,
            (Some(Value::Object(before)), Value::Object(value)) => {
                let Found { ty, strategy, .. } = self.field(of, key)?;
                Some(Value::Object(match strategy {
                    Strategy::Replace => value,
                    _ => self.merge(before, value, ty, depth + 1)?,
                }))
            }
            (Some(Value::Array(before)), Value::Array(value)) => {
                let found = self.list_field(of, key)?;
                Some(Value::Array(if is_deletion {
                    self.delete(before, value, &found)?
                } else {
                    self.merge_list(before, value, &found, depth)?
                }))
            }
            // There is no such list to delete from.
            (_, _) if is_deletion => return Ok(()),
            (_, value) => directive::settled(self.arena, value, depth),
        };
        match after {
            Some(after) => drop(merged.insert(key, after)),
            None => drop(merged.remove(key)),
        }
        Ok(())
    }

    /// Applies `$setElementOrder`, together with the patch of that list.
    fn set_order(
        self,
        merged: &mut ObjectEdit<'a>,
        rest: &mut ObjectEdit<'a>,
        key: &'a str,
        list: Value<'a>,
        of: &'s TypeRef,
        depth: usize,
    ) -> Result<(), PatchError> {
        let list = as_list(list)?;
        let key = directive::field(key, directive::ORDER)?;
        let before = merged.get(key).map(as_list).transpose()?;
        let patch = rest.get(key).map(as_list).transpose()?;
        let found = self.list_field(of, key)?;
        order::check(patch.unwrap_or_default(), list, found.merge_key)?;
        let after = match (before, patch) {
            (None, None) => return Ok(()),
            (Some(before), None) => before,
            (None, Some(patch)) => {
                let settled = directive::settled(self.arena, Value::Array(patch), depth);
                settled.and_then(Value::as_array).unwrap_or_default()
            }
            (Some(before), Some(patch)) => self.merge_list(before, patch, &found, depth)?,
        };
        let (before, patch) = (before.unwrap_or_default(), patch.unwrap_or_default());
        let are_objects = order::are_objects(before, patch)?;
        let ordered = order::arrange(after, list, before, found.merge_key, are_objects)?;
        merged.insert(key, Value::Array(self.arena.alloc_slice_copy(&ordered)));
        rest.remove(key);
        Ok(())
    }
}

fn as_list(value: Value<'_>) -> Result<&[Value<'_>], PatchError> {
    value.as_array().ok_or_else(|| {
        let ty = value.go_type();
        PatchError::Failed(format!("expected a []interface {{}}, but received a {ty}"))
    })
}
