//! Compares responses with recorded ones.

use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Object, Value};

use crate::Step;

/// Strings that differ from run to run; recordings have `<key>` instead.
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

/// How a response differs from the recorded one; `None` if it does not. A body that is not JSON is a string.
#[must_use]
pub fn difference<'a>(
    arena: &'a Arena,
    step: Step<'a>,
    status: u16,
    body: Value<'a>,
    warnings: &[String],
) -> Option<String> {
    let mut found = Vec::new();
    if i64::from(status) != step.status() {
        found.push(format!("status {status}, recorded {}", step.status()));
    }
    if warnings != step.warnings() {
        found.push(format!("warnings {warnings:#?}, recorded {:#?}", step.warnings()));
    }
    // Numbers are compared as written, keys in any order.
    let to_string = |value| Format::GO.to_string(value);
    let (mine, theirs) = (comparable(arena, body), comparable(arena, step.answer()));
    if to_string(mine) != to_string(theirs) {
        found.push(places(mine, theirs));
    }
    (!found.is_empty()).then(|| found.join("\n"))
}

/// How many differences are shown.
const SHOWN: usize = 12;
/// How many characters of a value are shown.
const LENGTH: usize = 600;

/// The paths at which two values differ.
fn places(mine: Value<'_>, theirs: Value<'_>) -> String {
    let mut found = Vec::new();
    differ("", Some(mine), Some(theirs), &mut found);
    found.truncate(SHOWN);
    found.join("\n")
}

fn differ(path: &str, mine: Option<Value<'_>>, theirs: Option<Value<'_>>, found: &mut Vec<String>) {
    let to_string = |value: Value<'_>| Format::GO.to_string(value);
    match (mine, theirs) {
        (Some(Value::Object(mine)), Some(Value::Object(theirs))) => {
            for (key, value) in mine {
                differ(&format!("{path}.{key}"), Some(value), theirs.get(key), found);
            }
            for (key, value) in theirs {
                if !mine.contains_key(key) {
                    differ(&format!("{path}.{key}"), None, Some(value), found);
                }
            }
        }
        (Some(Value::Array(mine)), Some(Value::Array(theirs))) if mine.len() == theirs.len() => {
            for (index, (mine, theirs)) in mine.iter().zip(theirs).enumerate() {
                differ(&format!("{path}[{index}]"), Some(*mine), Some(*theirs), found);
            }
        }
        (mine, theirs) if mine.map(to_string) == theirs.map(to_string) => {}
        (mine, theirs) => {
            let shown = |value: Option<Value<'_>>| match value {
                None => "nothing".to_owned(),
                Some(value) => to_string(value).chars().take(LENGTH).collect(),
            };
            found.push(format!("{path}: {}\n  recorded: {}", shown(mine), shown(theirs)));
        }
    }
}

/// A response without what differs from run to run, and with several causes sorted.
fn comparable<'a>(arena: &'a Arena, body: Value<'a>) -> Value<'a> {
    let Value::Object(object) = body else {
        return body;
    };
    if object.contains_key("openapi") || object.contains_key("swagger") {
        return undescribed(arena, body);
    }
    if body.get("kind") == Some("Status".into()) {
        return masked(arena, comparable_status(arena, object).into());
    }
    masked(arena, body)
}

fn comparable_status<'a>(arena: &'a Arena, mut status: Object<'a>) -> Object<'a> {
    let causes = Value::Object(status)
        .lookup(&["details", "causes"])
        .and_then(Value::as_array);
    let Some(causes) = causes.filter(|causes| causes.len() > 1) else {
        return status;
    };
    let mut sorted = causes.to_vec();
    sorted.sort_by_key(|&cause| Format::GO.to_string(cause));
    let details = status.get("details").and_then(Value::as_object);
    let mut details = details.unwrap_or_default();
    details.insert(arena, "causes", Value::Array(arena.alloc_slice_copy(&sorted)));
    status.insert(arena, "details", details.into());
    if let Some(message) = status.get("message").and_then(Value::as_str) {
        let head = message.split(" is invalid: ").next().unwrap_or_default();
        status.insert(arena, "message", Value::Str(arena.alloc_str(head)));
    }
    status
}

/// Replaces volatile strings by `<key>`.
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

/// Drops the descriptions of an OpenAPI document.
fn undescribed<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items.iter().map(|&item| undescribed(arena, item)).collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        Value::Object(object) => {
            let mut edit = object.edit(arena);
            edit.retain(|key, value| key != "description" || !matches!(value, Value::Str(_)));
            for (key, value) in object {
                if edit.position(key).is_some() {
                    edit.insert(key, undescribed(arena, value));
                }
            }
            Value::Object(edit.finish())
        }
        scalar => scalar,
    }
}
