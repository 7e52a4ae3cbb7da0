//! Errors that the server tells only once the defaults of a CRD are right: it compiles no rules before.

use std::sync::Arc;

use kindsmith_crd::definition::Judge;
use kindsmith_object::FieldError;
use kindsmith_openapi::crd;

use super::place::{pointer, steps};

/// The errors of a new CRD, and those of its rules that come later.
pub(super) fn errors(judge: &mut Judge, definition: &crd::Definition) -> Vec<FieldError> {
    let mut told = judge.errors(&mut definition.to_internal());
    let paths = told.iter().map(|error| error.path.to_string());
    let wrong: Vec<String> = paths.filter_map(|path| schema_of_default(&path)).collect();
    if wrong.is_empty() {
        return told;
    }
    let mut repaired = definition.clone();
    wrong
        .iter()
        .for_each(|schema| drop_default(&mut repaired, schema));
    let later = judge.errors(&mut repaired.to_internal());
    let known: Vec<String> = told.iter().map(ToString::to_string).collect();
    told.extend(later.into_iter().filter(|error| {
        let is_rule = error.path.to_string().contains(".x-kubernetes-validations[");
        is_rule && !known.contains(&error.to_string())
    }));
    told
}

/// The JSON pointer of the schema whose default an error is about.
fn schema_of_default(path: &str) -> Option<String> {
    let (_, in_schema) = path.split_once("openAPIV3Schema")?;
    let (steps, rest) = steps(in_schema);
    let after = rest.strip_prefix("default")?;
    (after.is_empty() || after.starts_with(['.', '['])).then(|| pointer(&steps))
}

fn drop_default(definition: &mut crd::Definition, schema: &str) {
    for version in definition.spec.versions.make() {
        let root = version
            .schema
            .as_mut()
            .and_then(|version| version.open_api_v3_schema.as_mut());
        if let Some(node) = root.and_then(|root| Arc::make_mut(root).at_mut(schema)) {
            node.default = None;
        }
    }
}
