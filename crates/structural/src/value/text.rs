//! `maxLength`, `minLength` and `pattern`. Knows strings, not their place.

use std::fmt;
use std::sync::OnceLock;

use kindsmith_gostd::regexp::{self, Regexp};
use kindsmith_schema::Str;

/// Constraints on a string.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) max: Option<i64>,
    pub(super) min: Option<i64>,
    pub(super) pattern: Option<Pattern>,
}

/// A regular expression, compiled on first use: compiled ones are large, and many are never used.
#[derive(Debug)]
pub(crate) struct Pattern {
    text: Str,
    matcher: OnceLock<Result<Regexp, regexp::Error>>,
}

/// The first error of a string.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextFault<'t> {
    TooLong(i64),
    TooShort(i64),
    NoMatch(&'t Pattern),
}

impl Pattern {
    pub(super) fn new(text: &Str) -> Self {
        Self {
            text: text.clone(),
            matcher: OnceLock::new(),
        }
    }

    fn matcher(&self) -> &Result<Regexp, regexp::Error> {
        self.matcher.get_or_init(|| Regexp::new(&self.text))
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Why it is invalid.
    pub(super) fn error(&self) -> Option<&regexp::Error> {
        self.matcher().as_ref().err()
    }

    fn matches(&self, text: &str) -> bool {
        self.matcher()
            .as_ref()
            .is_ok_and(|matcher| matcher.is_match(text))
    }
}

/// The expression as messages show it: an invalid one with its error.
impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error() {
            None => out.write_str(&self.text),
            Some(error) => write!(out, "{}, but pattern is invalid: {error}", self.text),
        }
    }
}

impl Text {
    /// The result of `stringValidator.Validate` (kube-openapi, validate/validator.go): at most one error.
    pub(super) fn fault(&self, text: &str) -> Option<TextFault<'_>> {
        if let Some(max) = self.max.filter(|&max| longer_than(text, max)) {
            return Some(TextFault::TooLong(max));
        }
        if let Some(min) = self.min.filter(|&min| shorter_than(text, min)) {
            return Some(TextFault::TooShort(min));
        }
        let pattern = self.pattern.as_ref()?;
        (!pattern.matches(text)).then_some(TextFault::NoMatch(pattern))
    }
}

// A string never has more characters than bytes, and a character takes at most four bytes, so most strings
// need no counting.

pub(crate) fn longer_than(text: &str, max: i64) -> bool {
    text.len() as i64 > max && text.chars().count() as i64 > max
}

pub(crate) fn shorter_than(text: &str, min: i64) -> bool {
    (text.len() as i64) < min || ((text.len() as i64) / 4 < min && (text.chars().count() as i64) < min)
}
