//! The API server's errors for a CRD with a given schema, which include those of its rules.

use std::sync::Arc;

use kindsmith_crd::definition::{self, Gates};
use kindsmith_json::{Arena, parse_str};
use kindsmith_object::{FieldError, Release};
use kindsmith_openapi::crd::{self, Source, Validation};
use kindsmith_schema::JsonSchema;

/// A CRD that is valid apart from its schema.
const TEMPLATE: &str = r#"{
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.example.com"},
    "spec": {
        "group": "example.com",
        "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
        "scope": "Namespaced",
        "versions": [{"name": "v1", "served": true, "storage": true}]
    }
}"#;

/// The errors of the CRD in a release.
pub(super) fn errors(schema: &JsonSchema, release: Release) -> Vec<FieldError> {
    let arena = Arena::new();
    let read = parse_str(&arena, TEMPLATE)
        .ok()
        .and_then(|template| crd::read(template, Source::Unknown).ok());
    let mut definition = read.expect("the template is a definition").definition;
    definition.default_fields();
    let mut internal = definition.to_internal();
    // With a single version, the server moves its schema to the top level.
    internal.spec.validation = Some(Validation {
        open_api_v3_schema: Some(Arc::new(schema.clone())),
    });
    let gates = Gates {
        release,
        stored_rules: true,
        ..Gates::default()
    };
    definition::create(&mut internal, gates).errors
}
