//! The status of a validating policy, which only controllers write (`validateValidatingAdmissionPolicyStatus`).

use crate::field::{Errors, Field};

const REASON: &str = "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric \
                      characters or '_,:', and must end with an alphanumeric character or '_'";
/// The form of a condition's reason, for messages.
const REASON_FORM: &str = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";

pub(super) fn validate_status(status: &Field<'_, '_>, errors: &mut Errors) {
    let checking = status.child("typeChecking");
    for warning in checking.child("expressionWarnings").items() {
        let text = warning.child("warning");
        if text.text().is_empty() {
            text.required("", errors);
        }
        validate_field_ref(&warning.child("fieldRef"), errors);
    }
    for condition in status.child("conditions").items() {
        validate_condition(&condition, errors);
    }
}

/// A path must parse; brackets that stay open are all that can be wrong with what controllers write.
fn validate_field_ref(field: &Field<'_, '_>, errors: &mut Errors) {
    let text = field.text().trim();
    if text.is_empty() {
        return field.required("", errors);
    }
    let count = |letter: char| text.matches(letter).count();
    if count('[') > count(']') {
        field.invalid("invalid JSONPath: unterminated array", errors);
    }
}

/// What tags of a condition do not say.
fn validate_condition(condition: &Field<'_, '_>, errors: &mut Errors) {
    let (kind, status, reason) = (
        condition.child("type"),
        condition.child("status"),
        condition.child("reason"),
    );
    if kind.text().is_empty() {
        kind.required("is required", errors);
    } else {
        kind.label_key(errors);
    }
    match status.text() {
        "" => status.required("", errors),
        _ => status.one_of(&["False", "True", "Unknown"], errors),
    }
    if condition.child("lastTransitionTime").text().is_empty() {
        condition.child("lastTransitionTime").required("", errors);
    }
    match reason.text() {
        "" => reason.required("", errors),
        text if !is_reason(text) => {
            let detail = kindsmith_formats::format::message::regex(
                REASON,
                REASON_FORM,
                &[
                    "my_name",
                    "MY_NAME",
                    "MyName",
                    "ReasonA,ReasonB",
                    "ReasonA:ReasonB",
                ],
            );
            reason.invalid(detail, errors);
        }
        _ => {}
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
