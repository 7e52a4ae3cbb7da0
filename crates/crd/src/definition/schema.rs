//! Validation of one schema, all rules in order (`validateCustomResourceDefinitionValidation`).

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::{InternalDefinition, Validation};
use kindsmith_schema::JsonSchema;
use kindsmith_structural::{NotStructural, defaults_fit};

use super::demands::Demands;
use super::expressions::Costs;
use super::faults::Faults;
use super::known::{Known, Members};
use super::{defaults, openapi, root, structural, visit};

/// Validates a schema; `path` is that of the enclosing `validation`.
pub(super) fn check(
    validation: &Validation,
    status_enabled: bool,
    demands: &Demands,
    known: &Known,
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
        judge_structure(schema, &at, demands, known, &mut found)
    } else {
        StructuralSchema::NotAsked
    };
    // Rules can only be compiled for a structural schema.
    let counted = (structure == StructuralSchema::Good).then_some(&mut costs);
    let findings = openapi::check(schema, &at, demands, known, counted);
    found.append(findings.schema);
    found.append(findings.expressions);
    if let StructuralSchema::Missing(failure) = structure
        && found.is_empty()
    {
        found.invalid(&at, "", &failure.to_string());
    }
    costs.check(&at, &mut found);
    faults.append(found);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StructuralSchema {
    NotAsked,
    Good,
    Bad,
    /// The schema has no structural form; reported only if there are no other errors.
    Missing(NotStructural),
}

fn judge_structure(
    schema: &JsonSchema,
    at: &Path<'_>,
    demands: &Demands,
    known: &Known,
    faults: &mut Faults,
) -> StructuralSchema {
    if let Err(failure) = structural::convertible::check(schema, known) {
        return StructuralSchema::Missing(failure);
    }
    let mut violations = structural::violations(at, schema, known);
    if violations.is_empty() {
        violations = defaults::violations(schema, at, demands.pruned_defaults, known);
        if let Some(old) = demands.old_schema.as_deref().filter(|_| !violations.is_empty()) {
            violations.forgive(&defaults::violations(old, at, demands.pruned_defaults, known));
        }
    }
    if violations.is_empty() {
        return StructuralSchema::Good;
    }
    faults.append(violations);
    StructuralSchema::Bad
}

/// Whether a node uses a keyword that only structural schemas may have.
pub(super) fn has_extensions(schema: &JsonSchema) -> bool {
    schema.embedded_resource
        || schema.preserve_unknown_fields.is_some()
        || schema.int_or_string
        || !schema.list_map_keys.is_empty()
        || schema.list_type.is_some()
        || !schema.validations.is_empty()
}

/// Whether all schemas stay within our limits of nesting and defaults; others are rejected, which upstream does not do.
pub(super) fn all_bounded(definition: &InternalDefinition, known: &Known, faults: &mut Faults) -> bool {
    let spec = &definition.spec;
    let own = spec.versions.iter().filter_map(|version| version.schema.as_ref());
    let validations = spec.validation.iter().chain(own);
    let schemas = validations.filter_map(|validation| validation.open_api_v3_schema.as_deref());
    let excess = schemas.into_iter().find_map(|schema| {
        if height(schema, MAX_DEPTH, known).is_none() {
            Some(NotStructural::TooDeep)
        } else if !defaults_fit(schema) {
            Some(NotStructural::TooManyDefaults)
        } else {
            None
        }
    });
    let detail = match excess {
        None => return true,
        Some(NotStructural::TooDeep) => format!("a schema is nested more than {MAX_DEPTH} levels deep"),
        Some(excess) => excess.to_string(),
    };
    faults.invalid(&Path::root("spec").child("versions"), BadValue::Omitted, &detail);
    false
}

const MAX_DEPTH: usize = 256;

/// How many levels a schema has, including itself; `None` if there are more than the limit.
fn height(schema: &JsonSchema, limit: usize, known: &Known) -> Option<usize> {
    let limit = limit.checked_sub(1)?;
    if visit::is_leaf(schema) {
        return Some(1);
    }
    let mut below = members_height(&schema.properties, limit, known)?;
    for child in visit::children_but_members(schema) {
        below = below.max(height(child, limit, known)?);
    }
    Some(below + 1)
}

fn members_height(members: &Members, limit: usize, known: &Known) -> Option<usize> {
    if members.is_empty() {
        return Some(0);
    }
    if let Some(height) = known.height(members) {
        return (height <= limit).then_some(height);
    }
    let mut highest = 0;
    for (_, member) in members {
        highest = highest.max(height(member, limit, known)?);
    }
    known.set_height(members, highest);
    Some(highest)
}
