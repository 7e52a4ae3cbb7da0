//! Lists: replaced, united or merged by a key, depending on the field.

use kindsmith_json::Value;

use super::Merger;
use super::directive::{self, Patch};
use super::order::{self, no_merge_key};
use super::shape::{Found, Strategy};
use crate::patch::PatchError;

impl<'s, 'a> Merger<'s, 'a> {
    /// Merges a list of the patch into a list.
    pub(super) fn merge_list(
        self,
        original: &'a [Value<'a>],
        patch: &'a [Value<'a>],
        found: &Found<'s>,
        depth: usize,
    ) -> Result<&'a [Value<'a>], PatchError> {
        if found.strategy != Strategy::Merge {
            return Ok(patch);
        }
        if original.is_empty() && patch.is_empty() {
            return Ok(original);
        }
        let ordered = if order::are_objects(original, patch)? {
            self.merge_objects(original, patch, found, depth)?
        } else {
            let both = distinct(original.iter().chain(patch).copied());
            order::arrange(&both, patch, original, found.merge_key, false)?
        };
        Ok(self.arena.alloc_slice_copy(&ordered))
    }

    /// Removes elements from a list of scalars.
    pub(super) fn delete(
        self,
        original: &'a [Value<'a>],
        patch: &'a [Value<'a>],
        found: &Found<'s>,
    ) -> Result<&'a [Value<'a>], PatchError> {
        if original.is_empty() && patch.is_empty() {
            return Ok(original);
        }
        if order::are_objects(original, patch)? {
            let merging = Found {
                strategy: Strategy::Merge,
                ..*found
            };
            return self.merge_list(original, patch, &merging, 0);
        }
        let kept: Vec<Value<'a>> = original
            .iter()
            .copied()
            .filter(|item| !patch.contains(item))
            .collect();
        Ok(self.arena.alloc_slice_copy(&kept))
    }

    fn merge_objects(
        self,
        original: &'a [Value<'a>],
        patch: &'a [Value<'a>],
        found: &Found<'s>,
        depth: usize,
    ) -> Result<Vec<Value<'a>>, PatchError> {
        let key = found.merge_key;
        if key.is_empty() {
            let kind = self.kind(found.ty);
            return Err(PatchError::Failed(format!(
                "cannot merge lists without merge key for {kind}"
            )));
        }
        let (original, patch) = directives(original, patch, key)?;
        let mut merged = original.clone();
        for &item in &patch {
            let (Value::Object(change), Some(wanted)) = (item, item.get(key)) else {
                return Err(no_merge_key(item, key));
            };
            match find(&merged, key, wanted)? {
                Some(position) => {
                    let before = merged[position].as_object().unwrap_or_default();
                    merged[position] = Value::Object(self.merge(before, change, found.ty, depth + 1)?);
                }
                None => merged.push(item),
            }
        }
        order::arrange(&merged, &patch, &original, key, true)
    }
}

/// Applies the directives among the elements of a patch; returns the rest of the list and of the patch.
fn directives<'a>(
    original: &[Value<'a>],
    patch: &[Value<'a>],
    key: &str,
) -> Result<(Vec<Value<'a>>, Vec<Value<'a>>), PatchError> {
    let mut left = original.to_vec();
    let mut plain = Vec::with_capacity(patch.len());
    let mut is_replaced = false;
    for &item in patch {
        match directive::of(item) {
            None => plain.push(item),
            Some(Patch::Delete) => {
                let wanted = item.get(key).ok_or_else(|| no_merge_key(item, key))?;
                while let Some(position) = find(&left, key, wanted)? {
                    left.remove(position);
                }
            }
            Some(Patch::Replace) => is_replaced = true,
            Some(Patch::Merge) => {
                let message = "merging lists cannot yet be specified in the patch";
                return Err(PatchError::Failed(message.to_owned()));
            }
            Some(Patch::Unknown) => return Err(directive::unknown(item)),
        }
    }
    Ok(if is_replaced {
        (plain, Vec::new())
    } else {
        (left, plain)
    })
}

/// The position of the element with this key.
pub(super) fn find(list: &[Value<'_>], key: &str, wanted: Value<'_>) -> Result<Option<usize>, PatchError> {
    for (position, item) in list.iter().enumerate() {
        let Value::Object(item) = item else {
            return Err(PatchError::Failed(format!(
                "value for key {position} is not a map"
            )));
        };
        if item.get(key) == Some(wanted) {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

/// The elements without duplicates.
fn distinct<'a>(items: impl Iterator<Item = Value<'a>>) -> Vec<Value<'a>> {
    let mut distinct: Vec<Value<'a>> = Vec::new();
    for item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}
