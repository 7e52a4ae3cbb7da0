//! `x-kubernetes-map-type`.

use kindsmith_json::Path;
use kindsmith_schema::JsonSchema;

use super::super::faults::Faults;

const KNOWN: [&str; 2] = ["atomic", "granular"];

/// Whether properties of the old and new object can be correlated by name.
pub(super) fn is_correlated(schema: &JsonSchema) -> bool {
    schema.map_type.as_deref().is_none_or(|ty| KNOWN.contains(&ty))
}

pub(super) fn check(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    let Some(map_type) = schema.map_type.as_deref() else {
        return;
    };
    if &*schema.ty != "object" {
        let (at, detail) = (
            path.child("type"),
            "must be object if x-kubernetes-map-type is specified",
        );
        if schema.ty.is_empty() {
            faults.required(&at, detail);
        } else {
            faults.invalid(&at, &*schema.ty, detail);
        }
    }
    if !KNOWN.contains(&map_type) {
        faults.not_supported(&path.child("x-kubernetes-map-type"), map_type, &KNOWN);
    }
}
