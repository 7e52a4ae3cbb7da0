//! The part of a published schema that expressions can see.
//!
//! Knows the keywords of a schema; `cel` derives types and sizes from them.

use kindsmith_cel::types::decl::{ArrayShape, ListType, ObjectShape, Schema, Shape};
use kindsmith_schema::{JsonSchema, Str};

/// The depth limit of schemas; deeper parts are not visible.
const MAX_DEPTH: usize = 256;

/// Translates a node and all below it.
#[must_use]
pub fn declare(schema: &JsonSchema) -> Schema {
    node(schema, 0)
}

fn node(schema: &JsonSchema, depth: usize) -> Schema {
    if depth == MAX_DEPTH {
        return Schema::default();
    }
    let shape = match &*schema.ty {
        "object" => Shape::Object(object(schema, depth)),
        "array" => Shape::Array(array(schema, depth)),
        scalar => Shape::scalar(scalar, &schema.format),
    };
    Schema {
        shape,
        nullable: schema.nullable,
        int_or_string: schema.int_or_string,
        preserve_unknown: schema.preserves_unknown_fields(),
        embedded: schema.embedded_resource,
        has_default: schema.default.is_some(),
        max_length: schema.max_length,
        longest_enum: longest(schema),
    }
}

/// The byte length of the longest enum value, if there is an enum.
fn longest(schema: &JsonSchema) -> Option<i64> {
    if schema.enum_values.is_empty() {
        return None;
    }
    let arena = kindsmith_json::Arena::new();
    let lengths = schema.enum_values.iter().filter_map(|json| {
        let value = kindsmith_json::parse_str(&arena, json.as_str()).ok()?;
        Some(value.as_str()?.len() as i64)
    });
    Some(lengths.max().unwrap_or(0))
}

fn object(schema: &JsonSchema, depth: usize) -> ObjectShape {
    let properties = (!schema.properties.is_empty()).then(|| {
        let named = schema.properties.iter();
        named
            .map(|(name, schema)| (name.to_string(), node(schema, depth + 1)))
            .collect()
    });
    ObjectShape {
        properties,
        required: texts(&schema.required),
        additional: schema
            .additional()
            .map(|schema| Box::new(node(schema, depth + 1))),
        max_properties: schema.max_properties,
    }
}

fn array(schema: &JsonSchema, depth: usize) -> ArrayShape {
    ArrayShape {
        items: schema.item().map(|schema| Box::new(node(schema, depth + 1))),
        list_type: match schema.list_type.as_deref() {
            Some("set") => ListType::Set,
            Some("map") => ListType::Map(texts(&schema.list_map_keys)),
            _ => ListType::Atomic,
        },
        max_items: schema.max_items,
    }
}

fn texts(names: &[Str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}
