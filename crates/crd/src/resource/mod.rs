//! A served custom resource: its versions and compiled schemas, and how they process objects.
//!
//! A [`Resource`] is made once from a CRD; its methods write and read objects. Schemas are compiled when a version is
//! first used. Knows no transport, store or clock.

mod coerce;
mod converter;
mod decode;
mod deprecation;
mod in_code;
mod prepare;
mod prune_and_default;
mod read;
mod scale;
mod store;
mod validate;
mod version;
mod write;

pub use converter::{ConversionError, Converter, Refusal, accept_converted};
pub use in_code::{CheckedWrite, InCode, Rules};
pub use read::ReadError;
pub use version::Version;

use std::sync::Arc;

use kindsmith_object::meta::Scope;
use kindsmith_openapi::crd::Definition;
use kindsmith_schema::Str;

use crate::definition::{Gates, has_unusable_ca_bundle};

/// A served custom resource.
#[derive(Debug)]
pub struct Resource {
    /// The API group.
    pub group: Str,
    /// The plural name, as in the path.
    pub plural: Str,
    /// The kind.
    pub kind: Str,
    /// Whether objects are namespaced.
    pub scope: Scope,
    /// The versions, in the order of the CRD.
    pub versions: Vec<Version>,
    /// Whether pruning is off (deprecated).
    pub preserve_unknown_fields: bool,
    /// The converter; `None` if only the version's name changes.
    converter: Option<Arc<dyn Converter>>,
    /// Rules in code.
    rules: Vec<Arc<dyn Rules>>,
    /// Whether the conversion webhook has certificates that cannot be loaded.
    has_bad_ca_bundle: bool,
}

impl Resource {
    /// Makes the resource of a CRD that was accepted; nothing is validated here.
    #[must_use]
    pub fn new(definition: &Definition) -> Self {
        Resource::with_gates(definition, Gates::default())
    }

    /// Same as [`Self::new`], with feature gates.
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
            rules: Vec::new(),
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

    /// The storage version.
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

    /// Whether an object of this group and kind belongs to the resource, in any version.
    pub(crate) fn is_kind(&self, group: &str, kind: &str) -> bool {
        *self.group == *group && *self.kind == *kind
    }
}
