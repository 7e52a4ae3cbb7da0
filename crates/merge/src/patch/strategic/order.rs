//! The order of a merged list: elements in the patch keep the patch's order, the others keep the object's. Between one
//! of each, the object's order decides if it has both.

use std::collections::VecDeque;

use kindsmith_json::Value;
use kindsmith_object::go_value::printed;

use super::directive::{self, Patch};
use crate::patch::PatchError;

/// Reports whether the elements of two lists are objects. All must be of one type, which is not a list.
pub(super) fn are_objects(first: &[Value<'_>], second: &[Value<'_>]) -> Result<bool, PatchError> {
    let mut all = first.iter().chain(second).map(|&item| item.go_type());
    let Some(ty) = all.next() else {
        return Err(PatchError::Failed(
            "no elements in any of the given slices".to_owned(),
        ));
    };
    if ty == "[]interface {}" {
        return Err(PatchError::Rejected);
    }
    if all.any(|other| other != ty) {
        let text = format!(
            "[{} {}]",
            printed(Value::Array(first)),
            printed(Value::Array(second))
        );
        return Err(PatchError::Failed(format!(
            "list element types are not identical: {text}"
        )));
    }
    Ok(ty == "map[string]interface {}")
}

/// Orders a merged list: `named` is the order of the patch, `known` that of the object.
pub(super) fn arrange<'a>(
    merged: &[Value<'a>],
    named: &[Value<'a>],
    known: &[Value<'a>],
    key: &str,
    are_objects: bool,
) -> Result<Vec<Value<'a>>, PatchError> {
    if are_objects || !key.is_empty() {
        for &item in merged.iter().chain(named).chain(known) {
            identified(item, key)?;
        }
    }
    let key = if are_objects { key } else { "" };
    let place = |list: &[Value<'a>], item: Value<'a>| {
        list.iter()
            .position(|&other| identity(other, key) == identity(item, key))
    };
    let (mut ours, mut theirs): (Vec<Value<'a>>, Vec<Value<'a>>) = (Vec::new(), Vec::new());
    for &item in merged {
        match place(named, item) {
            Some(_) => ours.push(item),
            None => theirs.push(item),
        }
    }
    ours.sort_by_key(|&item| place(named, item));
    theirs.sort_by_key(|&item| place(known, item));
    let (mut ours, mut theirs) = (VecDeque::from(ours), VecDeque::from(theirs));
    let mut ordered = Vec::with_capacity(merged.len());
    while let (Some(&our), Some(&their)) = (ours.front(), theirs.front()) {
        let is_theirs_first = match (place(known, their), place(known, our)) {
            (Some(their), Some(our)) => their < our,
            _ => false,
        };
        let first = if is_theirs_first { &mut theirs } else { &mut ours };
        ordered.extend(first.pop_front());
    }
    ordered.extend(ours);
    ordered.extend(theirs);
    Ok(ordered)
}

/// Checks that the patch of a list is in the order to set.
pub(super) fn check(patch: &[Value<'_>], order: &[Value<'_>], key: &str) -> Result<(), PatchError> {
    if patch.is_empty() || order.is_empty() {
        return Ok(());
    }
    let mut left = patch
        .iter()
        .copied()
        .filter(|&item| directive::of(item) != Some(Patch::Delete))
        .peekable();
    for &named in order {
        while left.next_if(|&item| directive::of(item).is_some()).is_some() {}
        let Some(&item) = left.peek() else {
            return Ok(());
        };
        if !key.is_empty() {
            identified(item, key)?;
            identified(named, key)?;
        }
        if identity(item, key) == identity(named, key) {
            left.next();
        }
    }
    match left.next() {
        None => Ok(()),
        Some(_) => Err(PatchError::Failed(format!(
            "The order in patch list:\n{}\n doesn't match {} list:\n{}\n",
            printed(Value::Array(patch)),
            directive::ORDER,
            printed(Value::Array(order))
        ))),
    }
}

/// What identifies elements: the member `key` of objects, or the elements themselves.
fn identity<'a>(item: Value<'a>, key: &str) -> Option<Value<'a>> {
    match key {
        "" => Some(item),
        key => item.get(key),
    }
}

/// Rejects an element that is not an object with this key.
fn identified(item: Value<'_>, key: &str) -> Result<(), PatchError> {
    match item {
        Value::Object(object) if object.contains_key(key) => Ok(()),
        Value::Object(_) => Err(no_merge_key(item, key)),
        other => Err(PatchError::Failed(format!(
            "expected a map[string]interface {{}}, but received a {}",
            other.go_type()
        ))),
    }
}

/// The error for an element without its merge key.
pub(super) fn no_merge_key(item: Value<'_>, key: &str) -> PatchError {
    PatchError::Failed(format!(
        "map: {} does not contain declared merge key: {key}",
        printed(item)
    ))
}
