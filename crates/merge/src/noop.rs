//! Writes that change nothing but times (apiserver `pkg/endpoints/handlers/fieldmanager/equality.go`).

use kindsmith_json::{Arena, Object, Value};

/// Restores the times of `old` in `new` if the two differ only in times of `managedFields`, so that the write changes
/// nothing.
///
/// Call it last, when `new` is ready to be stored and has the resource version of `old`.
#[must_use]
pub fn keep_times<'a>(arena: &'a Arena, old: Value<'a>, new: Value<'a>) -> Value<'a> {
    let path = ["metadata", "managedFields"];
    let (Some(Value::Array(olds)), Some(Value::Array(news))) = (old.lookup(&path), new.lookup(&path)) else {
        return new;
    };
    let mut pairs = olds.iter().zip(news);
    let is_same_but_times = olds.len() == news.len()
        && pairs.clone().any(|(old, new)| old.get("time") != new.get("time"))
        && pairs.all(|(old, new)| equal_except(*old, *new, &["time"]))
        && equal_except(old, new, &path);
    if !is_same_but_times {
        return new;
    }
    let mut kept = new;
    kept.set(arena, &path, Value::Array(olds));
    kept
}

/// Equality apart from the value at a path, which both have or both lack.
fn equal_except(old: Value<'_>, new: Value<'_>, path: &[&str]) -> bool {
    let (Some((first, rest)), Some(old), Some(new)) = (path.split_first(), old.as_object(), new.as_object())
    else {
        return path.is_empty() || old == new;
    };
    let without = |object: Object<'_>| object.len() - usize::from(object.contains_key(first));
    let differs_elsewhere = || {
        let mut others = old.iter().filter(|(key, _)| key != first);
        others.any(|(key, value)| new.get(key) != Some(value))
    };
    if without(old) != without(new) || differs_elsewhere() {
        return false;
    }
    match (old.get(first), new.get(first)) {
        (Some(old), Some(new)) => equal_except(old, new, rest),
        // An entry may gain or lose its time, but adding or removing the list is a change.
        (one, other) => rest.is_empty() || (one.is_none() && other.is_none()),
    }
}
