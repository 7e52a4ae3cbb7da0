//! Edits of objects, shared by the defaults of several kinds.

use kindsmith_json::{Arena, ArrayEdit, Value};

use crate::field_check::items;
use crate::types::EACH;

/// Edits each element of a list; `change` returns `None` to keep one.
pub(crate) fn each<'a>(
    arena: &'a Arena,
    object: &mut Value<'a>,
    key: &'a str,
    change: impl FnMut(Value<'a>) -> Option<Value<'a>>,
) {
    let mut change = change;
    let list = items(object.get(key));
    let mut edit = ArrayEdit::new(arena, list);
    for (index, &item) in list.iter().enumerate() {
        if let Some(changed) = change(item) {
            edit.set(index, changed);
        }
    }
    if edit.is_changed() {
        object.set(arena, &[key], Value::Array(edit.finish()));
    }
}

/// Edits a member at a path, if it exists; `change` returns `None` to keep it.
pub(crate) fn member<'a>(
    arena: &'a Arena,
    object: &mut Value<'a>,
    path: &[&'a str],
    change: impl Fn(Value<'a>) -> Value<'a>,
) {
    let Some(old) = object.lookup(path).filter(|old| !old.is_null()) else {
        return;
    };
    let new = change(old);
    if new != old {
        object.set(arena, path, new);
    }
}

/// A step of a path: every value of a map.
pub(crate) const ALL: &str = "{}";

/// The value without the field at a path; `None` if the field is not set.
pub(crate) fn without<'a>(arena: &'a Arena, value: Value<'a>, path: &[&'static str]) -> Option<Value<'a>> {
    let (key, above) = path.split_last()?;
    at_path(arena, value, above, &|holder| {
        let mut holder = holder.as_object()?;
        holder.get(key)?;
        holder.remove(arena, key);
        Some(Value::Object(holder))
    })
}

/// Edits all members at a path with [`EACH`] and [`ALL`]; `None` if nothing changes.
pub(crate) fn at_path<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    path: &[&'static str],
    change: &dyn Fn(Value<'a>) -> Option<Value<'a>>,
) -> Option<Value<'a>> {
    match path {
        [] => change(value),
        [EACH, rest @ ..] => {
            let list = value.as_array()?;
            let mut edit = ArrayEdit::new(arena, list);
            for (index, item) in list.iter().enumerate() {
                if let Some(changed) = at_path(arena, *item, rest, change) {
                    edit.set(index, changed);
                }
            }
            edit.is_changed().then(|| Value::Array(edit.finish()))
        }
        [ALL, rest @ ..] => {
            let map = value.as_object()?;
            let mut edited = map;
            let mut is_changed = false;
            for (key, item) in map {
                if let Some(changed) = at_path(arena, item, rest, change) {
                    edited.insert(arena, key, changed);
                    is_changed = true;
                }
            }
            is_changed.then_some(Value::Object(edited))
        }
        [key, rest @ ..] => {
            let mut object = value.as_object()?;
            let changed = at_path(arena, object.get(key)?, rest, change)?;
            object.insert(arena, key, changed);
            Some(Value::Object(object))
        }
    }
}
