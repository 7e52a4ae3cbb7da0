//! One version of a resource, with its schema compiled on first use.

use std::sync::{Arc, OnceLock};

use kindsmith_object::Release;
use kindsmith_openapi::crd;
use kindsmith_schema::{JsonSchema, Str};
use kindsmith_structural::{NotServable, ScalePaths, StructuralSchema};

use crate::definition::Gates;

/// One version of a resource.
#[derive(Debug)]
pub struct Version {
    /// The name: `v1`.
    pub name: Str,
    /// Whether the API serves it.
    pub is_served: bool,
    /// Whether objects are stored in it.
    pub is_storage: bool,
    /// The warning for every request to it, if it is deprecated.
    pub deprecation_warning: Option<String>,
    /// Whether `/status` is a subresource.
    pub has_status: bool,
    /// The paths of `/scale`.
    pub scale: Option<ScalePaths>,
    schema: Option<Arc<JsonSchema>>,
    structure: OnceLock<Result<StructuralSchema, NotServable>>,
    gates: Gates,
    normalizer: OnceLock<Option<StructuralSchema>>,
}

impl Version {
    /// The release of Kubernetes whose rules hold.
    pub(super) fn release(&self) -> Release {
        self.gates.release
    }

    pub(super) fn new(spec: &crd::Spec, version: &crd::Version, gates: Gates) -> Self {
        let subresources = version.subresources.as_ref();
        Version {
            name: version.name.clone(),
            is_served: version.served,
            is_storage: version.storage,
            deprecation_warning: super::deprecation::warning(spec, version),
            has_status: subresources.is_some_and(|subresources| subresources.status.is_some()),
            scale: subresources
                .and_then(|subresources| subresources.scale.as_ref())
                .map(scale_paths),
            schema: version.open_api_v3_schema().cloned(),
            structure: OnceLock::new(),
            gates,
            normalizer: OnceLock::new(),
        }
    }

    /// The compiled schema for pruning and defaulting.
    pub(super) fn normalizer(&self) -> Option<&StructuralSchema> {
        let structure = self.structure()?;
        let other = self.normalizer.get_or_init(|| {
            let schema = self.gates.normalizing(self.schema.as_deref()?)?;
            StructuralSchema::serve_for(&schema, self.gates.dialect().stored(), self.release()).ok()
        });
        other.as_ref().or(Some(structure))
    }

    /// The compiled schema; `None` if there is none, or if it cannot be served.
    pub fn structure(&self) -> Option<&StructuralSchema> {
        self.compiled()?.as_ref().ok()
    }

    /// Whether there is a schema that cannot be served: it is not structural, or its default is not an object.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.compiled().is_some_and(Result::is_err)
    }

    fn compiled(&self) -> Option<&Result<StructuralSchema, NotServable>> {
        let schema = self.schema.as_deref()?;
        let dialect = self.gates.dialect().stored();
        Some(
            self.structure
                .get_or_init(|| StructuralSchema::serve_for(schema, dialect, self.release())),
        )
    }

    /// The schema as published.
    #[must_use]
    pub fn schema(&self) -> Option<&JsonSchema> {
        self.schema.as_deref()
    }
}

fn scale_paths(scale: &crd::Scale) -> ScalePaths {
    ScalePaths {
        spec_replicas: scale.spec_replicas_path.clone(),
        status_replicas: scale.status_replicas_path.clone(),
        label_selector: scale.label_selector_path.clone(),
    }
}
