//! Checks of `x-kubernetes-validations` that need no compilation.

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_schema::{JsonSchema, ValidationRule};
use kindsmith_structural::NotStructural;
use kindsmith_structural::rules::{Brackets, resolve_field_path};

use super::super::faults::Faults;

const REASONS: [&str; 4] = [
    "FieldValueDuplicate",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueRequired",
];

pub(super) fn check(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    if schema.validations.is_empty() {
        return;
    }
    let rules = path.child("x-kubernetes-validations");
    for (index, rule) in schema.validations.iter().enumerate() {
        let at = rules.index(index);
        texts(rule, &at, faults);
        if !rule.message_expression.is_empty() && trim(&rule.message_expression).is_empty() {
            let detail = "messageExpression must be non-empty if specified";
            faults.required(&at.child("messageExpression"), detail);
        }
        if let Some(reason) = rule.reason.as_deref().filter(|reason| !REASONS.contains(reason)) {
            faults.not_supported(&at.child("reason"), BadValue::json_text(reason), &REASONS);
        }
        place(schema, rule, &at.child("fieldPath"), faults);
    }
}

/// Reports at most one error per rule: an empty rule needs no message.
fn texts(rule: &ValidationRule, at: &Path<'_>, faults: &mut Faults) {
    let (expression, message) = (trim(&rule.rule), trim(&rule.message));
    let at_message = at.child("message");
    if expression.is_empty() {
        faults.required(&at.child("rule"), "rule is not specified");
    } else if !rule.message.is_empty() && message.is_empty() {
        faults.invalid(&at_message, &*rule.message, "must be non-empty if specified");
    } else if has_line_breaks(message) {
        faults.invalid(&at_message, &*rule.message, "must not contain line breaks");
    } else if has_line_breaks(expression) && message.is_empty() {
        faults.required(
            &at_message,
            "message must be specified if rule contains line breaks",
        );
    }
}

fn place(schema: &JsonSchema, rule: &ValidationRule, at: &Path<'_>, faults: &mut Faults) {
    if rule.field_path.is_empty() {
        return;
    }
    if trim(&rule.field_path).is_empty() {
        faults.invalid(at, &*rule.field_path, "must be non-empty if specified");
    }
    if has_line_breaks(&rule.field_path) {
        faults.invalid(at, &*rule.field_path, "must not contain line breaks");
    }
    // `fieldPath` can only be resolved in a structural schema; others are rejected anyway.
    if NotStructural::check(schema).is_ok()
        && resolve_field_path(&rule.field_path, schema, Brackets::Allowed).is_err()
    {
        faults.invalid(at, &*rule.field_path, "must be a valid path");
    }
}

fn has_line_breaks(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// Go's `strings.TrimSpace`; both languages trim Unicode white space.
fn trim(text: &str) -> &str {
    text.trim()
}
