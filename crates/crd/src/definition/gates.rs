//! Feature gates that change what is said to definitions and objects. Both are on in every current Kubernetes.

use kindsmith_schema::{Items, JsonSchema, SchemaOrBool};

/// Switches of the API server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gates {
    /// `CustomResourceDefaulting` (the KEP of CRD defaulting). Off: no definition gains its first default. Defaults
    /// that are stored already may be changed and still apply, as in the versions that had the gate.
    pub custom_resource_defaulting: bool,
    /// `DeclarativeDefaults` (KEP-1929). Off: an explicit null is neither replaced by a default nor removed, but left
    /// for validation to refuse.
    pub declarative_defaults: bool,
}

impl Default for Gates {
    fn default() -> Self {
        Gates {
            custom_resource_defaulting: true,
            declarative_defaults: true,
        }
    }
}

impl Gates {
    /// The schema by which objects are pruned and defaulted, where it is not the one they are validated by.
    ///
    /// A null stays wherever it is allowed, so a schema that allows it everywhere touches none.
    pub(crate) fn normalizing(self, schema: &JsonSchema) -> Option<JsonSchema> {
        (!self.declarative_defaults).then(|| {
            let mut schema = schema.clone();
            allow_nulls(&mut schema);
            schema
        })
    }
}

/// Allows null at every place of the spine.
fn allow_nulls(schema: &mut JsonSchema) {
    schema.nullable = true;
    if let Some(Items::Each(item)) = schema.items.as_deref_mut() {
        allow_nulls(item);
    }
    for (_, property) in &mut schema.properties {
        allow_nulls(property);
    }
    if let Some(SchemaOrBool::Schema(values)) = schema.additional_properties.as_deref_mut() {
        allow_nulls(values);
    }
}
