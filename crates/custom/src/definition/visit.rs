//! Every node of a schema, whatever keyword it stands under (`SchemaHas`).

use kindsmith_openapi::crd::InternalSpec;
use kindsmith_schema::{Dependency, Items, JsonSchema, SchemaOrBool, Str};

use super::demands::schemas;

/// Visits a node and all below it, in upstream's order; stops where the visitor says so.
pub(super) fn any(schema: &JsonSchema, visit: &mut dyn FnMut(&JsonSchema) -> bool) -> bool {
    visit(schema)
        || items(schema, visit)
        || list(&schema.all_of, visit)
        || list(&schema.any_of, visit)
        || list(&schema.one_of, visit)
        || schema.not.as_deref().is_some_and(|not| any(not, visit))
        || named(&schema.properties, visit)
        || either(schema.additional_properties.as_deref(), visit)
        || named(&schema.pattern_properties, visit)
        || either(schema.additional_items.as_deref(), visit)
        || named(&schema.definitions, visit)
        || schema.dependencies.iter().any(|(_, dependency)| match dependency {
            Dependency::Schema(schema) => any(schema, visit),
            Dependency::Members(_) => false,
        })
}

/// Whether some node of some schema of a definition is as asked.
pub(super) fn any_schema(spec: &InternalSpec, mut test: impl FnMut(&JsonSchema) -> bool) -> bool {
    schemas(spec).any(|schema| any(schema, &mut test))
}

type Visit<'v> = dyn FnMut(&JsonSchema) -> bool + 'v;

fn items(schema: &JsonSchema, visit: &mut Visit<'_>) -> bool {
    match schema.items.as_deref() {
        Some(Items::Each(each)) => any(each, visit),
        Some(Items::Positional(schemas)) => list(schemas, visit),
        None => false,
    }
}

fn list(schemas: &[JsonSchema], visit: &mut Visit<'_>) -> bool {
    schemas.iter().any(|schema| any(schema, visit))
}

fn named(schemas: &[(Str, JsonSchema)], visit: &mut Visit<'_>) -> bool {
    schemas.iter().any(|(_, schema)| any(schema, visit))
}

fn either(schema: Option<&SchemaOrBool>, visit: &mut Visit<'_>) -> bool {
    matches!(schema, Some(SchemaOrBool::Schema(schema)) if any(schema, visit))
}
