//! Writes CRDs as the API returns them.

use std::sync::Arc;

use kindsmith_json::{Arena, Value, object_of};
use kindsmith_schema::JsonSchema;

use super::{ApiVersion, Definition, Validation};
use crate::record::{Form, Making, Member};

impl Definition {
    /// Like [`Definition::to_value`], but the value does not borrow from the CRD. An arena drops nothing, so
    /// a CRD placed in one would never be freed.
    #[must_use]
    pub fn copy_in<'a>(&self, arena: &'a Arena) -> Value<'a> {
        self.copy_with(&mut SchemaValues::default(), arena)
    }

    /// The same with schemas whose values are in the arena already; those that were not are added.
    #[must_use]
    pub fn copy_with<'a>(&self, schemas: &mut SchemaValues<'a>, arena: &'a Arena) -> Value<'a> {
        let mut value = self.without_keywords().to_value(&Arena::new()).copy_in(arena);
        let Some(versions) = value.lookup(&VERSIONS).and_then(Value::as_array) else {
            return value;
        };
        let pairs = versions.iter().zip(&self.spec.versions);
        let whole = pairs.map(|(&made, version)| {
            let mut made = made;
            if let Some(schema) = version.open_api_v3_schema() {
                made.set(arena, &["schema", "openAPIV3Schema"], schemas.of(schema, arena));
            }
            made
        });
        let whole = Value::Array(arena.alloc_slice_fill_iter(whole));
        value.set(arena, &VERSIONS, whole);
        value
    }

    /// The CRD with empty schemas in the place of all.
    fn without_keywords(&self) -> Definition {
        let mut definition = self.clone();
        if !definition.spec.versions.is_empty() {
            let empty = Arc::<JsonSchema>::default();
            let versions = definition.spec.versions.make().iter_mut();
            let schemas = versions.filter_map(|version| version.schema.as_mut());
            for Validation { open_api_v3_schema } in
                schemas.filter(|schema| schema.open_api_v3_schema.is_some())
            {
                *open_api_v3_schema = Some(Arc::clone(&empty));
            }
        }
        definition
    }

    /// The CRD as the API returns it: fields in the order of the Go types, always with `status`.
    #[must_use]
    pub fn to_value<'a>(&'a self, arena: &'a Arena) -> Value<'a> {
        Values::new(arena).of(self)
    }
}

const VERSIONS: [&str; 2] = ["spec", "versions"];

/// Values of schemas in an arena: they are large, so none is made twice.
#[derive(Clone, Default)]
pub struct SchemaValues<'a>(Vec<(Arc<JsonSchema>, Value<'a>)>);

impl<'a> SchemaValues<'a> {
    fn of(&mut self, schema: &Arc<JsonSchema>, arena: &'a Arena) -> Value<'a> {
        let known = self.0.iter().find(|(known, _)| Arc::ptr_eq(known, schema));
        if let Some((_, value)) = known {
            return *value;
        }
        let scratch = Arena::new();
        let value = schema.value(&Making::new(&scratch, Form::Api)).copy_in(arena);
        self.0.push((Arc::clone(schema), value));
        value
    }
}

/// Converts CRDs to the form the API returns, one after another; schemas with shared parts give values with shared
/// parts.
pub struct Values<'a> {
    to: Making<'a>,
}

impl<'a> Values<'a> {
    /// Creates values in an arena.
    #[must_use]
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            to: Making::new(arena, Form::Api),
        }
    }

    /// The value of a CRD; see [`Definition::to_value`].
    #[must_use]
    pub fn of(&self, definition: &'a Definition) -> Value<'a> {
        let to = &self.to;
        object_of(
            to.arena,
            &[
                ("kind", Value::Str("CustomResourceDefinition")),
                ("apiVersion", Value::Str(ApiVersion::V1.as_str())),
                // Its fields are already in order.
                ("metadata", definition.metadata.value(to.arena)),
                ("spec", Member::value(&definition.spec, to)),
                ("status", Member::value(&definition.status, to)),
            ],
        )
    }
}
