//! Directives: members of a patch that say how to merge, and are never part of an object.

use std::collections::HashSet;

use kindsmith_json::{Arena, ObjectEdit, Value};
use kindsmith_object::go_value::printed;

use crate::MAX_DEPTH;
use crate::patch::PatchError;

/// Replaces or deletes the object or list that contains it.
pub(super) const PATCH: &str = "$patch";
/// Lists the members to keep.
pub(super) const RETAIN_KEYS: &str = "$retainKeys";
/// With a slash and a field: elements to remove from a list of scalars.
pub(super) const DELETE_FROM: &str = "$deleteFromPrimitiveList";
/// With a slash and a field: the order of a list.
pub(super) const ORDER: &str = "$setElementOrder";

/// The values of `$patch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patch {
    Replace,
    Delete,
    Merge,
    Unknown,
}

/// The directive in a value, if it is an object with one.
pub(super) fn of(value: Value<'_>) -> Option<Patch> {
    let directive = value.as_object()?.get(PATCH)?;
    Some(match directive.as_str() {
        Some("replace") => Patch::Replace,
        Some("delete") => Patch::Delete,
        Some("merge") => Patch::Merge,
        _ => Patch::Unknown,
    })
}

/// The error for an unknown value of a directive.
pub(super) fn unknown(map: Value<'_>) -> PatchError {
    let directive = map.get(PATCH).unwrap_or_default();
    let said = match directive {
        Value::Str(text) => text.to_owned(),
        Value::Null => "%!s(<nil>)".to_owned(),
        // Go prints values other than strings by their type.
        other => format!("%!s({}={})", other.go_type(), printed(other)),
    };
    PatchError::Failed(format!("unknown patch type: {said} in map: {}", printed(map)))
}

/// The field after the slash of a directive.
pub(super) fn field<'a>(key: &'a str, directive: &str) -> Result<&'a str, PatchError> {
    let field = key
        .strip_prefix(directive)
        .and_then(|rest| rest.strip_prefix('/'));
    field.ok_or_else(|| {
        let what = if directive == ORDER {
            "setElementOrder"
        } else {
            "primitive"
        };
        PatchError::BadRequest(format!("invalid patch format of {what} list"))
    })
}

/// Applies `$retainKeys`: the object keeps only these members, and the patch may set no others.
pub(super) fn retain<'a>(object: &mut ObjectEdit<'a>, patch: &mut ObjectEdit<'a>) -> Result<(), PatchError> {
    let Some(list) = patch.remove(RETAIN_KEYS) else {
        return Ok(());
    };
    let wrong = || PatchError::BadRequest("invalid patch format of retainKeys".to_owned());
    let keys: HashSet<&str> = list
        .as_array()
        .ok_or_else(wrong)?
        .iter()
        .filter_map(|key| key.as_str())
        .collect();
    let is_listed = |key: &str| keys.contains(key);
    let is_wrong = patch.entries().iter().any(|entry| {
        !entry.value.is_null()
            && !entry.key.starts_with(DELETE_FROM)
            && !entry.key.starts_with(ORDER)
            && !is_listed(entry.key)
    });
    if is_wrong {
        return Err(wrong());
    }
    object.retain(|key, _| is_listed(key));
    Ok(())
}

/// A value of a patch that is added without merging: nulls and directives are removed. `None` if it is a directive
/// itself.
pub(super) fn settled<'a>(arena: &'a Arena, value: Value<'a>, depth: usize) -> Option<Value<'a>> {
    if depth > MAX_DEPTH {
        return Some(value);
    }
    match value {
        Value::Object(object) => {
            if object.contains_key(PATCH) {
                return None;
            }
            let mut kept = object.edit(arena);
            for (key, value) in object {
                let value = match value {
                    Value::Null => None,
                    value => settled(arena, value, depth + 1),
                };
                match value {
                    Some(value) => drop(kept.insert(key, value)),
                    None => drop(kept.remove(key)),
                }
            }
            Some(Value::Object(kept.finish()))
        }
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items
                .iter()
                .filter_map(|&item| settled(arena, item, depth + 1))
                .collect();
            Some(Value::Array(arena.alloc_slice_copy(&items)))
        }
        scalar => Some(scalar),
    }
}
