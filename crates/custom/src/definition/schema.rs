//! One schema of a definition, all rules in their order (`validateCustomResourceDefinitionValidation`).

use kindsmith_engine::BadValue;
use kindsmith_engine::NotStructural;
use kindsmith_json::Path;
use kindsmith_openapi::crd::{InternalDefinition, Validation};
use kindsmith_schema::JsonSchema;

use super::demands::Demands;
use super::expressions::Costs;
use super::faults::{Faults, plain};
use super::{defaults, openapi, root, structural, visit};

/// Checks a schema; `path` is that of the validation around it.
pub(super) fn check(
    validation: &Validation,
    status_enabled: bool,
    demands: &Demands,
    path: &Path<'_>,
    faults: &mut Faults,
) {
    let Some(schema) = validation.open_api_v3_schema.as_deref() else {
        return;
    };
    let at = path.child("openAPIV3Schema");
    let mut found = Faults::default();
    root::check(schema, &at, status_enabled, &mut found);
    let mut costs = Costs::default();
    let structure = if demands.structural {
        judge_structure(schema, &at, demands, &mut found)
    } else {
        Structure::NotAsked
    };
    // Rules are only understood where the structure is right.
    let counted = (structure == Structure::Good).then_some(&mut costs);
    let findings = openapi::check(schema, &at, demands, counted);
    found.append(findings.schema);
    found.append(findings.expressions);
    if let Structure::Missing(failure) = structure
        && found.is_empty()
    {
        found.invalid(&at, plain(""), &failure.to_string());
    }
    costs.check(&at, &mut found);
    faults.append(found);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Structure {
    NotAsked,
    Good,
    Bad,
    /// The schema cannot be converted; said only if nothing else is wrong.
    Missing(NotStructural),
}

fn judge_structure(schema: &JsonSchema, at: &Path<'_>, demands: &Demands, faults: &mut Faults) -> Structure {
    if let Err(failure) = NotStructural::check(schema) {
        return Structure::Missing(failure);
    }
    let mut violations = structural::violations(at, schema);
    if violations.is_empty() {
        violations = defaults::violations(schema, at, demands.pruned_defaults);
    }
    if violations.is_empty() {
        return Structure::Good;
    }
    faults.append(violations);
    Structure::Bad
}

/// Whether a node says something that only a structural schema can mean.
pub(super) fn has_extensions(schema: &JsonSchema) -> bool {
    schema.embedded_resource
        || schema.preserve_unknown_fields.is_some()
        || schema.int_or_string
        || !schema.list_map_keys.is_empty()
        || schema.list_type.is_some()
        || !schema.validations.is_empty()
}

/// Whether no schema is nested deeper than rules are followed; one that is, is refused, which upstream would not do.
pub(super) fn all_bounded(definition: &InternalDefinition, faults: &mut Faults) -> bool {
    let spec = &definition.spec;
    let own = spec.versions.iter().filter_map(|version| version.schema.as_ref());
    let deep = spec.validation.iter().chain(own).any(|validation| {
        let schema = validation.open_api_v3_schema.as_deref();
        schema.is_some_and(|schema| is_deeper(schema, MAX_DEPTH))
    });
    if deep {
        let detail = format!("a schema is nested more than {MAX_DEPTH} levels deep");
        faults.invalid(&Path::root("spec").child("versions"), BadValue::Omitted, &detail);
    }
    !deep
}

const MAX_DEPTH: usize = 256;

fn is_deeper(schema: &JsonSchema, limit: usize) -> bool {
    let Some(limit) = limit.checked_sub(1) else {
        return true;
    };
    !visit::is_leaf(schema) && visit::children(schema).any(|child| is_deeper(child, limit))
}
