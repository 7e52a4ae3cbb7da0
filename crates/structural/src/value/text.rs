//! `maxLength`, `minLength` and `pattern`. Knows strings, not where they stand.

use std::fmt;
use std::sync::OnceLock;

use kindsmith_gostd::regexp::{self, Regexp};
use kindsmith_schema::Str;

/// What a string must look like.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) max: Option<i64>,
    pub(super) min: Option<i64>,
    pub(super) pattern: Option<Pattern>,
}

/// A regular expression, compiled when the first string asks for it: compiled ones are large, and many never serve.
#[derive(Debug)]
pub(super) struct Pattern {
    text: Str,
    matcher: OnceLock<Result<Regexp, regexp::Error>>,
}

/// The first thing wrong with a string.
#[derive(Debug, Clone, Copy)]
pub(super) enum TextFault<'t> {
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

    fn matches(&self, text: &str) -> bool {
        self.matcher()
            .as_ref()
            .is_ok_and(|matcher| matcher.is_match(text))
    }
}

/// The expression as error texts show it: a wrong one with what is wrong.
impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.matcher() {
            Ok(_) => out.write_str(&self.text),
            Err(error) => write!(out, "{}, but pattern is invalid: {error}", self.text),
        }
    }
}

impl Text {
    /// What `stringValidator.Validate` (kube-openapi, validate/validator.go) says: one fault at most.
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

// Characters never outnumber bytes and are at most four bytes long, so most strings need no counting.

fn longer_than(text: &str, max: i64) -> bool {
    text.len() as i64 > max && text.chars().count() as i64 > max
}

fn shorter_than(text: &str, min: i64) -> bool {
    (text.len() as i64) < min || ((text.len() as i64) / 4 < min && (text.chars().count() as i64) < min)
}
