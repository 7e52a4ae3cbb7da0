//! Where an object does not fit its Go types. The server's text names the field without indices and keys, or no field at
//! all, so that a reader would have to look for it.

use kindsmith_builtin::types::own_schema;
use kindsmith_engine::{Dialect, Plan};
use kindsmith_json::Value;
use kindsmith_json::path::PathBuf;
use kindsmith_schema::TypeName;

/// The place of the value that a type's decoder rejects; the empty path if there is none.
pub(crate) fn place(plan: &Plan, object: Value<'_>) -> PathBuf {
    match plan.decode(object) {
        Err(error) => error.path().clone(),
        Ok(()) => PathBuf::default(),
    }
}

/// The place in the metadata of a custom resource.
pub(crate) fn place_in_metadata(object: Value<'_>) -> PathBuf {
    metadata_plan().map_or_else(PathBuf::default, |plan| place(&plan, object))
}

/// The place in a CRD that the error is about. Types of JSON schemas have decoders of their own, so that another error
/// may be found here.
pub(crate) fn place_in_definition(object: Value<'_>, error: &str) -> PathBuf {
    match definition_plan().map(|plan| plan.decode(object)) {
        Some(Err(found)) if found.to_string() == error => found.path().clone(),
        _ => PathBuf::default(),
    }
}

/// What all objects have.
pub(crate) fn metadata_plan() -> Option<Plan> {
    compile("k8s.io/apimachinery/pkg/apis/meta/v1", "PartialObjectMetadata")
}

/// What CRDs have.
pub(crate) fn definition_plan() -> Option<Plan> {
    let package = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";
    compile(package, "CustomResourceDefinition")
}

fn compile(package: &str, name: &str) -> Option<Plan> {
    let ty = own_schema().find(&TypeName::new(package, name))?;
    Some(Plan::compile(own_schema(), ty, Dialect::Native))
}
