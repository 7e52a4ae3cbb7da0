//! Edits of objects, shared by the defaults of several kinds.

use kindsmith_json::{Arena, ArrayEdit, Value};

use crate::rule::items;

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
