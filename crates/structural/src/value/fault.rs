//! Messages of kube-openapi (validation/errors), and how the API server turns them into field errors
//! (`kubeOpenAPIResultToFieldErrors`). Knows texts, not when they apply.

use std::cell::RefCell;
use std::collections::HashSet;

use kindsmith_gostd::quote::quote;
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Path, Value};
use kindsmith_schema::Str;

use super::enumeration::Enumeration;
use super::name::Name;
use super::number::{GoNumber, NumberFault};
use super::shown::{Counted, Other, Shown};
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
    /// The texts of those that show another one, by their places, in order.
    hidden: Vec<(usize, Str)>,
    /// The texts of all, once there are many.
    known: Option<HashSet<Str>>,
}

/// What an error is made of; the error itself is made if its text is new.
#[derive(Debug)]
pub(crate) struct Fault<'s> {
    site: Site<'s>,
    /// Whether upstream reports it without the name of the value.
    is_nameless: bool,
    kind: ErrorKind,
    bad: BadValue,
    /// The text that identifies it.
    text: Str,
    /// What is shown instead of the text.
    shown: Option<Detail>,
    about: Option<About>,
    origin: &'static str,
}

impl Fault<'_> {
    /// The same with something else to show.
    fn showing(mut self, detail: Detail) -> Self {
        self.shown = Some(detail);
        self
    }

    fn path(&self) -> PathBuf {
        if self.is_nameless {
            return self.site.base.to_owned();
        }
        self.site.name.path(self.site.base)
    }
}

/// Up to this many errors, comparing with all is cheaper than a set.
const FEW: usize = 16;

impl Faults {
    pub(super) fn len(&self) -> usize {
        self.errors.len()
    }

    pub(crate) fn add(&mut self, fault: Fault<'_>) {
        if !self.is_new(&fault.text) {
            return;
        }
        let path = fault.path();
        let detail = match fault.shown {
            Some(shown) => {
                self.hidden.push((self.errors.len(), fault.text));
                shown
            }
            None => Detail::Text(fault.text),
        };
        let mut error = FieldError::new(fault.kind, path, fault.bad, detail);
        error.about = fault.about;
        error.origin = fault.origin.into();
        self.errors.push(error);
    }

    fn is_new(&mut self, text: &Str) -> bool {
        if let Some(known) = &mut self.known {
            return known.insert(text.clone());
        }
        let mut texts = (0..self.errors.len()).filter_map(|place| self.text(place));
        if self.errors.len() < FEW {
            return texts.all(|known| known != text);
        }
        let mut known: HashSet<Str> = texts.cloned().collect();
        let is_new = known.insert(text.clone());
        self.known = Some(known);
        is_new
    }

    fn text(&self, place: usize) -> Option<&Str> {
        let hidden = self.hidden.binary_search_by_key(&place, |(other, _)| *other);
        match (hidden, &self.errors[place].detail) {
            (Ok(found), _) => Some(&self.hidden[found].1),
            (Err(_), Detail::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Adds an error that is never the same as another one; after it, only such are added.
    pub(crate) fn push(&mut self, error: FieldError) {
        self.errors.push(error);
    }

    pub(super) fn append(&mut self, other: Self) {
        let mut hidden = other.hidden.into_iter().peekable();
        for (place, error) in other.errors.into_iter().enumerate() {
            let hidden = hidden.next_if(|(other, _)| *other == place).map(|(_, text)| text);
            let is_new = match (&hidden, &error.detail) {
                (Some(text), _) | (None, Detail::Text(text)) => self.is_new(text),
                _ => true,
            };
            if is_new {
                self.hidden.extend(hidden.map(|text| (self.errors.len(), text)));
                self.errors.push(error);
            }
        }
    }

    /// Drops all but the first `len` errors.
    pub(super) fn truncate(&mut self, len: usize) {
        if let Some(mut known) = self.known.take() {
            let dropped = (len..self.errors.len()).filter_map(|place| self.text(place));
            for text in dropped {
                known.remove(text);
            }
            self.known = Some(known);
        }
        self.errors.truncate(len);
        let hidden = self.hidden.partition_point(|(place, _)| *place < len);
        self.hidden.truncate(hidden);
    }

    pub(crate) fn into_errors(self) -> Vec<FieldError> {
        self.errors
    }
}

/// How many bytes are kept for the next text.
const MOST_DRAFT: usize = 1024;

thread_local! {
    /// Where a text is written while its length is not known, so that it is allocated once.
    static DRAFT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The place of an error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'s> {
    pub(crate) base: &'s Path<'s>,
    pub(crate) name: &'s Name<'s>,
}

impl<'s> Site<'s> {
    /// What is said about the value: its name, words, something that is shown, and more words.
    fn in_body(&self, words: &str, shown: &(impl Shown + ?Sized), more: &str) -> Str {
        DRAFT.with_borrow_mut(|text| {
            text.clear();
            let named = self.name.write(text);
            debug_assert!(named.is_ok(), "strings take any text");
            text.push_str(" in body ");
            text.push_str(words);
            shown.write(text);
            text.push_str(more);
            let complete = text.as_str().into();
            text.shrink_to(MOST_DRAFT);
            complete
        })
    }

    fn fault(&self, kind: ErrorKind, bad: BadValue, text: Str) -> Fault<'s> {
        Fault {
            site: *self,
            is_nameless: false,
            kind,
            bad,
            text,
            shown: None,
            about: None,
            origin: "",
        }
    }

    /// An error about a keyword that its kind does not name.
    fn keyword(&self, keyword: Keyword, bad: BadValue, text: Str) -> Fault<'s> {
        Fault {
            about: Some(About::Keyword(keyword)),
            ..self.fault(ErrorKind::Invalid, bad, text)
        }
    }

    /// An error that upstream reports without a name.
    fn nameless(&self, keyword: Keyword, text: String) -> Fault<'s> {
        Fault {
            is_nameless: true,
            ..self.keyword(keyword, "".into(), text.into())
        }
    }

    pub(super) fn wrong_type(&self, mismatch: Mismatch<'_>) -> Fault<'s> {
        self.wrong(mismatch.want, mismatch.actual)
    }

    pub(crate) fn wrong_format(&self, format: &str, text: &str) -> Fault<'s> {
        self.wrong(format, text)
    }

    fn wrong(&self, want: &str, actual: &str) -> Fault<'s> {
        let text = self.in_body("must be of type ", &Other { want, actual }, "");
        self.fault(ErrorKind::TypeInvalid, BadValue::Text(actual.into()), text)
    }

    pub(crate) fn text(&self, fault: TextFault<'_>, value: &str) -> Fault<'s> {
        let bad = BadValue::Text(value.into());
        match fault {
            TextFault::TooLong(max) => {
                let text = self.in_body("should be at most ", &max, " chars long");
                let fault = self.fault(ErrorKind::TooLong, BadValue::Omitted, text);
                fault.showing(match max {
                    ..0 => Detail::Text("value is too long".into()),
                    _ => Detail::AtMostBytes(max),
                })
            }
            TextFault::TooShort(min) => {
                let text = self.in_body("should be at least ", &min, " chars long");
                self.keyword(Keyword::MinLength, bad, text)
            }
            TextFault::NoMatch(pattern) => self.no_match(pattern, bad),
        }
    }

    pub(crate) fn no_match(&self, pattern: &(impl Shown + ?Sized), bad: BadValue) -> Fault<'s> {
        let text = self.in_body("should match '", pattern, "'");
        self.keyword(Keyword::Pattern, bad, text)
    }

    pub(crate) fn number(&self, fault: NumberFault) -> Fault<'s> {
        let name = self.name;
        let (keyword, value, text) = match fault {
            NumberFault::Range(what, range) => {
                let text = format!("{what} value must be of type {} in {name}", range.name());
                return Fault {
                    origin: NUMERIC_RANGE,
                    ..self.nameless(Keyword::Type, text)
                };
            }
            NumberFault::Factor(factor) => {
                let text = format!("factor MultipleOf declared for {name} must be positive: {factor}");
                (Keyword::MultipleOf, factor, text.into())
            }
            NumberFault::NotMultiple { value, of } => {
                let text = self.in_body("should be a multiple of ", &of, "");
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
                    &limit,
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
                    &limit,
                    "",
                ),
            ),
        };
        self.keyword(keyword, value.into(), text)
    }

    pub(super) fn not_listed(&self, enumeration: &Enumeration, value: Value<'_>) -> Fault<'s> {
        self.unlisted(&enumeration.printed(), enumeration.shown(), bad_value(value))
    }

    /// A value that is none of those `shown`, which are `printed` as Go prints a list.
    pub(crate) fn unlisted(&self, printed: &str, shown: Vec<Str>, bad: BadValue) -> Fault<'s> {
        let text = self.in_body("should be one of [", printed, "]");
        let fault = self.fault(ErrorKind::NotSupported, bad, text);
        fault.showing(Detail::Supported(shown))
    }

    pub(crate) fn too_few(&self, keyword: Keyword, count: usize, min: i64) -> Fault<'s> {
        let what = match keyword {
            Keyword::MinProperties => "properties",
            _ => "items",
        };
        let text = self.in_body("should have at least ", &Counted { count: min, what }, "");
        self.keyword(keyword, count.into(), text)
    }

    pub(crate) fn too_many(&self, what: &str, count: usize, max: i64) -> Fault<'s> {
        let text = self.in_body("should have at most ", &Counted { count: max, what }, "");
        let fault = self.fault(ErrorKind::TooMany, BadValue::Integer(count as i128), text);
        fault.showing(match max {
            ..0 => Detail::Text("has too many items".into()),
            _ => Detail::AtMostItems(max),
        })
    }

    pub(crate) fn repeated(&self) -> Fault<'s> {
        let text = self.in_body("shouldn't contain duplicates", "", "");
        self.fault(ErrorKind::Invalid, BadValue::Text("".into()), text)
    }

    pub(super) fn forbidden(&self, key: &str) -> Fault<'s> {
        let text = format!("{}.{key} in body is a forbidden property", self.name);
        self.fault(ErrorKind::Invalid, BadValue::Text(key.into()), text.into())
    }

    /// The name is that of the missing member.
    pub(crate) fn required(&self) -> Fault<'s> {
        let text = self.in_body("is required", "", "");
        let fault = self.fault(ErrorKind::Required, BadValue::Text("".into()), text);
        fault.showing(Detail::None)
    }

    pub(super) fn none_of_any(&self) -> Fault<'s> {
        self.junctor(Keyword::AnyOf, "must validate at least one schema (anyOf)")
    }

    pub(super) fn not_one(&self, valid: usize) -> Fault<'s> {
        let found = match valid {
            0 => "Found none valid".to_owned(),
            _ => format!("Found {valid} valid alternatives"),
        };
        self.junctor(
            Keyword::OneOf,
            &format!("must validate one and only one schema (oneOf). {found}"),
        )
    }

    pub(super) fn not_all(&self, valid: usize) -> Fault<'s> {
        let none = if valid == 0 { ". None validated" } else { "" };
        self.junctor(
            Keyword::AllOf,
            &format!("must validate all the schemas (allOf){none}"),
        )
    }

    pub(super) fn refused(&self) -> Fault<'s> {
        self.junctor(Keyword::Not, "must not validate the schema (not)")
    }

    fn junctor(&self, keyword: Keyword, text: &str) -> Fault<'s> {
        self.nameless(keyword, format!("{} {text}", quote(&self.name.to_string())))
    }
}
