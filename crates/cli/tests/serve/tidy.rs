//! Removes from responses and calls what differs from run to run, as in recordings.

use serde_json::{Map, Value};

use super::hooks::Hooks;

/// Strings under these keys become `<key>`.
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

/// The replacements.
#[derive(Default)]
pub(crate) struct Tidy {
    words: Vec<(String, String)>,
    generated: Vec<(String, String)>,
}

impl Tidy {
    /// Adds the addresses and certificates of the hooks.
    pub(crate) fn learn(&mut self, hooks: &Hooks) {
        self.words = vec![
            (hooks.bundle.clone(), "{{caBundle}}".to_owned()),
            (hooks.other.clone(), "{{otherCABundle}}".to_owned()),
        ];
        for name in hooks.names() {
            self.words
                .push((format!("{}/{name}", hooks.base), format!("{{{{hook:{name}}}}}")));
        }
        self.words.push((hooks.base.clone(), "{{hookBase}}".to_owned()));
    }

    /// Adds the names that the server generated.
    pub(crate) fn learn_names(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.learn_names(item)),
            Value::Object(members) => {
                let text = |key: &str| members.get(key).and_then(Value::as_str).unwrap_or_default();
                let (prefix, name) = (text("generateName"), text("name"));
                let is_generated =
                    !prefix.is_empty() && name.starts_with(prefix) && name.len() == prefix.len() + 5;
                if is_generated {
                    self.generated.push((name.to_owned(), format!("{prefix}<5>")));
                }
                members.values().for_each(|value| self.learn_names(value));
            }
            _ => {}
        }
    }

    /// A value as in recordings.
    pub(crate) fn normal(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.normal(item)).collect(),
            Value::Object(members) => {
                let entries = members.iter().map(|(key, value)| {
                    let value = match value {
                        Value::String(text) if VOLATILE.contains(&key.as_str()) && !text.is_empty() => {
                            Value::String(format!("<{key}>"))
                        }
                        Value::Array(items) if key == "managedFields" => self.managers(items),
                        Value::Array(cells) if key == "cells" => cells.iter().map(without_age).collect(),
                        other => self.normal(other),
                    };
                    (self.text(key), value)
                });
                Value::Object(entries.collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }

    fn managers(&self, entries: &[Value]) -> Value {
        let mut entries: Vec<Value> = entries.iter().map(|entry| self.normal(entry)).collect();
        entries.sort_by_key(|entry| {
            ["manager", "operation", "subresource", "apiVersion"]
                .map(|key| entry[key].as_str().unwrap_or_default().to_owned())
        });
        Value::Array(entries)
    }

    /// A text as in recordings.
    pub(crate) fn text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (real, shown) in self.words.iter().chain(&self.generated) {
            text = text.replace(real, shown);
        }
        let text = masked(&masked(&text, 20, "<time>", is_time), 36, "<uid>", is_uuid);
        without_revisions(&text)
    }
}

/// Masks every part of this length for which `is` holds.
fn masked(text: &str, length: usize, mask: &str, is: fn(&[u8]) -> bool) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        match rest.as_bytes().get(..length) {
            Some(part) if is(part) => {
                masked.push_str(mask);
                rest = &rest[length..];
            }
            _ => {
                masked.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    masked
}

/// The cell of a table, unless it is an age: `3s`, `2m5s`.
fn without_age(cell: &Value) -> Value {
    let is_age = cell.as_str().is_some_and(|text| {
        let is_part = |letter: char| letter.is_ascii_digit() || matches!(letter, 's' | 'm' | 'h');
        text.starts_with(|letter: char| letter.is_ascii_digit())
            && text.ends_with(['s', 'm', 'h'])
            && text.chars().all(is_part)
    });
    if is_age { "<age>".into() } else { cell.clone() }
}

/// A text with `revision=<n>` for every revision.
fn without_revisions(text: &str) -> String {
    let mut parts = text.split("revision=");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if rest.len() == part.len() {
            format!("{text}revision={part}")
        } else {
            format!("{text}revision=<n>{rest}")
        }
    })
}

/// `2026-01-01T00:00:00Z`, from 2020 on.
fn is_time(bytes: &[u8]) -> bool {
    let digits = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18];
    let marks = [
        (4, b'-'),
        (7, b'-'),
        (10, b'T'),
        (13, b':'),
        (16, b':'),
        (19, b'Z'),
    ];
    digits.iter().all(|&at| bytes[at].is_ascii_digit())
        && marks.iter().all(|&(at, mark)| bytes[at] == mark)
        && bytes.starts_with(b"20")
        && bytes[2] >= b'2'
}

fn is_uuid(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
    })
}

/// A response with several causes sorted.
pub(crate) fn comparable(answer: &Value) -> Value {
    let mut answer = answer.clone();
    let body = &mut answer["body"];
    let causes = body.pointer_mut("/details/causes").and_then(Value::as_array_mut);
    if let Some(causes) = causes
        && causes.len() > 1
    {
        causes.sort_by_key(Value::to_string);
        let message = body["message"].as_str().unwrap_or_default();
        body["message"] = message.split(" is invalid: ").next().unwrap_or_default().into();
    }
    answer
}

/// A value without messages of an HTTP library, and without JSON quoted in errors.
pub(crate) fn blurred(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(blurred_text(text)),
        Value::Array(items) => items.iter().map(blurred).collect(),
        Value::Object(members) => {
            let entries = members.iter().map(|(key, value)| (key.clone(), blurred(value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

fn blurred_text(text: &str) -> String {
    let calls = ["failed to call webhook: Post \"", "failed: Post \""];
    if let Some(at) = calls.iter().find_map(|call| text.find(call))
        && let Some(end) = text[at..].find("\": ")
    {
        return format!("{}...", &text[..at + end + 3]);
    }
    match text.split_once("' is missing in '") {
        Some((before, _)) => format!("{before}' is missing in '...'"),
        None => text.to_owned(),
    }
}
