//! Collects the errors in a CRD, in the order they are found. Knows the kinds of field errors, but no rule.

use std::collections::HashSet;

use kindsmith_json::{Path, Value, write};
use kindsmith_object::{BadValue, FieldError};
use kindsmith_schema::Json;

/// The field errors found so far.
#[derive(Debug, Default)]
pub(super) struct Faults {
    errors: Vec<FieldError>,
    crash: Option<String>,
}

impl Faults {
    pub(super) fn push(&mut self, error: FieldError) {
        self.errors.push(error);
    }

    pub(super) fn required(&mut self, path: &Path<'_>, detail: &str) {
        self.push(FieldError::required(path, detail));
    }

    pub(super) fn forbidden(&mut self, path: &Path<'_>, detail: &str) {
        self.push(FieldError::forbidden(path, detail));
    }

    pub(super) fn invalid(&mut self, path: &Path<'_>, bad: impl Into<BadValue>, detail: &str) {
        self.push(FieldError::invalid(path, bad, detail));
    }

    pub(super) fn not_supported(&mut self, path: &Path<'_>, bad: impl Into<BadValue>, supported: &[&str]) {
        self.push(FieldError::not_supported(path, bad, supported));
    }

    pub(super) fn duplicate(&mut self, path: &Path<'_>, bad: impl Into<BadValue>) {
        self.push(FieldError::duplicate(path, bad));
    }

    pub(super) fn internal(&mut self, path: &Path<'_>, detail: &str) {
        self.push(FieldError::internal(path, detail));
    }

    /// Kubernetes panics here and ends the request.
    pub(super) fn crash(&mut self, text: &str) {
        self.crash.get_or_insert_with(|| text.to_owned());
    }

    pub(super) fn len(&self) -> usize {
        self.errors.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    pub(super) fn append(&mut self, other: Faults) {
        self.errors.extend(other.errors);
        self.crash = self.crash.take().or(other.crash);
    }

    pub(super) fn extend(&mut self, errors: impl IntoIterator<Item = FieldError>) {
        self.errors.extend(errors);
    }

    /// Drops the errors that others have too, at the same place in the same words.
    pub(super) fn forgive(&mut self, others: &Faults) {
        let known: HashSet<String> = others.errors.iter().map(ToString::to_string).collect();
        self.errors.retain(|error| !known.contains(&error.to_string()));
    }

    /// Sorts by message, as upstream does where it collects from maps.
    pub(super) fn sort_by_text(&mut self) {
        self.errors.sort_by_cached_key(ToString::to_string);
    }

    pub(super) fn into_parts(self) -> (Vec<FieldError>, Option<String>) {
        (self.errors, self.crash)
    }

    pub(super) fn into_errors(self) -> Vec<FieldError> {
        self.errors
    }

    pub(super) fn errors(&self) -> &[FieldError] {
        &self.errors
    }
}

/// A Go slice of strings; a nil slice is `null`.
pub(super) fn json_list<T: AsRef<str>>(texts: &[T]) -> BadValue {
    if texts.is_empty() {
        return BadValue::Json("null".into());
    }
    let mut out = String::from("[");
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write::append_string(&mut out, text.as_ref(), write::Escape::Html);
    }
    out.push(']');
    BadValue::Json(out.into())
}

/// An untyped value: scalars as Go prints them, others as JSON.
pub(super) fn untyped(value: Value<'_>) -> BadValue {
    match value {
        Value::Null => BadValue::Nil,
        Value::Bool(truth) => BadValue::Bool(truth),
        Value::Int(number) => BadValue::Integer(number.into()),
        Value::Uint(number) => BadValue::Float(number as f64),
        Value::Float(number) => BadValue::Float(number),
        Value::Str(text) => text.into(),
        Value::Array(_) | Value::Object(_) => BadValue::Json(write::Format::GO.to_string(value).into()),
    }
}

/// Same, for a value in a schema.
pub(super) fn stored(json: &Json) -> BadValue {
    let arena = kindsmith_json::Arena::new();
    untyped(json.value(&arena))
}
