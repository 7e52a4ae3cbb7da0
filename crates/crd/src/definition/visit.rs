//! Visits every node of a schema, under all keywords (`SchemaHas`).

use kindsmith_openapi::crd::InternalSpec;
use kindsmith_schema::{Dependency, Items, JsonSchema, SchemaOrBool, Str};

use super::known::{Check, Known};

/// Visits a node and its descendants in upstream's order; stops when the visitor returns `true`.
pub(super) fn any(schema: &JsonSchema, visit: &mut dyn FnMut(&JsonSchema) -> bool) -> bool {
    visit(schema) || !is_leaf(schema) && children(schema).any(|child| any(child, visit))
}

/// Whether a node has no children, as most nodes.
pub(super) fn is_leaf(schema: &JsonSchema) -> bool {
    let has_some = schema.items.is_some()
        || schema.additional_properties.is_some()
        || schema.not.is_some()
        || schema.additional_items.is_some();
    let is_empty = schema.properties.is_empty()
        && schema.all_of.is_empty()
        && schema.any_of.is_empty()
        && schema.one_of.is_empty();
    let is_unusual = !schema.pattern_properties.is_empty()
        || !schema.definitions.is_empty()
        || !schema.dependencies.is_empty();
    !has_some && is_empty && !is_unusual
}

/// The schemas of a CRD, the shared one first.
pub(super) fn schemas(spec: &InternalSpec) -> impl Iterator<Item = &JsonSchema> {
    let shared = spec.validation.as_ref();
    let own = spec.versions.iter().filter_map(|version| version.schema.as_ref());
    shared
        .into_iter()
        .chain(own)
        .filter_map(|validation| validation.open_api_v3_schema.as_deref())
}

/// Whether a node of any schema of a CRD passes the test.
pub(super) fn any_schema(spec: &InternalSpec, mut test: impl FnMut(&JsonSchema) -> bool) -> bool {
    schemas(spec).any(|schema| any(schema, &mut test))
}

/// Visits a node and its descendants, but skips property lists in which the visitor found nothing before; returns
/// whether it found something.
pub(super) fn each_unknown(
    schema: &JsonSchema,
    known: &Known,
    check: Check,
    visit: &mut dyn FnMut(&JsonSchema) -> bool,
) -> bool {
    let mut found = visit(schema);
    if is_leaf(schema) {
        return found;
    }
    for child in before_members(schema) {
        found |= each_unknown(child, known, check, visit);
    }
    known.once(check, &schema.properties, || {
        let mut found_here = false;
        for member in named(&schema.properties) {
            found_here |= each_unknown(member, known, check, visit);
        }
        found |= found_here;
        !found_here
    });
    for child in behind_members(schema) {
        found |= each_unknown(child, known, check, visit);
    }
    found
}

/// All direct children of a node, in upstream's order.
fn children(schema: &JsonSchema) -> impl Iterator<Item = &JsonSchema> {
    before_members(schema)
        .chain(named(&schema.properties))
        .chain(behind_members(schema))
}

/// All direct children except properties.
pub(super) fn children_but_members(schema: &JsonSchema) -> impl Iterator<Item = &JsonSchema> {
    before_members(schema).chain(behind_members(schema))
}

fn before_members(schema: &JsonSchema) -> impl Iterator<Item = &JsonSchema> {
    let items: &[JsonSchema] = match schema.items.as_deref() {
        Some(Items::Each(each)) => std::slice::from_ref(each),
        Some(Items::Positional(schemas)) => schemas,
        None => &[],
    };
    items
        .iter()
        .chain(&schema.all_of)
        .chain(&schema.any_of)
        .chain(&schema.one_of)
        .chain(schema.not.as_deref())
}

fn behind_members(schema: &JsonSchema) -> impl Iterator<Item = &JsonSchema> {
    let dependencies = schema
        .dependencies
        .iter()
        .filter_map(|(_, dependency)| match dependency {
            Dependency::Schema(schema) => Some(schema),
            Dependency::Members(_) => None,
        });
    schema
        .additional()
        .into_iter()
        .chain(named(&schema.pattern_properties))
        .chain(schema.additional_items.as_deref().and_then(schema_of))
        .chain(named(&schema.definitions))
        .chain(dependencies)
}

fn named(schemas: &[(Str, JsonSchema)]) -> impl Iterator<Item = &JsonSchema> {
    schemas.iter().map(|(_, schema)| schema)
}

fn schema_of(either: &SchemaOrBool) -> Option<&JsonSchema> {
    match either {
        SchemaOrBool::Schema(schema) => Some(schema),
        SchemaOrBool::Allowed(_) => None,
    }
}
