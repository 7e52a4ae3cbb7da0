//! The part of a published schema that expressions can see.
//!
//! Knows the keywords of a schema; `cel` derives types and sizes from them.

use std::collections::HashMap;
use std::sync::Arc;

use kindsmith_cel::types::decl::{ArrayShape, ListType, ObjectShape, Schema, Shape};
use kindsmith_schema::{JsonSchema, SharedVec, Str};

/// The depth limit of schemas; deeper parts are not visible.
const MAX_DEPTH: usize = 256;

/// Translates a node and all below it.
#[must_use]
pub fn declare(schema: &JsonSchema) -> Schema {
    Translation::default().node(schema, 0)
}

/// Translates schemas; properties that they share are translated once.
#[derive(Debug, Default)]
pub(super) struct Translation {
    /// By the address of the list.
    lists: HashMap<usize, List>,
}

#[derive(Debug)]
struct List {
    /// Kept alive, so that no other list gets the same address.
    _published: SharedVec<(Str, JsonSchema)>,
    declared: Arc<[(String, Schema)]>,
}

impl Translation {
    /// Translates a node and all below it.
    pub(super) fn declare(&mut self, schema: &JsonSchema) -> Schema {
        self.node(schema, 0)
    }

    fn node(&mut self, schema: &JsonSchema, depth: usize) -> Schema {
        if depth == MAX_DEPTH {
            return Schema::default();
        }
        let shape = match &*schema.ty {
            "object" => Shape::Object(self.object(schema, depth)),
            "array" => Shape::Array(self.array(schema, depth)),
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

    fn object(&mut self, schema: &JsonSchema, depth: usize) -> ObjectShape {
        let additional = schema
            .additional()
            .map(|schema| Box::new(self.node(schema, depth + 1)));
        let properties = &schema.properties;
        ObjectShape {
            properties: (!properties.is_empty()).then(|| self.properties(properties, depth)),
            required: texts(&schema.required),
            additional,
            max_properties: schema.max_properties,
        }
    }

    fn properties(
        &mut self,
        published: &SharedVec<(Str, JsonSchema)>,
        depth: usize,
    ) -> Arc<[(String, Schema)]> {
        let place = published.as_ptr().addr();
        if let Some(known) = self.lists.get(&place) {
            return known.declared.clone();
        }
        let declared: Arc<[(String, Schema)]> = published
            .iter()
            .map(|(name, schema)| (name.to_string(), self.node(schema, depth + 1)))
            .collect();
        let list = List {
            _published: published.clone(),
            declared: declared.clone(),
        };
        self.lists.insert(place, list);
        declared
    }

    fn array(&mut self, schema: &JsonSchema, depth: usize) -> ArrayShape {
        ArrayShape {
            items: schema.item().map(|schema| Box::new(self.node(schema, depth + 1))),
            list_type: match schema.list_type.as_deref() {
                Some("set") => ListType::Set,
                Some("map") => ListType::Map(texts(&schema.list_map_keys)),
                _ => ListType::Atomic,
            },
            max_items: schema.max_items,
        }
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

fn texts(names: &[Str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}
