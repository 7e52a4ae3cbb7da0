//! `maxLength`, `minLength` and `pattern`. Knows strings, not where they stand.

use kindsmith_scalar::regexp::Regexp;
use kindsmith_schema::Str;

/// What a string must look like.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) max: Option<i64>,
    pub(super) min: Option<i64>,
    pub(super) pattern: Option<Pattern>,
}

/// A regular expression, compiled once.
#[derive(Debug)]
pub(super) struct Pattern {
    matcher: Option<Regexp>,
    /// What error texts show in its place.
    shown: Str,
}

/// The first thing wrong with a string.
#[derive(Debug, Clone, Copy)]
pub(super) enum TextFault<'t> {
    TooLong(i64),
    TooShort(i64),
    NoMatch(&'t str),
}

impl Pattern {
    pub(super) fn new(text: &Str) -> Self {
        match Regexp::new(text) {
            Ok(matcher) => Self {
                matcher: Some(matcher),
                shown: text.clone(),
            },
            Err(error) => Self {
                matcher: None,
                shown: format!("{text}, but pattern is invalid: {error}").into(),
            },
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
        let matches = pattern
            .matcher
            .as_ref()
            .is_some_and(|matcher| matcher.is_match(text));
        (!matches).then_some(TextFault::NoMatch(&pattern.shown))
    }
}

// Characters never outnumber bytes and are at most four bytes long, so most strings need no counting.

fn longer_than(text: &str, max: i64) -> bool {
    text.len() as i64 > max && text.chars().count() as i64 > max
}

fn shorter_than(text: &str, min: i64) -> bool {
    (text.len() as i64) < min || ((text.len() as i64) / 4 < min && (text.chars().count() as i64) < min)
}
