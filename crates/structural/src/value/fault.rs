//! Messages of kube-openapi (validation/errors), and how the API server turns them into field errors
//! (`kubeOpenAPIResultToFieldErrors`). Knows texts, not when they apply.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Path, Value};
use kindsmith_schema::Str;

use super::enumeration::Enumeration;
use super::name::Name;
use super::number::{GoNumber, NumberFault};
use super::text::TextFault;
use super::types::Mismatch;
use kindsmith_object::go_value::bad_value;
use kindsmith_object::{About, BadValue, Detail, ErrorKind, FieldError, Keyword};

impl From<GoNumber> for BadValue {
    fn from(number: GoNumber) -> Self {
        match number {
            GoNumber::Int(int) => Self::Integer(int.into()),
            GoNumber::Float(float) => Self::Float(float),
        }
    }
}

/// The origin of errors about numbers that are beyond their type and format.
pub const NUMERIC_RANGE: &str = "numericRange";

/// Errors in the order found. If several have the same text, the first is kept.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    errors: Vec<FieldError>,
    /// The texts of those that show another one, by their places.
    hidden: Vec<(usize, Str)>,
    /// The texts of all, once there are many.
    known: Option<HashSet<Str>>,
}

/// An error, and the text that identifies it if that is not shown.
#[derive(Debug)]
pub(crate) struct Fault {
    hidden: Option<Str>,
    error: FieldError,
}

impl Fault {
    /// The same with another text to show.
    fn showing(mut self, detail: Detail) -> Self {
        if let Detail::Text(text) = std::mem::replace(&mut self.error.detail, detail) {
            self.hidden = Some(text);
        }
        self
    }

    fn text(&self) -> Str {
        self.hidden.clone().unwrap_or_else(|| shown(&self.error))
    }
}

fn shown(error: &FieldError) -> Str {
    match &error.detail {
        Detail::Text(text) => text.clone(),
        _ => Str::default(),
    }
}

/// Up to this many errors, comparing with all is cheaper than a set.
const FEW: usize = 16;

impl Faults {
    pub(super) fn len(&self) -> usize {
        self.errors.len()
    }

    pub(crate) fn add(&mut self, fault: Fault) {
        if !self.is_new(&fault) {
            return;
        }
        if let Some(hidden) = fault.hidden {
            self.hidden.push((self.errors.len(), hidden));
        }
        self.errors.push(fault.error);
    }

    fn is_new(&mut self, fault: &Fault) -> bool {
        if self.errors.is_empty() {
            return true;
        }
        let text = fault.text();
        match &mut self.known {
            Some(known) => known.insert(text),
            None if self.errors.len() < FEW => (0..self.errors.len()).all(|place| self.text(place) != text),
            None => {
                let mut known: HashSet<Str> = (0..self.errors.len()).map(|place| self.text(place)).collect();
                let is_new = known.insert(text);
                self.known = Some(known);
                is_new
            }
        }
    }

    fn text(&self, place: usize) -> Str {
        let hidden = self.hidden.iter().find(|(other, _)| *other == place);
        hidden.map_or_else(|| shown(&self.errors[place]), |(_, text)| text.clone())
    }

    /// Adds an error that is never the same as another one; after it, only such are added.
    pub(crate) fn push(&mut self, error: FieldError) {
        self.errors.push(error);
    }

    pub(super) fn append(&mut self, other: Self) {
        let mut hidden = other.hidden.into_iter().peekable();
        for (place, error) in other.errors.into_iter().enumerate() {
            let hidden = hidden.next_if(|(other, _)| *other == place).map(|(_, text)| text);
            self.add(Fault { hidden, error });
        }
    }

    /// Drops all but the first `len` errors.
    pub(super) fn truncate(&mut self, len: usize) {
        if let Some(mut known) = self.known.take() {
            for place in len..self.errors.len() {
                known.remove(&self.text(place));
            }
            self.known = Some(known);
        }
        self.errors.truncate(len);
        self.hidden.retain(|(place, _)| *place < len);
    }

    pub(crate) fn into_errors(self) -> Vec<FieldError> {
        self.errors
    }
}

/// The place of an error.
#[derive(Clone, Copy)]
pub(crate) struct Site<'s> {
    pub(crate) base: &'s Path<'s>,
    pub(crate) name: &'s Name<'s>,
}

impl Site<'_> {
    /// What is said about the value: its name, words, something that is shown, and more words.
    fn in_body(&self, words: &str, shown: impl fmt::Display, more: &str) -> Str {
        // Long enough for most, so that the text does not move while it grows.
        let mut text = String::with_capacity(120);
        let named = self.name.write(&mut text);
        text.push_str(" in body ");
        text.push_str(words);
        let written = named.and_then(|_| write!(text, "{shown}"));
        debug_assert!(written.is_ok(), "strings take any text");
        text.push_str(more);
        text.as_str().into()
    }

    fn fault(&self, kind: ErrorKind, bad: BadValue, text: Str) -> Fault {
        let path = self.name.path(self.base);
        let error = FieldError::new(kind, path, bad, Detail::Text(text));
        Fault { hidden: None, error }
    }

    /// An error about a keyword that its kind does not name.
    fn keyword(&self, keyword: Keyword, bad: BadValue, text: Str) -> Fault {
        let mut fault = self.fault(ErrorKind::Invalid, bad, text);
        fault.error.about = Some(About::Keyword(keyword));
        fault
    }

    /// An error that upstream reports without a name.
    fn nameless(&self, keyword: Keyword, text: String) -> Fault {
        let error = FieldError::invalid(self.base, "", text).about(About::Keyword(keyword));
        Fault { hidden: None, error }
    }

    pub(super) fn wrong_type(&self, mismatch: Mismatch<'_>) -> Fault {
        self.wrong(mismatch.want, mismatch.actual)
    }

    pub(crate) fn wrong_format(&self, format: &str, text: &str) -> Fault {
        self.wrong(format, text)
    }

    fn wrong(&self, want: &str, actual: &str) -> Fault {
        let text = self.in_body("must be of type ", format_args!("{want}: {}", quote(actual)), "");
        self.fault(ErrorKind::TypeInvalid, BadValue::Text(actual.into()), text)
    }

    pub(crate) fn text(&self, fault: TextFault<'_>, value: &str) -> Fault {
        let bad = BadValue::Text(value.into());
        match fault {
            TextFault::TooLong(max) => {
                let text = self.in_body("should be at most ", max, " chars long");
                let fault = self.fault(ErrorKind::TooLong, BadValue::Omitted, text);
                fault.showing(match max {
                    ..0 => Detail::Text("value is too long".into()),
                    _ => Detail::AtMostBytes(max),
                })
            }
            TextFault::TooShort(min) => {
                let text = self.in_body("should be at least ", min, " chars long");
                self.keyword(Keyword::MinLength, bad, text)
            }
            TextFault::NoMatch(pattern) => self.no_match(pattern, bad),
        }
    }

    pub(crate) fn no_match(&self, pattern: impl fmt::Display, bad: BadValue) -> Fault {
        let text = self.in_body("should match '", pattern, "'");
        self.keyword(Keyword::Pattern, bad, text)
    }

    pub(crate) fn number(&self, fault: NumberFault) -> Fault {
        let name = self.name;
        let (keyword, value, text) = match fault {
            NumberFault::Range(what, range) => {
                let text = format!("{what} value must be of type {} in {name}", range.name());
                let mut fault = self.nameless(Keyword::Type, text);
                fault.error.origin = NUMERIC_RANGE.into();
                return fault;
            }
            NumberFault::Factor(factor) => {
                let text = format!("factor MultipleOf declared for {name} must be positive: {factor}");
                (Keyword::MultipleOf, factor, text.into())
            }
            NumberFault::NotMultiple { value, of } => {
                let text = self.in_body("should be a multiple of ", of, "");
                (Keyword::MultipleOf, value, text)
            }
            NumberFault::TooSmall {
                value,
                limit,
                exclusive,
            } => (
                Keyword::Minimum,
                value,
                self.in_body(
                    if exclusive {
                        "should be greater than "
                    } else {
                        "should be greater than or equal to "
                    },
                    limit,
                    "",
                ),
            ),
            NumberFault::TooLarge {
                value,
                limit,
                exclusive,
            } => (
                Keyword::Maximum,
                value,
                self.in_body(
                    if exclusive {
                        "should be less than "
                    } else {
                        "should be less than or equal to "
                    },
                    limit,
                    "",
                ),
            ),
        };
        self.keyword(keyword, value.into(), text)
    }

    pub(super) fn not_listed(&self, enumeration: &Enumeration, value: Value<'_>) -> Fault {
        self.unlisted(&enumeration.printed(), enumeration.shown(), bad_value(value))
    }

    /// A value that is none of those `shown`, which are `printed` as Go prints a list.
    pub(crate) fn unlisted(&self, printed: &str, shown: Vec<Str>, bad: BadValue) -> Fault {
        let text = self.in_body("should be one of [", printed, "]");
        let fault = self.fault(ErrorKind::NotSupported, bad, text);
        fault.showing(Detail::Supported(shown))
    }

    pub(crate) fn too_few(&self, keyword: Keyword, count: usize, min: i64) -> Fault {
        let what = match keyword {
            Keyword::MinProperties => "properties",
            _ => "items",
        };
        let text = self.in_body("should have at least ", format_args!("{min} {what}"), "");
        self.keyword(keyword, count.into(), text)
    }

    pub(crate) fn too_many(&self, what: &str, count: usize, max: i64) -> Fault {
        let text = self.in_body("should have at most ", format_args!("{max} {what}"), "");
        let fault = self.fault(ErrorKind::TooMany, BadValue::Integer(count as i128), text);
        fault.showing(match max {
            ..0 => Detail::Text("has too many items".into()),
            _ => Detail::AtMostItems(max),
        })
    }

    pub(crate) fn repeated(&self) -> Fault {
        let text = self.in_body("shouldn't contain duplicates", "", "");
        self.fault(ErrorKind::Invalid, BadValue::Text("".into()), text)
    }

    pub(super) fn forbidden(&self, key: &str) -> Fault {
        let text = format!("{}.{key} in body is a forbidden property", self.name);
        self.fault(ErrorKind::Invalid, BadValue::Text(key.into()), text.into())
    }

    /// The name is that of the missing member.
    pub(crate) fn required(&self) -> Fault {
        let text = self.in_body("is required", "", "");
        let fault = self.fault(ErrorKind::Required, BadValue::Text("".into()), text);
        fault.showing(Detail::None)
    }

    pub(super) fn none_of_any(&self) -> Fault {
        self.junctor(Keyword::AnyOf, "must validate at least one schema (anyOf)")
    }

    pub(super) fn not_one(&self, valid: usize) -> Fault {
        let found = match valid {
            0 => "Found none valid".to_owned(),
            _ => format!("Found {valid} valid alternatives"),
        };
        self.junctor(
            Keyword::OneOf,
            &format!("must validate one and only one schema (oneOf). {found}"),
        )
    }

    pub(super) fn not_all(&self, valid: usize) -> Fault {
        let none = if valid == 0 { ". None validated" } else { "" };
        self.junctor(
            Keyword::AllOf,
            &format!("must validate all the schemas (allOf){none}"),
        )
    }

    pub(super) fn refused(&self) -> Fault {
        self.junctor(Keyword::Not, "must not validate the schema (not)")
    }

    fn junctor(&self, keyword: Keyword, text: &str) -> Fault {
        self.nameless(keyword, format!("{} {text}", quote(&self.name.to_string())))
    }
}
