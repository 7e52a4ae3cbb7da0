//! What can hold at a place, each with the error that code gives.

use std::collections::HashSet;

use kindsmith_engine::OptionSet;
use kindsmith_formats::format::{self, ViolationKind};
use kindsmith_json::{Path, Value, to_string};
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};

use super::place::{self, Spot};
use crate::field::Errors;
use crate::field_check::{entries, immutable, invalid, items, not_supported, number, required, text};
use crate::types::words;

/// What holds at a place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Requirement {
    /// Set, and not to Go's zero value.
    Required,
    /// A pointer that is set.
    Present,
    /// Does not change.
    Fixed,
    /// Does not change from one value to another.
    Settled,
    /// Stays set.
    Kept,
    /// At least this number; a pointer's zero is checked.
    Least(i64),
    /// At least this number, while an option is off or on.
    LeastIf(&'static str, bool, i64),
    /// At most this many items.
    MostItems(usize),
    /// At most this many bytes.
    MostBytes(usize),
    /// At most this many characters.
    MostCharacters(usize),
    /// One of the words of a Go enum, or empty.
    OneOf(&'static str),
    /// Text of a format, or empty.
    Named(&'static str),
    /// Text of a format; the text of a pointer may not be empty.
    NamedPointer(&'static str),
    /// Keys of a format.
    Keys(&'static str),
    /// No two items with the same values of these members; of none, no two equal items.
    Distinct(&'static [&'static str]),
    /// Code for all that is not one of these.
    Code(fn(&Spot<'_, '_>, &mut Errors)),
    /// The strategy finds it: errors of a type whose text contains these words are those of the tag with this name.
    Found(ErrorKind, &'static str, &'static str),
}

impl Requirement {
    /// Whether an error keeps other rules from being checked here and below.
    pub(super) fn stops(self) -> bool {
        matches!(
            self,
            Requirement::Required
                | Requirement::Present
                | Requirement::Fixed
                | Requirement::MostItems(_)
                | Requirement::Settled
                | Requirement::Kept
        )
    }

    /// The name of the tag that finds an error of the strategy too.
    pub(super) fn finds(self, at: &str, error: &FieldError) -> Option<&'static str> {
        let Requirement::Found(kind, origin, words) = self else {
            return None;
        };
        let is_it = error.kind == kind && place::names(at, &error.path) && error.to_string().contains(words);
        is_it.then_some(origin)
    }

    pub(super) fn check(self, options: &OptionSet, spot: &Spot<'_, '_>, errors: &mut Errors) {
        // What an update leaves alone was checked before.
        if spot.has_old && spot.value == spot.old {
            return;
        }
        let was_set = spot.has_old && !is_zero(spot.old);
        match self {
            Requirement::Required if is_zero(spot.value) => errors.push(required(spot.path, "")),
            Requirement::Present if spot.value.is_none() => errors.push(required(spot.path, "")),
            Requirement::Fixed if spot.has_old => immutable(spot.path, shown(spot), errors),
            Requirement::Settled if was_set && !is_zero(spot.value) => {
                errors.push(of_update(spot.path, "field cannot be modified once set"));
            }
            Requirement::Kept if was_set && is_zero(spot.value) => {
                errors.push(of_update(spot.path, "field cannot be cleared once set"));
            }
            Requirement::Least(least) => at_least(least, spot, errors),
            Requirement::LeastIf(option, is_on, least) if options.get(option) == Some(is_on) => {
                at_least(least, spot, errors);
            }
            Requirement::MostItems(most) => at_most_items(most, spot, errors),
            Requirement::MostBytes(most) => {
                let detail = Detail::AtMostBytes(most as i64);
                at_most(text(spot.value).len(), most, detail, "maxBytes", spot, errors);
            }
            Requirement::MostCharacters(most) => {
                let detail = Detail::AtMostCharacters(most as i64);
                let count = text(spot.value).chars().count();
                at_most(count, most, detail, "maxLength", spot, errors);
            }
            Requirement::OneOf(name) if !is_zero(spot.value) && !words(name).contains(&text(spot.value)) => {
                errors.push(not_supported(spot.path, text(spot.value), words(name)));
            }
            Requirement::Named(name) if !is_zero(spot.value) => {
                named(name, spot.path, text(spot.value), errors);
            }
            Requirement::NamedPointer(name) if spot.value.is_some() => {
                named(name, spot.path, text(spot.value), errors);
            }
            Requirement::Keys(name) => {
                for (key, _) in entries(spot.value) {
                    named(name, spot.path, key, errors);
                }
            }
            Requirement::Distinct(keys) => distinct(keys, spot, errors),
            Requirement::Code(check) => check(spot, errors),
            _ => {}
        }
    }
}

/// Whether Go has its zero value here.
fn is_zero(value: Option<Value<'_>>) -> bool {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => true,
        Some(Value::Str(text)) => text.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(members)) => members.is_empty(),
        Some(value) => value.as_i64() == Some(0),
    }
}

fn shown(spot: &Spot<'_, '_>) -> BadValue {
    match spot.value {
        Some(Value::Str(text)) => BadValue::Text(text.into()),
        value => crate::go_value::json::as_go(value),
    }
}

fn of_update(path: &Path<'_>, detail: &'static str) -> FieldError {
    FieldError {
        origin: "update".into(),
        ..invalid(path, BadValue::Nil, detail)
    }
}

fn at_least(least: i64, spot: &Spot<'_, '_>, errors: &mut Errors) {
    let found = number(spot.value);
    if spot.value.is_some() && found < least {
        let detail = Detail::AtLeast(least.to_string().into());
        let bad = BadValue::Integer(found.into());
        let error = FieldError::new(ErrorKind::Invalid, spot.path.to_owned(), bad, detail);
        errors.push(FieldError {
            origin: "minimum".into(),
            ..error
        });
    }
}

fn at_most_items(most: usize, spot: &Spot<'_, '_>, errors: &mut Errors) {
    let count = items(spot.value).len();
    if count > most {
        let bad = BadValue::Integer((count as i64).into());
        let detail = Detail::AtMostItems(most as i64);
        let error = FieldError::new(ErrorKind::TooMany, spot.path.to_owned(), bad, detail);
        errors.push(FieldError {
            origin: "maxItems".into(),
            ..error
        });
    }
}

fn at_most(
    count: usize,
    most: usize,
    detail: Detail,
    origin: &'static str,
    spot: &Spot<'_, '_>,
    errors: &mut Errors,
) {
    if count > most {
        let error = FieldError::new(
            ErrorKind::TooLong,
            spot.path.to_owned(),
            BadValue::Omitted,
            detail,
        );
        errors.push(FieldError {
            origin: origin.into(),
            ..error
        });
    }
}

fn named(name: &'static str, path: &Path<'_>, value: &str, errors: &mut Errors) {
    let Some(format) = format::find(name) else {
        return;
    };
    (format.check)(value, &mut |violation| {
        let error = match violation.kind {
            ViolationKind::TooLong { limit } => crate::field_check::too_long(path, limit as i64),
            ViolationKind::Invalid => invalid(path, BadValue::Text(violation.bad.into()), violation.detail),
        };
        errors.push(FieldError {
            origin: format!("format={name}").into(),
            ..error
        });
    });
}

fn distinct(keys: &[&str], spot: &Spot<'_, '_>, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for (index, &item) in items(spot.value).iter().enumerate() {
        let key: Vec<String> = match keys {
            [] => vec![to_string(item)],
            keys => keys.iter().map(|key| key_text(item, key)).collect(),
        };
        if !seen.insert(key) {
            let bad = crate::go_value::json::as_go(Some(item));
            let path = spot.path.index(index).to_owned();
            errors.push(FieldError::new(ErrorKind::Duplicate, path, bad, Detail::None));
        }
    }
}

/// A member as text; an empty one is absent.
fn key_text(item: Value<'_>, key: &str) -> String {
    match item.get(key) {
        None | Some(Value::Null | Value::Str("")) => String::new(),
        Some(value) => to_string(value),
    }
}
