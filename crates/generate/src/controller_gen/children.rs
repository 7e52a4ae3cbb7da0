//! The schemas directly below a schema.

use kindsmith_schema::{Items, JsonSchema, SchemaOrBool};

/// Calls `visit` on the schemas directly below.
pub(super) fn each_child(schema: &mut JsonSchema, visit: &mut dyn FnMut(&mut JsonSchema)) {
    each_but_members(schema, visit);
    for (_, property) in &mut schema.properties {
        visit(property);
    }
}

/// Like `each_child`, without `properties`.
pub(super) fn each_but_members(schema: &mut JsonSchema, visit: &mut dyn FnMut(&mut JsonSchema)) {
    match schema.items.as_deref_mut() {
        Some(Items::Each(item)) => visit(item),
        Some(Items::Positional(items)) => items.iter_mut().for_each(&mut *visit),
        None => {}
    }
    for part in schema
        .all_of
        .iter_mut()
        .chain(&mut schema.one_of)
        .chain(&mut schema.any_of)
    {
        visit(part);
    }
    if let Some(not) = schema.not.as_deref_mut() {
        visit(not);
    }
    if let Some(SchemaOrBool::Schema(value)) = schema.additional_properties.as_deref_mut() {
        visit(value);
    }
}
