//! Selectable fields.

use std::collections::HashSet;

use kindsmith_json::Path;
use kindsmith_json::path::Step;
use kindsmith_object::FieldError;
use kindsmith_openapi::crd::SelectableField;
use kindsmith_schema::JsonSchema;
use kindsmith_structural::rules::{Brackets, resolve_field_path};

use super::demands::{Demands, MAX_SELECTABLE_FIELDS};
use super::faults::Faults;

/// Checks the fields of one version; `version` is empty for the fields shared by all versions.
pub(super) fn check(
    fields: &[SelectableField],
    schema: &JsonSchema,
    path: &Path<'_>,
    version: &str,
    demands: &Demands,
    faults: &mut Faults,
) {
    let mut distinct = HashSet::new();
    for (index, field) in fields.iter().enumerate() {
        let element = path.index(index);
        let at = element.child("jsonPath");
        let text = &*field.json_path;
        if text.is_empty() {
            faults.required(&at, "");
            continue;
        }
        let resolved = match resolve_field_path(text, schema, Brackets::Refused) {
            Ok(resolved) => resolved,
            Err(error) => {
                faults.invalid(&at, text, &format!("is an invalid path: {error}"));
                continue;
            }
        };
        if matches!(resolved.path.steps().first(), Some(Step::Field(name)) if &**name == "metadata") {
            faults.invalid(&at, text, "must not point to fields in metadata");
        }
        if !resolved.schema.is_some_and(is_scalar) {
            let detail = "must point to a field of type string, boolean or integer. \
                          Enum string fields and strings with formats are allowed.";
            faults.invalid(&at, text, detail);
        }
        if !distinct.insert(resolved.path.to_string()) {
            faults.duplicate(&at, text);
        }
    }
    if distinct.len() > MAX_SELECTABLE_FIELDS && !demands.many_selectable.contains(version) {
        faults.push(FieldError::too_many(path, distinct.len(), MAX_SELECTABLE_FIELDS));
    }
}

fn is_scalar(schema: &JsonSchema) -> bool {
    matches!(&*schema.ty, "string" | "boolean" | "integer")
}
