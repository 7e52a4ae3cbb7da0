//! Schemas whose Rust types are there already: those of k8s-openapi.

use kindsmith_schema::{Items, JsonSchema, SchemaOrBool};

/// Objects with fewer members are too common to tell whose type they are.
const FEWEST: usize = 3;

/// Schemas and the Rust types for them.
#[derive(Debug, Clone, Default)]
pub struct Known {
    types: Vec<KnownType>,
}

#[derive(Debug, Clone)]
struct KnownType {
    path: String,
    description: String,
    /// Without descriptions.
    schema: JsonSchema,
}

impl Known {
    /// Types by their paths, with their schemas.
    #[must_use]
    pub fn new(types: impl IntoIterator<Item = (String, JsonSchema)>) -> Self {
        let types = types.into_iter().map(|(path, schema)| KnownType {
            path,
            description: schema.description.to_string(),
            schema: plain(&schema),
        });
        Self {
            types: types.collect(),
        }
    }

    /// The type that has exactly this schema, whatever its descriptions are.
    pub(super) fn find(&self, schema: &JsonSchema) -> Option<&str> {
        let is_similar = |known: &&KnownType| {
            let mut names = known.schema.properties.iter().map(|(name, _)| name);
            known.schema.properties.len() == schema.properties.len()
                && names.all(|name| schema.property(name).is_some())
        };
        if schema.properties.len() < FEWEST || !self.types.iter().any(|known| is_similar(&known)) {
            return None;
        }
        let plain = plain(&JsonSchema {
            default: None,
            nullable: false,
            ..schema.clone()
        });
        let found: Vec<&KnownType> = (self.types.iter().filter(is_similar))
            .filter(|known| known.schema == plain)
            .collect();
        match found.as_slice() {
            [] => None,
            [only] => Some(&only.path),
            several => several
                .iter()
                .find(|known| *known.description == *schema.description)
                .map(|known| known.path.as_str()),
        }
    }
}

/// A schema without descriptions, its members sorted: documents have them so, types in their own order.
fn plain(schema: &JsonSchema) -> JsonSchema {
    let mut schema = schema.clone();
    schema.description = "".into();
    let mut properties: Vec<_> = schema
        .properties
        .iter()
        .map(|(name, property)| (name.clone(), plain(property)))
        .collect();
    properties.sort_by(|one, other| one.0.cmp(&other.0));
    schema.properties = properties.into();
    let mut required = schema.required.to_vec();
    required.sort();
    schema.required = required.into();
    if let Some(Items::Each(items)) = schema.items.as_deref() {
        schema.items = Some(Items::Each(plain(items)).into());
    }
    if let Some(SchemaOrBool::Schema(values)) = schema.additional_properties.as_deref() {
        schema.additional_properties = Some(SchemaOrBool::Schema(plain(values)).into());
    }
    schema
}
