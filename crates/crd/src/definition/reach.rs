//! A schema as far as a value reaches: without the members that the value does not have. What is wrong with the value's parts
//! shows there as in the whole schema, except for rules: those may ask for members that are absent.
//!
//! A default of one field otherwise compiles all that its type leads to. For the CRDs of gateway-api, checking defaults took
//! 27 % of all instructions of generating them.

use kindsmith_json::Value;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, Shared, Str};

/// The part of a schema that a value reaches.
pub(super) fn reached(schema: &JsonSchema, value: Value<'_>) -> JsonSchema {
    by(schema, &[value], &[])
}

/// The part that any of the values reaches, and members with these names.
fn by(schema: &JsonSchema, values: &[Value<'_>], names: &[Str]) -> JsonSchema {
    let mut reached = schema.clone();
    if !schema.properties.is_empty() {
        let members = schema.properties.iter().filter_map(|(name, member)| {
            let below: Vec<Value<'_>> = values.iter().filter_map(|value| value.get(name)).collect();
            let is_reached = !below.is_empty() || names.contains(name);
            is_reached.then(|| (name.clone(), by(member, &below, &[])))
        });
        reached.properties = members.collect();
    }
    if let Some(item) = schema.item() {
        let arrays = values.iter().filter_map(|value| value.as_array());
        let below: Vec<Value<'_>> = arrays.flatten().copied().collect();
        // Lists of a map look at the keys of their items whether they are there or not.
        let item = by(item, &below, &schema.list_map_keys);
        reached.items = Some(Shared::new(Items::Each(item)));
    }
    if let Some(additional) = schema.additional() {
        let objects = values.iter().filter_map(|value| value.as_object());
        let below: Vec<Value<'_>> = objects
            .flat_map(|object| object.iter().map(|(_, member)| member))
            .collect();
        let additional = by(additional, &below, &[]);
        reached.additional_properties = Some(Shared::new(SchemaOrBool::Schema(additional)));
    }
    reached
}
