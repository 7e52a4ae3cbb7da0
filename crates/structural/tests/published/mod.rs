//! Helpers for tests of the structural dialect: published schemas from short JSON texts, and the results of
//! passes.

use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, parse_str, to_string};
use kindsmith_schema::JsonSchema;
use kindsmith_structural::{PrunedPaths, StructuralSchema};

/// Reads a schema as written in a CRD.
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

/// The result of pruning an object, and the reported paths.
pub(crate) fn prune(schema: &str, object: &str, resource: bool) -> (String, Vec<String>) {
    let (structure, arena) = (structure(schema), Arena::new());
    let object = parse_str(&arena, object).expect("JSON");
    let mut unknown = PrunedPaths::default();
    let pruned = structure.prune_traced(&arena, object, resource, &mut unknown);
    let unknown = unknown.finish().iter().map(PathBuf::dotted).collect();
    (to_string(pruned), unknown)
}
