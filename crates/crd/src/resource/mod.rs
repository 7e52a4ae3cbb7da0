//! A custom resource as it is served: its versions and their compiled schemas, and what they make of objects.
//!
//! A [`Resource`] is made from a definition once; writing and reading objects are functions of it. Schemas are
//! compiled when a version is first used. Knows no transport, store or clock.

mod coerce;
mod conversion;
mod decode;
mod deprecation;
mod prepare;
mod prune_and_default;
mod read;
mod scale;
mod store;
mod validate;
mod version;
mod write;

pub use conversion::{Converter, Refusal, accept_converted};
pub use read::ReadError;
pub use version::Version;

use std::sync::Arc;

use kindsmith_object::meta::Scope;
use kindsmith_openapi::crd::Definition;
use kindsmith_schema::Str;

use crate::definition::{Gates, has_unusable_ca_bundle};

/// A custom resource as it is served.
#[derive(Debug)]
pub struct Resource {
    /// The API group.
    pub group: Str,
    /// The resource, as in the path.
    pub plural: Str,
    /// The kind.
    pub kind: Str,
    /// Whether objects live in namespaces.
    pub scope: Scope,
    /// The versions, in the order of the definition.
    pub versions: Vec<Version>,
    /// The old switch against pruning.
    pub preserve_unknown_fields: bool,
    /// Who converts objects; none if only the name of the version changes.
    converter: Option<Arc<dyn Converter>>,
    /// Whether the conversion webhook has certificates that cannot be loaded.
    has_bad_ca_bundle: bool,
}

impl Resource {
    /// Makes the resource that a definition defines. The definition is one that was accepted; nothing is judged here.
    #[must_use]
    pub fn new(definition: &Definition) -> Self {
        Resource::with_gates(definition, Gates::default())
    }

    /// The same on a server whose gates are set otherwise.
    #[must_use]
    pub fn with_gates(definition: &Definition, gates: Gates) -> Self {
        let spec = &definition.spec;
        let versions = spec
            .versions
            .iter()
            .map(|version| Version::new(spec, version, gates));
        Resource {
            group: spec.group.clone(),
            plural: spec.names.plural.clone(),
            kind: spec.names.kind.clone(),
            scope: match &*spec.scope {
                "Namespaced" => Scope::Namespaced,
                _ => Scope::Cluster,
            },
            versions: versions.collect(),
            preserve_unknown_fields: spec.preserve_unknown_fields,
            converter: None,
            has_bad_ca_bundle: has_unusable_ca_bundle(definition),
        }
    }

    /// The same with somebody who converts objects.
    #[must_use]
    pub fn with_converter(self, converter: Option<Arc<dyn Converter>>) -> Self {
        Resource { converter, ..self }
    }

    /// The version of this name.
    #[must_use]
    pub fn version(&self, name: &str) -> Option<&Version> {
        self.versions.iter().find(|version| &*version.name == name)
    }

    /// The version in which objects are stored.
    #[must_use]
    pub fn storage_version(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.is_storage)
    }

    /// Can objects be served in a version and stored? A schema that cannot be compiled ends every request, and so do
    /// certificates of a conversion webhook that cannot be loaded.
    #[must_use]
    pub fn is_servable(&self, version: &Version) -> bool {
        let is_broken = version.is_broken() || self.storage_version().is_some_and(Version::is_broken);
        !self.has_bad_ca_bundle && (!is_broken || self.preserve_unknown_fields)
    }

    /// Is an object of this group and kind one of ours? The version does not matter.
    pub(crate) fn is_kind(&self, group: &str, kind: &str) -> bool {
        *self.group == *group && *self.kind == *kind
    }
}
