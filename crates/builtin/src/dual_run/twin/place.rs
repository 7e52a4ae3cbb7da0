//! Places of twins: names joined by dots. `[*]` is every item of a list, `{*}` every value of a map, and a name with `?` is a
//! pointer: nothing below it is checked if it is not set. Members of a struct that is not set are checked, as in Go.

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Path, Value};

use crate::Change;
use crate::field_check::{entries, items};

/// One place in an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot<'p, 'v> {
    pub(crate) path: &'p Path<'p>,
    pub(crate) value: Option<Value<'v>>,
    pub(crate) old: Option<Value<'v>>,
    /// Whether what contains the place was there before the update.
    pub(crate) has_old: bool,
}

impl<'p, 'v> Spot<'p, 'v> {
    /// An item of a list or a value of a map, with the one it is compared with.
    fn element(path: &'p Path<'p>, value: Value<'v>, old: Option<Value<'v>>) -> Self {
        Spot {
            path,
            value: Some(value),
            old,
            has_old: old.is_some(),
        }
    }

    /// A member, if it is set.
    pub(super) fn member(&self, key: &str) -> Option<Value<'v>> {
        self.value.and_then(|value| value.get(key)).filter(is_set)
    }
}

/// Calls back with every place in an object that `at` names; none for an empty name.
pub(super) fn visit(at: &str, change: &Change<'_>, see: &mut dyn FnMut(&Spot<'_, '_>)) {
    let spot = Spot {
        path: &Path::NIL,
        value: Some(change.new.value()),
        old: change.old.map(|old| old.value()),
        has_old: change.old.is_some(),
    };
    walk(at, &spot, see);
}

fn walk(at: &str, spot: &Spot<'_, '_>, see: &mut dyn FnMut(&Spot<'_, '_>)) {
    if at.is_empty() {
        return see(spot);
    }
    let (first, rest) = at.split_once('.').unwrap_or((at, ""));
    let name = first.trim_end_matches(['?', '[', '*', ']', '{', '}']);
    let path = spot.path.child(name);
    let value = spot.member(name);
    let old = spot.old.and_then(|value| value.get(name)).filter(is_set);
    let next = Spot {
        path: &path,
        value,
        old,
        has_old: spot.has_old,
    };
    if first.ends_with('?') && !rest.is_empty() {
        if value.is_some() {
            let has_old = spot.has_old && old.is_some();
            walk(rest, &Spot { has_old, ..next }, see);
        }
        return;
    }
    if first.ends_with("[*]") {
        for (index, &item) in items(value).iter().enumerate() {
            let before = items(old).iter().find(|before| **before == item).copied();
            walk(rest, &Spot::element(&path.index(index), item, before), see);
        }
        return;
    }
    if first.ends_with("{*}") {
        let before = entries(old);
        for (key, item) in entries(value) {
            walk(rest, &Spot::element(&path.key(key), item, before.get(key)), see);
        }
        return;
    }
    walk(rest, &next, see);
}

fn is_set(value: &Value<'_>) -> bool {
    !value.is_null()
}

/// Whether a path is one of those that `at` names.
pub(crate) fn names(at: &str, path: &PathBuf) -> bool {
    let mut text = String::new();
    for step in path.steps() {
        match step {
            Step::Field(name) if text.is_empty() => text.push_str(name),
            Step::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Index(_) => text.push_str("[*]"),
            Step::Key(_) => text.push_str("{*}"),
        }
    }
    text == at.replace('?', "")
}
