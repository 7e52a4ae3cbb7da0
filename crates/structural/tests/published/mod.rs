//! Published schemas from short JSON texts, and what passes make of objects: what tests of the structural dialect share.

#![allow(dead_code, reason = "each test binary uses its part")]

use kindsmith_json::{Arena, parse_str, to_string};
use kindsmith_schema::JsonSchema;
use kindsmith_structural::{PrunedPaths, StructuralSchema};

/// Reads a schema as documents have it.
pub(crate) fn schema(json: &str) -> JsonSchema {
    let arena = Arena::new();
    let value = parse_str(&arena, json).unwrap_or_else(|error| panic!("{json}: {error}"));
    let (schema, unknown) = kindsmith_openapi::schema::read(value).expect("a schema");
    assert!(unknown.is_empty(), "{json}: {unknown:?}");
    schema
}

pub(crate) fn structure(json: &str) -> StructuralSchema {
    StructuralSchema::compile(&schema(json)).expect("structural")
}

/// What pruning makes of an object, and the paths it reports.
pub(crate) fn prune(schema: &str, object: &str, resource: bool) -> (String, Vec<String>) {
    let (structure, arena) = (structure(schema), Arena::new());
    let object = parse_str(&arena, object).expect("JSON");
    let mut unknown = PrunedPaths::default();
    let pruned = structure.prune_traced(&arena, object, resource, &mut unknown);
    (to_string(pruned), unknown.finish())
}
