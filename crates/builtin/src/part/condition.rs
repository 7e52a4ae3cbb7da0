//! Conditions of a status as most kinds have them (`ValidateConditions` in apimachinery's pkg/apis/meta/v1/validation).

use std::collections::HashSet;

use kindsmith_formats::format::message;
use kindsmith_object::FieldError;

use crate::field::{Errors, Field};
use crate::field_check::{duplicate, invalid, too_long};
use crate::types::words;

const REASON_LIMIT: usize = 1024;
const MESSAGE_LIMIT: usize = 32 * 1024;
const REASON: &str = "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric \
                      characters or '_,:', and must end with an alphanumeric character or '_'";
/// The form of a condition's reason, for messages.
const REASON_FORM: &str = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const EXAMPLES: &[&str] = &[
    "my_name",
    "MY_NAME",
    "MyName",
    "ReasonA,ReasonB",
    "ReasonA:ReasonB",
];

/// Checks a list of conditions: each type occurs once.
pub(crate) fn validate(conditions: &Field<'_, '_>, errors: &mut Errors) {
    let mut types = HashSet::new();
    for condition in conditions.items() {
        let kind = condition.child("type").text();
        if !types.insert(kind) {
            errors.push(duplicate(&condition.path, kind));
        }
        validate_one(&condition, errors);
    }
}

fn validate_one(condition: &Field<'_, '_>, errors: &mut Errors) {
    let (kind, status) = (condition.child("type"), condition.child("status"));
    if kind.text().is_empty() {
        kind.required("is required", errors);
    } else {
        kind.label_key(errors);
    }
    match status.text() {
        "" => status.required("", errors),
        _ => status.one_of(words("meta/v1.ConditionStatus"), errors),
    }
    let generation = condition.child("observedGeneration");
    if generation.number() < 0 {
        let detail = "must be greater than or equal to zero";
        errors.push(FieldError {
            origin: "minimum".into(),
            ..invalid(&generation.path, generation.shown(), detail)
        });
    }
    if condition.child("lastTransitionTime").text().is_empty() {
        condition.child("lastTransitionTime").required("", errors);
    }
    validate_reason(&condition.child("reason"), errors);
    check_length(&condition.child("message"), MESSAGE_LIMIT, errors);
}

fn validate_reason(reason: &Field<'_, '_>, errors: &mut Errors) {
    if reason.text().is_empty() {
        return reason.required("", errors);
    }
    if !is_reason(reason.text()) {
        reason.invalid(message::regex(REASON, REASON_FORM, EXAMPLES), errors);
    }
    check_length(reason, REASON_LIMIT, errors);
}

fn check_length(field: &Field<'_, '_>, limit: usize, errors: &mut Errors) {
    if field.text().len() > limit {
        errors.push(FieldError {
            origin: "maxBytes".into(),
            ..too_long(&field.path, limit as i64)
        });
    }
}

fn is_reason(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_,:".contains(&byte);
    let starts = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    let ends = text
        .bytes()
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    starts && ends && text.bytes().all(is_part)
}
