//! Compares answers with what a case expects. Must not know how answers come about.

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value};
use kindsmith_object::FieldError;

use crate::diff::diff;
use crate::suite::{Dialect, ExpectedError};

/// Why a case failed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    /// What is wrong, in a line.
    pub message: String,
    /// Expected and actual lines, if both are known.
    pub diff: Option<String>,
}

/// Metadata that differs from run to run.
const SERVER_SET: [&str; 9] = [
    "uid",
    "generation",
    "creationTimestamp",
    "resourceVersion",
    "managedFields",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "selfLink",
    "generateName",
];

/// What the server adds when errors of the schema keep it from checking CEL rules.
const NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/// Whether an error only says that others kept rules from being checked.
pub(crate) fn is_consequence(text: &str) -> bool {
    text.ends_with(NOT_CHECKED)
}

/// Compares a stored object with the expected one; names count only where the case gives them.
pub(crate) fn objects<'a>(expected: Value<'a>, got: Value<'a>, arena: &'a Arena) -> Result<(), Failure> {
    let mut expected = expected;
    for member in ["name", "namespace"] {
        let path = ["metadata", member];
        match got.lookup(&path) {
            Some(value) => expected.set(arena, &path, value),
            None => drop(expected.unset(arena, &path)),
        }
    }
    let (expected, got) = (comparable(arena, expected), comparable(arena, got));
    if expected.equals_numerically(got) {
        return Ok(());
    }
    Err(Failure {
        message: "the stored object differs".to_owned(),
        diff: Some(diff(
            &to_yaml(expected, Order::Sorted),
            &to_yaml(got, Order::Sorted),
        )),
    })
}

/// An object without what only the server sets.
pub(crate) fn comparable<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    for member in SERVER_SET {
        if object.lookup(&["metadata", member]).is_some() {
            object.unset(arena, &["metadata", member]);
        }
    }
    let metadata = object.get("metadata").and_then(Value::as_object);
    if metadata.is_some_and(|metadata| metadata.is_empty()) {
        object.unset(arena, &["metadata"]);
    }
    object
}

/// Compares a message with the part of it that is expected. Servers before 1.38 show the type of a value that breaks a
/// CEL rule instead of the value, and suites of openshift/api are written for those.
pub(crate) fn message(key: &str, part: &str, message: Option<&str>, dialect: Dialect) -> Result<(), Failure> {
    let Some(message) = message else {
        return Err(Failure {
            message: format!("the object is accepted, but {key} is {part:?}"),
            diff: None,
        });
    };
    let is_old = || shared_words(message).contains(&shared_words(part));
    if message.contains(part) || (dialect == Dialect::OpenShift && is_old()) {
        return Ok(());
    }
    Err(Failure {
        message: format!("the message does not contain {key}"),
        diff: Some(diff(&lines(part), &lines(message))),
    })
}

/// A text in words that servers before and after 1.38 share: without values.
fn shared_words(text: &str) -> String {
    const MARK: &str = "Invalid value: ";
    let text = text.strip_prefix("\"string\": ").unwrap_or(text);
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        out.push_str(&rest[..at + MARK.len()]);
        rest = after_value(&rest[at + MARK.len()..]);
    }
    out.push_str(rest);
    out.replace("map[string]interface {}{", "{")
        .replace("\", \"", "\",\"")
}

/// A text after the value at its start and the colon that follows.
fn after_value(text: &str) -> &str {
    let end = match text.strip_prefix('"') {
        None => text.find([':', ' ', ',']).unwrap_or(0),
        Some(quoted) => {
            let mut is_escaped = false;
            let end = quoted.find(|one| {
                let is_end = one == '"' && !is_escaped;
                is_escaped = one == '\\' && !is_escaped;
                is_end
            });
            end.map_or(0, |end| end + 2)
        }
    };
    match text[end..].strip_prefix(": ") {
        Some(rest) => rest,
        None if end == text.len() => "",
        None => text,
    }
}

/// Compares errors one by one, in any order.
pub(crate) fn errors(
    expected: &[ExpectedError],
    got: &[FieldError],
    texts: &[String],
) -> Result<(), Failure> {
    let mut left: Vec<usize> = (0..texts.len()).collect();
    let mut missing = Vec::new();
    for one in expected {
        let found = left
            .iter()
            .position(|&index| matches(one, got.get(index), &texts[index]));
        match found {
            Some(at) => drop(left.remove(at)),
            None => missing.push(describe(one)),
        }
    }
    // What follows from other errors need not be listed.
    left.retain(|&index| !is_consequence(&texts[index]));
    if missing.is_empty() && left.is_empty() {
        return Ok(());
    }
    let extra: Vec<String> = left.into_iter().map(|index| texts[index].clone()).collect();
    Err(lists("the errors differ", &missing, &extra))
}

/// A failure that shows lines that are missing and lines that are too many.
pub(crate) fn lists(message: &str, expected: &[String], got: &[String]) -> Failure {
    Failure {
        message: message.to_owned(),
        diff: Some(diff(&joined(expected), &joined(got))),
    }
}

fn joined(texts: &[String]) -> String {
    texts.iter().map(|text| lines(text)).collect()
}

fn lines(text: &str) -> String {
    format!("{text}\n")
}

fn matches(expected: &ExpectedError, error: Option<&FieldError>, text: &str) -> bool {
    if let Some(whole) = &expected.text {
        return whole == text;
    }
    let Some(error) = error else {
        return false;
    };
    let name = error.kind.name();
    let short = name.trim_start_matches("FieldValue");
    let is = |part: &Option<String>, found: &str| part.as_deref().is_none_or(|part| part == found);
    is(&expected.field, &error.path.to_string())
        && expected
            .kind
            .as_deref()
            .is_none_or(|kind| kind == name || kind == short)
        && is(&expected.origin, &error.origin)
        && expected
            .detail
            .as_deref()
            .is_none_or(|part| error.detail.to_string().contains(part))
}

fn describe(expected: &ExpectedError) -> String {
    if let Some(text) = &expected.text {
        return text.clone();
    }
    let parts = [
        ("field", &expected.field),
        ("type", &expected.kind),
        ("origin", &expected.origin),
        ("detail", &expected.detail),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter_map(|(key, value)| Some(format!("{key}: {}", value.as_deref()?)))
        .collect();
    format!("{{{}}}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_do_not_count_in_old_words() {
        for (old, new) in [
            ("a: Invalid value: \"array\": b", "a: Invalid value: b"),
            (
                "a: Invalid value: \"string\": b",
                "a: Invalid value: \"x\\\"y\": b",
            ),
            ("\"string\": b", "b"),
            ("<nil>: Invalid value: \"null\"", "<nil>: Invalid value: "),
            (
                "<nil>: Invalid value: null: some rules",
                "<nil>: Invalid value: some rules",
            ),
        ] {
            assert_eq!(shared_words(old), shared_words(new));
        }
    }
}
