//! Answers side by side with recorded ones.

use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Object, Value, to_string_pretty};

/// Strings that differ from run to run; in recordings they stand as `<key>`.
const VOLATILE: [&str; 8] = [
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "deletionTimestamp",
    "time",
    "lastTransitionTime",
    "selfLink",
    "continue",
];

/// What the library answers to a step.
pub(crate) struct Answer<'a> {
    pub(crate) status: i64,
    pub(crate) body: Value<'a>,
    pub(crate) warnings: Vec<String>,
}

/// How the answer differs from the recorded one; nothing if it does not.
pub(crate) fn difference<'a>(
    arena: &'a Arena,
    ours: &Answer<'a>,
    status: i64,
    body: Value<'a>,
    warnings: &[&str],
) -> Option<String> {
    let mut found = Vec::new();
    if ours.status != status {
        found.push(format!("status {}, recorded {status}", ours.status));
    }
    if ours.warnings != warnings {
        found.push(format!("warnings {:#?}, recorded {warnings:#?}", ours.warnings));
    }
    // Numbers are compared as they are written, keys in any order.
    let to_string = |value| Format::GO.to_string(value);
    let (mine, theirs) = (comparable(arena, ours.body), comparable(arena, body));
    if to_string(mine) != to_string(theirs) {
        found.push(format!(
            "body {}\nrecorded {}",
            to_string_pretty(mine),
            to_string_pretty(theirs)
        ));
    }
    (!found.is_empty()).then(|| found.join("\n"))
}

/// An answer without what differs from run to run, and without the order of several causes.
fn comparable<'a>(arena: &'a Arena, body: Value<'a>) -> Value<'a> {
    let Value::Object(mut object) = body else {
        return body;
    };
    if body.get("kind") == Some("Status".into()) {
        return Value::Object(comparable_status(arena, object));
    }
    if let Some(metadata) = body.get("metadata").and_then(Value::as_object) {
        // Who manages which field is another part's business.
        let mut metadata = metadata;
        metadata.remove(arena, "managedFields");
        object.insert(arena, "metadata", metadata.into());
    }
    masked(arena, object.into())
}

fn comparable_status<'a>(arena: &'a Arena, mut status: Object<'a>) -> Object<'a> {
    let causes = Value::Object(status)
        .lookup(&["details", "causes"])
        .and_then(Value::as_array);
    let Some(causes) = causes.filter(|causes| causes.len() > 1) else {
        return status;
    };
    let mut sorted = causes.to_vec();
    sorted.sort_by_key(|cause| format!("{cause:?}"));
    let mut details = status
        .get("details")
        .and_then(Value::as_object)
        .unwrap_or_default();
    details.insert(arena, "causes", Value::Array(arena.alloc_slice_copy(&sorted)));
    status.insert(arena, "details", details.into());
    if let Some(message) = status.get("message").and_then(Value::as_str) {
        let head = message.split(" is invalid: ").next().unwrap_or_default();
        status.insert(arena, "message", Value::Str(arena.alloc_str(head)));
    }
    status
}

fn masked<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items.iter().map(|&item| masked(arena, item)).collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        Value::Object(object) => {
            let mut edit = object.edit(arena);
            for (key, value) in object {
                let value = match value {
                    Value::Str(text) if VOLATILE.contains(&key) && !text.is_empty() => {
                        Value::Str(arena.alloc_str(&format!("<{key}>")))
                    }
                    other => masked(arena, other),
                };
                edit.insert(key, value);
            }
            Value::Object(edit.finish())
        }
        scalar => scalar,
    }
}
