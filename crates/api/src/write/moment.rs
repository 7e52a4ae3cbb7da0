//! When a write to a CRD happened, in the order of the writes.

use kindsmith_gostd::time::{Layout, Time as GoTime};
use kindsmith_json::{Arena, Value};

/// The time to record for a write to a CRD. Kubernetes sets the status some time after a write, so the next write is
/// later still; here all of them can happen within one second. A later writer gets a later time, so that managed fields
/// stay in the order of the writes.
pub(crate) fn moment<'a>(
    arena: &'a Arena,
    old: Option<Value<'a>>,
    (manager, subresource): (&str, &str),
    now: &'a str,
) -> &'a str {
    let others = old.into_iter().flat_map(entries);
    let others = others.filter(|entry| entry.manager != manager || entry.subresource != subresource);
    match others.map(|entry| entry.time).max() {
        Some(time) if time >= now => {
            let time = GoTime::parse(Layout::Rfc3339, time).ok();
            let after = time.and_then(|time| GoTime::from_unix(time.unix_seconds() + 1, 0));
            after.map_or(now, |after| arena.alloc_str(&after.format(Layout::Rfc3339)))
        }
        _ => now,
    }
}

/// When a manager last wrote an object.
pub(crate) struct Written<'a> {
    manager: &'a str,
    subresource: &'a str,
    pub(crate) time: &'a str,
}

/// The managers of an object with the times of their last writes.
pub(crate) fn entries(object: Value<'_>) -> impl Iterator<Item = Written<'_>> {
    let entries = object
        .lookup(&["metadata", "managedFields"])
        .and_then(Value::as_array);
    entries.unwrap_or_default().iter().map(|entry| {
        let text = |key| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        Written {
            manager: text("manager"),
            subresource: text("subresource"),
            time: text("time"),
        }
    })
}
