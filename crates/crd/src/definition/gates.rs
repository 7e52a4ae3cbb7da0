//! Feature gates of CRDs and custom resources. The two gates are on in every current Kubernetes.

use kindsmith_cel::dialect::Dialect;
use kindsmith_object::Release;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool};

/// Feature gates of the API server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gates {
    /// The release of Kubernetes whose rules hold.
    pub release: Release,
    /// `CustomResourceDefaulting` (the KEP of CRD defaulting). Off: a CRD without defaults cannot get one. Stored
    /// defaults can still be changed and still apply, as in the versions that had the gate.
    pub custom_resource_defaulting: bool,
    /// `DeclarativeDefaults` (KEP-1929). Off: an explicit null is neither replaced by a default nor removed; validation
    /// rejects it.
    pub declarative_defaults: bool,
    /// Defaults as the KEP of CRD defaulting has them, where Kubernetes differs: an update may keep a default that was stored
    /// and is not valid, and a default is stored as it was written, unknown metadata of embedded resources included.
    pub defaults_of_kep: bool,
    /// Rules may use all libraries of the release, as those that were stored before; new ones may use a library only from the
    /// next release on.
    pub stored_rules: bool,
}

impl Default for Gates {
    fn default() -> Self {
        Gates {
            release: Release::default(),
            custom_resource_defaulting: true,
            declarative_defaults: true,
            defaults_of_kep: false,
            stored_rules: false,
        }
    }
}

impl Gates {
    /// The CEL that rules of a CRD may use.
    pub(crate) fn dialect(self) -> Dialect {
        let dialect = Dialect::of_release(self.release.number());
        if self.stored_rules {
            dialect.stored()
        } else {
            dialect
        }
    }

    /// The schema for pruning and defaulting, if it differs from the one for validation.
    ///
    /// A null is kept wherever it is allowed, so a schema that allows null everywhere keeps all of them.
    pub(crate) fn normalizing(self, schema: &JsonSchema) -> Option<JsonSchema> {
        (!self.declarative_defaults).then(|| {
            let mut schema = schema.clone();
            allow_nulls(&mut schema);
            schema
        })
    }
}

/// Allows null at every node of the structural schema.
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
