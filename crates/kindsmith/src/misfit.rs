//! Where an object does not fit its Go types. The server's text names the field without indices and keys, or no field at
//! all, so that a reader would have to look for it; and it names one field only.

use kindsmith_engine::{DecodeError, Plan};
use kindsmith_json::{Arena, Value};

#[cfg(feature = "go")]
use crate::review::Rejection;
use crate::value_edit::replaced;

/// How many misfits of an object are looked for.
const MAX: usize = 50;

/// The values that a type's decoder rejects, the one that the server tells first. Each is left out to find the next.
pub(crate) fn all<'a>(plan: &Plan, arena: &'a Arena, object: Value<'a>) -> Vec<DecodeError> {
    apart(plan, arena, object).0
}

/// The values that a type's decoder rejects, and the object without them; `None` if that cannot be read either.
pub(crate) fn apart<'a>(
    plan: &Plan,
    arena: &'a Arena,
    object: Value<'a>,
) -> (Vec<DecodeError>, Option<Value<'a>>) {
    let mut found: Vec<DecodeError> = Vec::new();
    let mut rest = object;
    while let Err(error) = plan.decode(rest) {
        let is_known = found.last().is_some_and(|last| last.path() == error.path());
        if is_known || found.len() == MAX {
            return (found, None);
        }
        rest = replaced(arena, rest, error.path().steps(), None);
        found.push(error);
    }
    (found, Some(rest))
}

/// What is wrong with an object besides its misfits: errors of the object without them, but for those about the places where they were.
#[cfg(feature = "go")]
pub(crate) fn besides(misfits: &[DecodeError], errors: Vec<Rejection>) -> impl Iterator<Item = Rejection> {
    errors.into_iter().filter(move |rejection| {
        let is_related = |misfit: &DecodeError| {
            let (error, misfit) = (rejection.path.steps(), misfit.path().steps());
            error.starts_with(misfit) || misfit.starts_with(error)
        };
        !misfits.iter().any(is_related)
    })
}

/// Those in the metadata of a custom resource.
pub(crate) fn in_metadata<'a>(arena: &'a Arena, object: Value<'a>) -> Vec<DecodeError> {
    metadata_plan().map_or_else(Vec::new, |plan| all(&plan, arena, object))
}

/// Those in a CRD that the server refuses with this error. Types of JSON schemas have decoders of their own, so that other
/// errors may be found here; then they are not told.
pub(crate) fn in_definition<'a>(arena: &'a Arena, object: Value<'a>, error: &str) -> Vec<DecodeError> {
    let found = definition_plan().map_or_else(Vec::new, |plan| all(&plan, arena, object));
    match found.first() {
        Some(first) if first.to_string() == error => found,
        _ => Vec::new(),
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

#[cfg(feature = "go")]
fn compile(package: &str, name: &str) -> Option<Plan> {
    use kindsmith_builtin::types::own_schema;
    use kindsmith_schema::TypeName;

    let ty = own_schema().find(&TypeName::new(package, name))?;
    Some(Plan::compile(own_schema(), ty))
}

/// Without Go types, the server's text has to do.
#[cfg(not(feature = "go"))]
fn compile(_: &str, _: &str) -> Option<Plan> {
    None
}
