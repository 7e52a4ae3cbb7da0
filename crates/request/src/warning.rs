//! Warnings for the client, as data and as the texts of headers: no duplicates, and a limited total length.

use std::collections::HashSet;
use std::fmt;

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::read::Duplicate;

/// A warning for the client. `Display` is the text of its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The field; the empty path for the object as a whole.
    pub path: PathBuf,
    /// The API server's text.
    pub message: String,
    /// The kind of warning.
    pub reason: WarningReason,
}

/// The kind of a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarningReason {
    /// A field that the schema does not have.
    UnknownField,
    /// A field that is set twice.
    DuplicateField,
    /// All keys that are set twice in YAML, one line each behind a title.
    YamlErrors,
    /// Anything else: a deprecated version, a suspicious value.
    Other,
}

impl Warning {
    /// A deprecated version: the field is the object's `apiVersion`.
    #[must_use]
    pub fn deprecation(text: &str) -> Self {
        Warning {
            path: PathBuf::from_iter([Step::Field("apiVersion".into())]),
            message: text.to_owned(),
            reason: WarningReason::Other,
        }
    }

    /// An unknown field, with its path as the decoder prints it: without escapes.
    #[must_use]
    pub fn unknown_field(path: PathBuf) -> Self {
        Warning {
            message: format!("unknown field \"{}\"", path.dotted()),
            path,
            reason: WarningReason::UnknownField,
        }
    }
}

impl From<&Duplicate> for Warning {
    fn from(duplicate: &Duplicate) -> Self {
        Warning {
            path: duplicate.path.clone(),
            message: duplicate.to_string(),
            reason: WarningReason::DuplicateField,
        }
    }
}

impl From<String> for Warning {
    fn from(message: String) -> Self {
        Warning {
            path: PathBuf::default(),
            message,
            reason: WarningReason::Other,
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

/// The total length of an answer's warnings before they are truncated.
const TOTAL: usize = 4 * 1024;
/// The length of a truncated warning.
const ITEM: usize = 256;

/// The warnings to send, in order (`recorder.AddWarning` in apiserver's pkg/endpoints/filters/warning.go): no
/// duplicates, no control characters; if the total is too long, each is truncated, and those beyond the limit are
/// dropped.
#[must_use]
pub fn sent_warnings(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut given: Vec<String> = Vec::new();
    let (mut sent, mut length, mut is_cutting) = (Vec::new(), 0, false);
    for text in texts {
        if text.is_empty() || (is_cutting && length >= TOTAL) || !seen.insert(text.clone()) {
            continue;
        }
        given.push(text.clone());
        let text = if is_cutting { cut(&text) } else { text };
        if !is_header(&text) {
            continue;
        }
        if !is_cutting && length + count(&text) > TOTAL {
            is_cutting = true;
            sent = given
                .iter()
                .map(|text| cut(text))
                .filter(|text| is_header(text))
                .collect();
            length = sent.iter().map(|text| count(text)).sum();
            continue;
        }
        length += count(&text);
        sent.push(text);
    }
    sent
}

fn cut(text: &str) -> String {
    text.chars().take(ITEM).collect()
}

fn count(text: &str) -> usize {
    text.chars().count()
}

fn is_header(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: &[&str]) {
        assert_eq!(sent_warnings(texts.iter().map(|&text| text.to_owned())), expected);
    }

    #[test]
    fn a_warning_is_sent_once_and_in_one_line() {
        check(&["a", "b", "a", "", "c\nd"], &["a", "b"]);
    }

    #[test]
    fn many_long_warnings_are_cut() {
        let long: Vec<String> = (0..30)
            .map(|number| format!("{number:03}{}", "ä".repeat(400)))
            .collect();
        let sent = sent_warnings(long);
        assert_eq!(sent.len(), 16);
        assert!(sent.iter().all(|text| text.chars().count() == ITEM));
    }

    #[test]
    fn a_single_long_warning_is_sent_whole() {
        let long = "x".repeat(4000);
        check(&[&long], &[&long]);
    }
}
