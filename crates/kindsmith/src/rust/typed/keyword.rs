//! Keywords of a published schema. Each is about values of one form and lets the others pass, as in a CRD; a value whose form is
//! not known does not.

use std::sync::OnceLock;

use kindsmith_formats::strfmt::{self, Applies};
use kindsmith_gostd::regexp::Regexp;

use super::View;

/// `minLength` and `maxLength`, in characters.
#[inline(always)]
#[must_use]
pub fn length(value: View<'_>, min: u64, max: u64) -> bool {
    match value {
        View::Text(text) => {
            let bytes = text.len() as u64;
            // Characters never outnumber bytes, and take at most four.
            (bytes <= max && bytes / 4 >= min) || {
                let count = text.chars().count() as u64;
                count >= min && count <= max
            }
        }
        View::Opaque => false,
        _ => true,
    }
}

/// `minimum` and `maximum` of an integer, and the range of its format.
#[inline(always)]
#[must_use]
pub fn range(value: View<'_>, min: i64, max: i64) -> bool {
    match value {
        View::Int(number) => number >= min && number <= max,
        View::Opaque | View::Float(_) => false,
        _ => true,
    }
}

/// `minimum` and `maximum` of a number.
#[inline(always)]
#[must_use]
pub fn bounds(value: View<'_>, min: f64, max: f64) -> bool {
    match value {
        // Without a fraction it is an integer, and so are its limits then.
        View::Float(number) if whole(number).is_some() => number >= min.trunc() && number <= max.trunc(),
        View::Float(number) => number >= min && number <= max,
        View::Opaque | View::Int(_) => false,
        _ => true,
    }
}

/// A number without a fraction, as JSON has it after it was stored.
pub(crate) fn whole(number: f64) -> Option<i64> {
    const LIMIT: f64 = (1_u64 << 63) as f64;
    let fits = number.fract() == 0.0 && (-LIMIT..LIMIT).contains(&number);
    fits.then_some(number as i64)
}

/// `multipleOf`, of integers.
#[inline]
#[must_use]
pub fn multiple(value: View<'_>, of: i64) -> bool {
    match value {
        View::Int(number) => of > 0 && number % of == 0,
        View::Opaque | View::Float(_) => false,
        _ => true,
    }
}

/// `minItems` and `maxItems`.
#[inline(always)]
#[must_use]
pub fn items(value: View<'_>, min: u64, max: u64) -> bool {
    match value {
        View::List(items) => count(items.len(), min, max),
        View::Opaque => false,
        _ => true,
    }
}

/// `minProperties` and `maxProperties` of a map.
#[inline(always)]
#[must_use]
pub fn properties(value: View<'_>, min: u64, max: u64) -> bool {
    match value {
        View::Map(entries) => count(entries.len(), min, max),
        View::Opaque | View::Object(_) => false,
        _ => true,
    }
}

/// Whether a number of items or entries is allowed.
#[inline(always)]
#[must_use]
pub fn count(count: usize, min: u64, max: u64) -> bool {
    let count = count as u64;
    count >= min && count <= max
}

/// `enum`, of texts.
#[inline]
#[must_use]
pub fn one_of(value: View<'_>, allowed: &[&str]) -> bool {
    match value {
        View::Text(text) => allowed.contains(&text),
        _ => false,
    }
}

/// `format`, of texts.
#[must_use]
pub fn format(value: View<'_>, name: &str) -> bool {
    match value {
        View::Text(text) => strfmt::find(Applies::String, name).is_none_or(|format| (format.check)(text)),
        View::Opaque => false,
        _ => true,
    }
}

/// `pattern`: compiled on first use.
#[derive(Debug)]
pub struct Pattern {
    text: &'static str,
    matcher: OnceLock<Option<Regexp>>,
}

impl Pattern {
    /// A regular expression of Go.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self {
            text,
            matcher: OnceLock::new(),
        }
    }

    /// Whether a text matches.
    #[inline]
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        let matcher = self.matcher.get_or_init(|| Regexp::new(self.text).ok());
        matcher.as_ref().is_some_and(|matcher| matcher.is_match(text))
    }

    /// The expression, if it is one.
    #[must_use]
    pub fn valid(&self) -> Option<&'static str> {
        let matcher = self.matcher.get_or_init(|| Regexp::new(self.text).ok());
        matcher.as_ref().map(|_| self.text)
    }

    /// The keyword.
    #[inline]
    #[must_use]
    pub fn holds(&self, value: View<'_>) -> bool {
        match value {
            View::Text(text) => self.is_match(text),
            View::Opaque => false,
            _ => true,
        }
    }
}
