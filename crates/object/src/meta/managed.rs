//! Entries of managedFields: their fields, and what makes them invalid.

use kindsmith_json::{Path, Value};

use crate::field_error::FieldError;

/// Who set which fields (`metav1.ManagedFieldsEntry`).
#[derive(Debug, Clone, Copy, Default)]
pub struct ManagedFieldsEntry<'a> {
    /// The name of the workflow.
    pub manager: &'a str,
    /// `Apply` or `Update`.
    pub operation: &'a str,
    /// The API version in which the fields are named.
    pub api_version: &'a str,
    /// When it was last changed: RFC 3339 in UTC.
    pub time: Option<&'a str>,
    /// The format of `fields_v1`.
    pub fields_type: &'a str,
    /// The set of fields.
    pub fields_v1: Option<Value<'a>>,
    /// The subresource of the change.
    pub subresource: &'a str,
}

impl<'a> ManagedFieldsEntry<'a> {
    /// Reads the fields of a decoded entry.
    #[must_use]
    pub fn of(value: Value<'a>) -> Self {
        let text = |key| value.get(key).and_then(Value::as_str).unwrap_or_default();
        ManagedFieldsEntry {
            manager: text("manager"),
            operation: text("operation"),
            api_version: text("apiVersion"),
            time: value.get("time").and_then(Value::as_str),
            fields_type: text("fieldsType"),
            fields_v1: value.get("fieldsV1"),
            subresource: text("subresource"),
        }
    }
}

const MANAGER_LIMIT: usize = 128;
const SUBRESOURCE_LIMIT: usize = 256;

/// Checks entries (`ValidateManagedFields` in apimachinery's pkg/apis/meta/v1/validation/validation.go).
pub(super) fn validate<'a>(
    entries: impl Iterator<Item = ManagedFieldsEntry<'a>>,
    path: &Path<'_>,
    errors: &mut Vec<FieldError>,
) {
    for (index, entry) in entries.enumerate() {
        validate_one(&entry, &path.index(index), errors);
    }
}

fn validate_one(entry: &ManagedFieldsEntry<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    match entry.operation {
        "Apply" | "Update" => {}
        "" => errors.push(FieldError::required(
            &path.child("operation"),
            "must not be empty",
        )),
        other => errors.push(FieldError::not_supported(
            &path.child("operation"),
            other,
            &["Apply", "Update"],
        )),
    }
    if !matches!(entry.fields_type, "" | "FieldsV1") {
        errors.push(FieldError::invalid(
            &path.child("fieldsType"),
            entry.fields_type,
            "must be `FieldsV1`",
        ));
    }
    validate_manager(entry.manager, &path.child("manager"), errors);
    if entry.subresource.len() > SUBRESOURCE_LIMIT {
        errors.push(FieldError::too_long(
            &path.child("subresource"),
            SUBRESOURCE_LIMIT,
        ));
    }
}

fn validate_manager(manager: &str, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    if manager.len() > MANAGER_LIMIT {
        errors.push(FieldError::too_long(path, MANAGER_LIMIT));
    }
    for (position, character) in manager.char_indices() {
        if kindsmith_gostd::quote::is_print(character) {
            continue;
        }
        let detail = format!(
            "invalid character {} (at position {position})",
            code_point(character)
        );
        errors.push(FieldError::invalid(path, manager, detail));
    }
}

/// A character that is not printable as Go's `%#U` writes it.
fn code_point(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}
