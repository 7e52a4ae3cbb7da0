//! Validation of CRDs: the errors and warnings of a write.
//!
//! One file per group of rules. Paths and bad values are those of the server's internal type, which keeps what all
//! versions share at the top. Knows nothing of the CRD's objects.

mod approval;
mod ca_bundle;
mod columns;
mod conditions;
mod conversion_strategy;
mod decide;
mod defaults;
mod demands;
mod deprecation;
mod expressions;
mod faults;
mod gates;
mod known;
mod metadata;
mod names;
mod openapi;
mod reach;
mod root;
mod schema;
mod selectable;
mod spec;
mod stored_versions;
mod structural;
mod subresources;
mod surroundings;
mod versions;
mod visit;
mod warnings;
mod webhook;

use std::sync::Arc;

use kindsmith_json::Path;
use kindsmith_object::{BadValue, FieldError};
use kindsmith_openapi::crd::{ApiVersion, InternalDefinition, Status, Version};

pub use conditions::{Deletion, FINALIZER, conditions, has_unusable_ca_bundle, terminate};
pub use gates::Gates;
pub use warnings::{string_formats, unrecognized_formats};

pub(crate) use known::Known;
pub(crate) use metadata::generation;

use demands::Demands;
use faults::Faults;

/// The API group of CRDs.
pub const GROUP: &str = "apiextensions.k8s.io";

/// The errors and warnings of a write.
#[derive(Debug, Default)]
pub struct DefinitionValidation {
    /// The errors; empty if the CRD is valid.
    pub errors: Vec<FieldError>,
    /// Warnings; empty if there are errors.
    pub warnings: Vec<String>,
    /// The message of the panic that ends the request in Kubernetes, if there is one.
    pub crash: Option<String>,
}

impl DefinitionValidation {
    /// Whether the CRD is valid.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.errors.is_empty() && self.crash.is_none()
    }

    /// The response to an invalid write of the CRD with this name.
    #[must_use]
    pub fn status(&self, name: &str) -> Option<crate::Status> {
        if self.crash.is_some() {
            let text = "This request caused apiserver to panic. Look in the logs for details.";
            return Some(crate::Status::unforeseen(text));
        }
        let refused = !self.errors.is_empty();
        refused.then(|| crate::Status::invalid(GROUP, "CustomResourceDefinition", name, &self.errors))
    }

    fn new(faults: Faults, warnings: impl FnOnce() -> Vec<String>) -> DefinitionValidation {
        let (errors, crash) = faults.into_parts();
        let warnings = if errors.is_empty() { warnings() } else { Vec::new() };
        DefinitionValidation {
            errors,
            warnings,
            crash,
        }
    }
}

/// Validates a new CRD, decoded and defaulted, and prepares it for storage: a fresh status with the storage version,
/// and the first generation.
pub fn create(definition: &mut InternalDefinition, gates: Gates) -> DefinitionValidation {
    let known = &Known::new(gates);
    prepare_create(definition);
    let validation = validate_create(definition, gates, known);
    if validation.is_accepted() {
        keep_defaults(definition, gates, known);
    }
    validation
}

/// Finds the errors of many new CRDs. Schemas that share memory are checked once.
#[derive(Debug, Default)]
pub struct Judge {
    gates: Gates,
    /// The API version of the cached results: other versions have other checks.
    origin: ApiVersion,
    known: Known,
}

impl Judge {
    /// A validator with an empty cache.
    #[must_use]
    pub fn new(gates: Gates) -> Self {
        Self {
            gates,
            known: Known::new(gates),
            ..Self::default()
        }
    }

    /// The errors of a new CRD as [`create`] finds them, without its warnings and its stored form.
    pub fn errors(&mut self, definition: &mut InternalDefinition) -> Vec<FieldError> {
        if self.origin != definition.origin {
            self.origin = definition.origin;
            self.known = Known::new(self.gates);
        }
        prepare_create(definition);
        faults_of_new(definition, self.gates, &self.known).into_errors()
    }
}

/// Sets a fresh status with the storage version, and the first generation.
fn prepare_create(definition: &mut InternalDefinition) {
    metadata::leave_namespace(&mut definition.metadata);
    metadata::set_generation(&mut definition.metadata, FIRST_GENERATION);
    begin_status(definition);
}

/// The generation of a new CRD.
pub(crate) const FIRST_GENERATION: i64 = 1;

/// Sets a fresh status with the storage version.
pub(crate) fn begin_status(definition: &mut InternalDefinition) {
    definition.status = Status::default();
    stored_versions::remember(definition);
}

/// Validates a new CRD with a fresh status and the first generation.
pub(crate) fn validate_create(
    definition: &InternalDefinition,
    gates: Gates,
    known: &Known,
) -> DefinitionValidation {
    let faults = faults_of_new(definition, gates, known);
    DefinitionValidation::new(faults, || warnings::warnings(&definition.spec, None, known))
}

fn faults_of_new(definition: &InternalDefinition, gates: Gates, known: &Known) -> Faults {
    let mut faults = Faults::default();
    if schema::all_bounded(definition, known, &mut faults) {
        let demands = Demands::of_create(definition, gates);
        metadata::check_create(definition, &mut faults);
        spec::check(
            &definition.spec,
            &demands,
            known,
            &Path::root("spec"),
            &mut faults,
        );
        rest(definition, None, &demands, &mut faults);
    }
    faults
}

/// Validates a changed CRD, decoded and defaulted, and prepares it for storage: the old status plus a new storage
/// version, and the next generation if the spec changed.
pub fn update(
    definition: &mut InternalDefinition,
    old: &InternalDefinition,
    gates: Gates,
) -> DefinitionValidation {
    let known = &Known::new(gates);
    prepare_update(definition, old);
    let validation = validate_update(definition, old, gates, known);
    if validation.is_accepted() {
        keep_defaults(definition, gates, known);
    }
    validation
}

/// Sets the old status, and the next generation if the spec changed.
pub(crate) fn prepare_update(definition: &mut InternalDefinition, old: &InternalDefinition) {
    metadata::leave_namespace(&mut definition.metadata);
    metadata::keep(&mut definition.metadata, &old.metadata);
    definition.status = old.status.clone();
    let changed = i64::from(!same_spec(definition, old));
    let generation = metadata::generation(&old.metadata) + changed;
    metadata::set_generation(&mut definition.metadata, generation);
    stored_versions::remember(definition);
}

/// Validates a changed CRD after [`prepare_update`].
pub(crate) fn validate_update(
    definition: &InternalDefinition,
    old: &InternalDefinition,
    gates: Gates,
    known: &Known,
) -> DefinitionValidation {
    let mut faults = Faults::default();
    if schema::all_bounded(definition, known, &mut faults) && schema::all_bounded(old, known, &mut faults) {
        let demands = Demands::of_update(old, definition, gates);
        let path = Path::root("spec");
        metadata::check_update(definition, old, &mut faults);
        spec::check(&definition.spec, &demands, known, &path, &mut faults);
        spec::immutable(&definition.spec, &old.spec, &demands, &path, &mut faults);
        rest(definition, Some(old), &demands, &mut faults);
    }
    DefinitionValidation::new(faults, || {
        warnings::warnings(&definition.spec, Some(&old.spec), known)
    })
}

/// The response to an update of the CRD with this name without `metadata.resourceVersion`. The store rejects it before
/// validation.
#[must_use]
pub fn unconditional_update(name: &str) -> crate::Status {
    crate::Status::missing_resource_version(GROUP, "customresourcedefinitions", name)
}

/// Validates a change of the status alone; everything else stays as in the old CRD.
pub fn update_status(definition: &mut InternalDefinition, old: &InternalDefinition) -> DefinitionValidation {
    prepare_status(definition, old);
    validate_status(definition, old)
}

/// Restores everything except the status from the old CRD.
pub(crate) fn prepare_status(definition: &mut InternalDefinition, old: &InternalDefinition) {
    metadata::leave_namespace(&mut definition.metadata);
    metadata::keep(&mut definition.metadata, &old.metadata);
    metadata::set_generation(&mut definition.metadata, metadata::generation(&old.metadata));
    definition.spec = old.spec.clone();
}

/// Validates a status change after [`prepare_status`].
pub(crate) fn validate_status(
    definition: &InternalDefinition,
    old: &InternalDefinition,
) -> DefinitionValidation {
    let mut faults = Faults::default();
    metadata::check_update(definition, old, &mut faults);
    let status = Path::root("status");
    names::check(
        &definition.status.accepted_names,
        &status.child("acceptedNames"),
        &mut faults,
    );
    DefinitionValidation::new(faults, Vec::new)
}

/// Validates what comes after the spec.
fn rest(
    definition: &InternalDefinition,
    old: Option<&InternalDefinition>,
    demands: &Demands,
    faults: &mut Faults,
) {
    let status = Path::root("status");
    names::check(
        &definition.status.accepted_names,
        &status.child("acceptedNames"),
        faults,
    );
    stored_versions::check(
        &definition.status.stored_versions,
        &definition.spec.versions,
        &status.child("storedVersions"),
        faults,
    );
    if !demands.v1 {
        return;
    }
    if approval::is_protected(&definition.spec.group) {
        let annotation = |of: &InternalDefinition| metadata::annotation(&of.metadata, approval::ANNOTATION);
        approval::check(&annotation(definition), old.map(annotation).as_deref(), faults);
    }
    let preserved = |of: &InternalDefinition| of.spec.preserve_unknown_fields == Some(true);
    if preserved(definition) && !old.is_some_and(preserved) {
        faults.invalid(
            &Path::root("spec").child("preserveUnknownFields"),
            BadValue::Bool(true),
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
        );
    }
}

/// Stores the defaults of schemas in the form that validation leaves.
pub(crate) fn keep_defaults(definition: &mut InternalDefinition, gates: Gates, known: &Known) {
    if gates.defaults_of_kep {
        return;
    }
    let spec = &mut definition.spec;
    // An absent list stays absent.
    let versions: &mut [Version] = if spec.versions.is_absent() {
        &mut []
    } else {
        spec.versions.make()
    };
    let own = versions.iter_mut().filter_map(|version| version.schema.as_mut());
    for validation in spec.validation.iter_mut().chain(own) {
        if let Some(schema) = &mut validation.open_api_v3_schema
            && let Some(kept) = defaults::coerced(schema, known)
        {
            *schema = Arc::new(kept);
        }
    }
}

fn same_spec(left: &InternalDefinition, right: &InternalDefinition) -> bool {
    left.spec == right.spec || left.to_v1().spec.is_same_as(&right.to_v1().spec)
}
