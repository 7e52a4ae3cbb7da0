//! `NonStructuralSchema`: present only if there are violations (`nonstructuralschema_controller.go`).

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::Definition;
use kindsmith_request::aggregate;
use kindsmith_structural::NotStructural;

use super::super::faults::Faults;
use super::super::known::Known;
use super::super::structural;
use super::{Board, Finding, NON_STRUCTURAL};

pub(super) fn update(definition: &Definition, board: &mut Board<'_>) {
    match find(definition) {
        Ok(faults) if faults.is_empty() => board.remove(NON_STRUCTURAL),
        Ok(faults) => board.set(
            NON_STRUCTURAL,
            &Finding {
                status: "True",
                reason: "Violations",
                message: &aggregate(faults.errors().iter().map(ToString::to_string)),
            },
        ),
        Err(message) => board.set(
            NON_STRUCTURAL,
            &Finding {
                status: "Unknown",
                reason: "StructuralError",
                message: &message,
            },
        ),
    }
}

/// The violations in all versions; an error if a schema cannot be checked.
fn find(definition: &Definition) -> Result<Faults, String> {
    let mut faults = Faults::default();
    let spec = Path::root("spec");
    if definition.spec.preserve_unknown_fields {
        let at = spec.child("preserveUnknownFields");
        faults.invalid(&at, BadValue::Bool(true), "must be false");
    }
    let versions = spec.child("versions");
    for (index, version) in definition.spec.versions.iter().enumerate() {
        let Some(schema) = version.open_api_v3_schema() else {
            continue;
        };
        NotStructural::check(schema).map_err(|failure| {
            format!(
                "failed to check validation schema for version {}: {failure}",
                version.name
            )
        })?;
        let at = versions.index(index);
        let at = at.child("schema");
        faults.append(structural::violations(
            &at.child("openAPIV3Schema"),
            schema,
            &Known::default(),
        ));
    }
    Ok(faults)
}
