//! Compile errors and their text with a snippet and caret, as cel-go's `common.Errors` prints them.

use super::source::{Location, Source};

/// Errors beyond this many are only counted.
const MAX_REPORTED: usize = 100;
/// Lines longer than this (in bytes) are shown without snippet.
const MAX_SNIPPET: usize = 16384;

/// One error with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// The location of the caret.
    pub location: Location,
    /// The message.
    pub message: String,
    /// The field that no type has, if that is the error.
    pub unknown_field: Option<String>,
}

/// The errors of one compilation, in the order they were found.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    errors: Vec<CompileError>,
    count: usize,
}

impl Errors {
    /// Adds an error; those beyond the hundredth are only counted.
    pub fn report(&mut self, location: Location, message: impl Into<String>) {
        self.add(CompileError {
            location,
            message: message.into(),
            unknown_field: None,
        });
    }

    /// Adds the error for a field that its type does not have.
    pub fn report_unknown_field(&mut self, location: Location, field: &str) {
        self.add(CompileError {
            location,
            message: format!("undefined field '{field}'"),
            unknown_field: Some(field.to_owned()),
        });
    }

    fn add(&mut self, error: CompileError) {
        self.count += 1;
        if self.count <= MAX_REPORTED {
            self.errors.push(error);
        }
    }

    /// Whether no error was found.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many errors were found, including those not kept.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The kept errors.
    pub fn iter(&self) -> impl Iterator<Item = &CompileError> {
        self.errors.iter()
    }

    /// The text of all errors, sorted by place.
    pub fn display(&self, source: &Source) -> String {
        let mut sorted: Vec<&CompileError> = self.errors.iter().collect();
        sorted.sort_by_key(|error| error.location);
        let mut lines: Vec<String> = sorted.iter().map(|error| display_one(error, source)).collect();
        if self.count > MAX_REPORTED {
            lines.push(format!(
                "{} more errors were truncated",
                self.count - MAX_REPORTED
            ));
        }
        lines.join("\n")
    }
}

fn display_one(error: &CompileError, source: &Source) -> String {
    let Location { line, column } = error.location;
    let mut text = format!("ERROR: <input>:{line}:{}: {}", column + 1, error.message);
    let Some(snippet) = source
        .snippet(line)
        .filter(|snippet| snippet.len() <= MAX_SNIPPET)
    else {
        return text;
    };
    let snippet = snippet.replace('\t', " ");
    text.push_str("\n | ");
    text.push_str(&snippet);
    text.push_str("\n | ");
    let mut chars = snippet.chars();
    for _ in 0..column {
        match chars.next() {
            Some(c) => text.push(if c.len_utf8() > 1 { '\u{ff0e}' } else { '.' }),
            None => break,
        }
    }
    let wide = chars.next().is_some_and(|c| c.len_utf8() > 1);
    text.push(if wide { '\u{ff3e}' } else { '^' });
    text
}
