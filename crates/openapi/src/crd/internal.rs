//! The form in which the API server validates CRDs: parts that all versions share are at the top.
//!
//! Errors use the paths and bad values of this form.

use kindsmith_schema::{Json, Str};

use super::types::{ClientConfig, Column, Names, SelectableField, Status, Subresources, Validation, Version};
use super::{ApiVersion, Definition};
use crate::List;

/// A CRD in the internal form.
#[derive(Debug, Clone, PartialEq)]
pub struct InternalDefinition {
    /// The API version it was written in, whose rules for creation apply.
    pub origin: ApiVersion,
    /// `metadata` as written.
    pub metadata: Json,
    /// The desired state.
    pub spec: InternalSpec,
    /// The observed state.
    pub status: Status,
}

/// The spec of a CRD in the internal form, which is also the form of `v1beta1`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InternalSpec {
    /// API group.
    pub group: Str,
    /// Name of the first version.
    pub version: Str,
    /// Names of resource and kind.
    pub names: Names,
    /// `Cluster` or `Namespaced`; any text, even an invalid one.
    pub scope: Str,
    /// Schema shared by all versions.
    pub validation: Option<Validation>,
    /// Subresources shared by all versions.
    pub subresources: Option<Subresources>,
    /// Versions, without the shared parts.
    pub versions: List<Version>,
    /// Columns shared by all versions.
    pub additional_printer_columns: List<Column>,
    /// Selectable fields shared by all versions.
    pub selectable_fields: List<SelectableField>,
    /// How objects are converted between versions.
    pub conversion: Option<InternalConversion>,
    /// Turns pruning off (deprecated).
    pub preserve_unknown_fields: Option<bool>,
}

/// How objects are converted between versions, in the internal form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InternalConversion {
    /// `None` or `Webhook`; any text, even an invalid one.
    pub strategy: Str,
    /// How to reach the webhook.
    pub webhook_client_config: Option<ClientConfig>,
    /// Versions of `ConversionReview` that the webhook supports, preferred first.
    pub conversion_review_versions: List<Str>,
}

impl Default for InternalDefinition {
    fn default() -> Self {
        Self {
            origin: ApiVersion::V1beta1,
            metadata: Definition::default().metadata,
            spec: InternalSpec::default(),
            status: Status::default(),
        }
    }
}

impl InternalSpec {
    /// The schema of a version: its own, or the shared one.
    #[must_use]
    pub fn validation_of<'s>(&'s self, version: &'s Version) -> Option<&'s Validation> {
        version.schema.as_ref().or(self.validation.as_ref())
    }
}
