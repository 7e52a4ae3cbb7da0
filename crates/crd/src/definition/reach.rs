//! A schema as far as a value reaches: without the members that the value does not have. What is wrong with the value's parts
//! shows there as in the whole schema, except for rules: those may ask for members that are absent.
//!
//! A default of one field otherwise compiles all that its type leads to. For the CRDs of gateway-api, checking defaults took
//! 27 % of all instructions of generating them.

use std::collections::HashSet;

use kindsmith_json::Value;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, Shared, Str};
use kindsmith_structural::below;

/// The part of a schema that a value reaches.
pub(super) fn reached(schema: &JsonSchema, value: Value<'_>) -> JsonSchema {
    by(schema, &[value], &[])
}

/// The part that any of the values reaches, and members with these names.
fn by(schema: &JsonSchema, values: &[Value<'_>], names: &[Str]) -> JsonSchema {
    let mut reached = schema.clone();
    if !schema.properties.is_empty() {
        let named = below::named(values);
        let names: HashSet<&Str> = names.iter().collect();
        let members = schema.properties.iter().filter_map(|(name, member)| {
            let found = named.get(&**name);
            let is_reached = found.is_some() || names.contains(name);
            is_reached.then(|| (name.clone(), by(member, found.map_or(&[], Vec::as_slice), &[])))
        });
        reached.properties = members.collect();
    }
    if let Some(item) = schema.item() {
        // Lists of a map look at the keys of their items whether they are there or not.
        let item = by(item, &below::items(values), &schema.list_map_keys);
        reached.items = Some(Shared::new(Items::Each(item)));
    }
    if let Some(additional) = schema.additional() {
        let additional = by(additional, &below::members(values), &[]);
        reached.additional_properties = Some(Shared::new(SchemaOrBool::Schema(additional)));
    }
    reached
}
