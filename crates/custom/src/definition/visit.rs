//! Every node of a schema, whatever keyword it stands under (`SchemaHas`).

use kindsmith_openapi::crd::InternalSpec;
use kindsmith_schema::{Dependency, Items, JsonSchema, SchemaOrBool, Str};

use super::demands::schemas;

/// Visits a node and all below it, in upstream's order; stops where the visitor says so.
pub(super) fn any(schema: &JsonSchema, visit: &mut dyn FnMut(&JsonSchema) -> bool) -> bool {
    visit(schema) || !is_leaf(schema) && children(schema).any(|child| any(child, visit))
}

/// Whether there is nothing below a node; most nodes are such.
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

/// Whether some node of some schema of a definition is as asked.
pub(super) fn any_schema(spec: &InternalSpec, mut test: impl FnMut(&JsonSchema) -> bool) -> bool {
    schemas(spec).any(|schema| any(schema, &mut test))
}

/// All schemas directly below a node.
pub(super) fn children(schema: &JsonSchema) -> impl Iterator<Item = &JsonSchema> {
    let items: &[JsonSchema] = match schema.items.as_deref() {
        Some(Items::Each(each)) => std::slice::from_ref(each),
        Some(Items::Positional(schemas)) => schemas,
        None => &[],
    };
    let dependencies = schema
        .dependencies
        .iter()
        .filter_map(|(_, dependency)| match dependency {
            Dependency::Schema(schema) => Some(schema),
            Dependency::Members(_) => None,
        });
    items
        .iter()
        .chain(&schema.all_of)
        .chain(&schema.any_of)
        .chain(&schema.one_of)
        .chain(schema.not.as_deref())
        .chain(named(&schema.properties))
        .chain(schema.additional())
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
