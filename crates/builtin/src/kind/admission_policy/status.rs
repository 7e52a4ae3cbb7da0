//! The status of a validating policy, which only controllers write (`validateValidatingAdmissionPolicyStatus`).

use crate::field::{Errors, Field};
use crate::part::condition;

pub(super) fn validate_status(status: &Field<'_, '_>, errors: &mut Errors) {
    let checking = status.child("typeChecking");
    for warning in checking.child("expressionWarnings").items() {
        let text = warning.child("warning");
        if text.text().is_empty() {
            text.required("", errors);
        }
        validate_field_ref(&warning.child("fieldRef"), errors);
    }
    condition::validate(&status.child("conditions"), errors);
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
