//! Writes actual answers into a suite's text as the expected ones, leaving everything else as it is.

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, parse_str};

use crate::compare::is_consequence;
use crate::run::Actual;
use crate::suite::{Case, Dialect};
use crate::yaml_text::quoted;

/// Keys that say what is expected.
const EXPECTED: [&str; 5] = [
    "expected",
    "expectedError",
    "expectedErrors",
    "expectedStatusError",
    "expectedWarnings",
];

/// Rewrites the expected part of one case. `None` if the case is not written in block style, so that its lines cannot be
/// told apart.
#[must_use]
pub fn updated(text: &str, dialect: Dialect, case: &Case, actual: &Actual) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let start = case.line.checked_sub(1)?;
    let first = lines.get(start)?;
    let dash = first.find('-')?;
    let indent = dash + 1 + first[dash + 1..].find(|character| character != ' ')?;
    if first[..dash].trim() != "" || first[indent..].starts_with('{') {
        return None;
    }
    let is_inside = |line: &&str| line.trim().is_empty() || indent_of(line) >= indent;
    let mut end = start
        + 1
        + lines[start + 1..]
            .iter()
            .take_while(|line| is_inside(line))
            .count();
    while end > start + 1 && lines[end - 1].trim().is_empty() {
        end -= 1;
    }
    let mut out: Vec<String> = lines[..start].iter().map(|line| (*line).to_owned()).collect();
    let mut drops = false;
    for line in &lines[start..end] {
        let body = &line[indent.min(line.len())..];
        let is_key = (indent_of(line) == indent || std::ptr::eq(*line, *first)) && !body.trim().is_empty();
        let is_item = body.starts_with("- ");
        if is_key && !(drops && is_item) {
            let key = body.split(':').next().unwrap_or_default();
            drops =
                EXPECTED.contains(&key) && (key != "expectedWarnings" || case.expected.warnings.is_some());
        }
        if !drops {
            out.push((*line).to_owned());
        }
    }
    let pad = " ".repeat(indent);
    for line in expected(dialect, case, actual).lines() {
        out.push(if line.is_empty() {
            String::new()
        } else {
            format!("{pad}{line}")
        });
    }
    out.extend(lines[end..].iter().map(|line| (*line).to_owned()));
    Some(out.join("\n") + "\n")
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The keys of the expected part.
fn expected(dialect: Dialect, case: &Case, actual: &Actual) -> String {
    let mut out = String::new();
    let key = match dialect {
        Dialect::OpenShift => "expectedError",
        Dialect::RuleTests => "expectedErrors",
    };
    match (dialect, &actual.errors[..], &actual.status_errors[..]) {
        (Dialect::OpenShift, [first, ..], _) => out += &format!("{key}: {}", scalar(first)),
        (Dialect::OpenShift, [], [first, ..]) => out += &format!("expectedStatusError: {}", scalar(first)),
        (Dialect::RuleTests, [], [first, ..]) => out += &format!("expectedStatusError: {}", scalar(first)),
        (Dialect::RuleTests, errors @ [_, ..], _) => {
            out += &format!("{key}:\n");
            let told = errors.iter().filter(|error| !is_consequence(error));
            told.for_each(|error| out += &format!("- {}", scalar(error)));
        }
        _ => out += &object(dialect, actual),
    }
    if case.expected.warnings.is_some() {
        out += if actual.warnings.is_empty() {
            "expectedWarnings: []\n"
        } else {
            "expectedWarnings:\n"
        };
        actual
            .warnings
            .iter()
            .for_each(|warning| out += &format!("- {}", scalar(warning)));
    }
    out
}

fn object(dialect: Dialect, actual: &Actual) -> String {
    let arena = Arena::new();
    let object = actual
        .object
        .as_deref()
        .and_then(|text| parse_str(&arena, text).ok());
    let Some(mut object) = object else {
        return String::new();
    };
    // Made-up names differ from run to run.
    if object
        .lookup(&["metadata", "name"])
        .and_then(|name| name.as_str())
        .is_some_and(|name| name.starts_with("test-"))
    {
        object.unset(&arena, &["metadata", "name"]);
    }
    if object
        .get("metadata")
        .and_then(|metadata| metadata.as_object())
        .is_some_and(|metadata| metadata.is_empty())
    {
        object.unset(&arena, &["metadata"]);
    }
    let head = match dialect {
        Dialect::OpenShift => "expected: |\n",
        Dialect::RuleTests => "expected:\n",
    };
    let lines = to_yaml(object, Order::Kept);
    let lines: Vec<String> = lines.lines().map(|line| format!("  {line}\n")).collect();
    format!("{head}{}", lines.concat())
}

fn scalar(text: &str) -> String {
    quoted(text) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::read;

    #[test]
    fn only_the_expected_part_changes() {
        let text = "\
kind: RuleTests
tests:
  onCreate:
  # first
  - name: one   # kept
    expectedErrors:
    - old
    initial: {kind: A}

  - name: two
    initial: {kind: A}
";
        let suite = read("a.yaml", text)
            .expect("it is a suite")
            .expect("it is a suite");
        let actual = Actual {
            errors: vec!["a: b".to_owned(), "c".to_owned()],
            ..Actual::default()
        };
        let first = updated(text, suite.dialect, &suite.cases[0], &actual).expect("it is in block style");
        let expected = "\
kind: RuleTests
tests:
  onCreate:
  # first
  - name: one   # kept
    initial: {kind: A}
    expectedErrors:
    - 'a: b'
    - c

  - name: two
    initial: {kind: A}
";
        assert_eq!(first, expected);
        let actual = Actual {
            object: Some(r#"{"kind":"A","spec":{"a":1}}"#.to_owned()),
            ..Actual::default()
        };
        let second = updated(text, suite.dialect, &suite.cases[1], &actual).expect("it is in block style");
        assert!(
            second.ends_with(
                "    initial: {kind: A}\n    expected:\n      kind: A\n      spec:\n        a: 1\n"
            ),
            "{second}"
        );
    }
}
