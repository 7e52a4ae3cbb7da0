//! Writes that change nothing but times (apiserver `pkg/endpoints/handlers/fieldmanager/equality.go`).

use kindsmith_json::{Arena, Object, Value};

/// Gives the times of `old` back to `new` where the two differ in nothing but times of `managedFields`: the write is
/// then no change at all.
///
/// Call it last, when `new` is what would be stored, with the resource version of `old`.
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

/// Equality without the value at a path that both have or lack.
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
        // An entry may gain or lose its time; a list that comes or goes is a change.
        (one, other) => rest.is_empty() || (one.is_none() && other.is_none()),
    }
}
