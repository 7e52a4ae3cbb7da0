//! The types of `apiextensions.k8s.io/v1`, field by field as the API has them.
//!
//! Enumerations of the API are plain text here: an invalid value can still be read.

use std::sync::Arc;

use kindsmith_schema::{Json, JsonSchema, Str};

use crate::List;

/// A CRD.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// `metadata` as written: an object, decoded elsewhere.
    pub metadata: Json,
    /// The desired state.
    pub spec: Spec,
    /// The observed state.
    pub status: Status,
}

impl Default for Definition {
    fn default() -> Self {
        Self {
            metadata: Json::from(kindsmith_json::Value::Object(kindsmith_json::Object::EMPTY)),
            spec: Spec::default(),
            status: Status::default(),
        }
    }
}

/// The spec of a CRD.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spec {
    /// API group.
    pub group: Str,
    /// Names of resource and kind.
    pub names: Names,
    /// `Cluster` or `Namespaced`; any text, even an invalid one.
    pub scope: Str,
    /// Versions, in the order of the document.
    pub versions: List<Version>,
    /// How objects are converted between versions.
    pub conversion: Option<Conversion>,
    /// The old switch that turns pruning off.
    pub preserve_unknown_fields: bool,
}

/// Names of a resource and its kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// Resource, as in the path.
    pub plural: Str,
    /// Resource for one; empty is absent.
    pub singular: Str,
    /// Abbreviations.
    pub short_names: List<Str>,
    /// Kind.
    pub kind: Str,
    /// Kind of the list; empty is absent.
    pub list_kind: Str,
    /// Groups such as `all`.
    pub categories: List<Str>,
}

/// One version of a resource.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Version {
    /// Name: `v1`.
    pub name: Str,
    /// Whether the API serves it.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// Whether requests get a deprecation warning.
    pub deprecated: bool,
    /// Text of the warning.
    pub deprecation_warning: Option<Str>,
    /// Schema of the objects.
    pub schema: Option<Validation>,
    /// Subresources.
    pub subresources: Option<Subresources>,
    /// Columns of tables.
    pub additional_printer_columns: List<Column>,
    /// Fields usable in field selectors.
    pub selectable_fields: List<SelectableField>,
}

/// The schema of a version. Sharing it costs nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Validation {
    /// `openAPIV3Schema`.
    pub open_api_v3_schema: Option<Arc<JsonSchema>>,
}

/// Subresources of a version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subresources {
    /// `/status`.
    pub status: Option<StatusSubresource>,
    /// `/scale`.
    pub scale: Option<Scale>,
}

/// The subresource `/status`, which has no settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatusSubresource {}

/// The subresource `/scale`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scale {
    /// Path of the desired replicas.
    pub spec_replicas_path: Str,
    /// Path of the observed replicas.
    pub status_replicas_path: Str,
    /// Path of the selector.
    pub label_selector_path: Option<Str>,
}

/// A column of tables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Column {
    /// Heading.
    pub name: Str,
    /// OpenAPI type.
    pub ty: Str,
    /// OpenAPI format; empty is absent.
    pub format: Str,
    /// Description; empty is absent.
    pub description: Str,
    /// Zero is always shown, higher numbers only where there is room.
    pub priority: i32,
    /// Path of the value.
    pub json_path: Str,
}

/// A field usable in field selectors.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectableField {
    /// Path of the value.
    pub json_path: Str,
}

/// How objects are converted between versions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conversion {
    /// `None` or `Webhook`; any text, even an invalid one.
    pub strategy: Str,
    /// The webhook to call.
    pub webhook: Option<Webhook>,
}

/// A conversion webhook.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Webhook {
    /// How to reach it.
    pub client_config: Option<ClientConfig>,
    /// Versions of `ConversionReview` that it supports, preferred first.
    pub conversion_review_versions: List<Str>,
}

/// How to reach a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClientConfig {
    /// Address.
    pub url: Option<Str>,
    /// Service of the cluster.
    pub service: Option<Service>,
    /// Certificates to trust, PEM; empty is absent.
    pub ca_bundle: Vec<u8>,
}

/// A service of the cluster.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Service {
    /// Namespace.
    pub namespace: Str,
    /// Name.
    pub name: Str,
    /// Path of the request.
    pub path: Option<Str>,
    /// Port.
    pub port: Option<i32>,
}

/// The observed state of a CRD.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// Conditions, in the order they were first set.
    pub conditions: List<Condition>,
    /// Names in use.
    pub accepted_names: Names,
    /// Versions in which objects were stored at some time.
    pub stored_versions: List<Str>,
    /// Generation that the status is about; zero is absent.
    pub observed_generation: i64,
}

/// One condition of a CRD.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Condition {
    /// `Established`, `NamesAccepted` …
    pub ty: Str,
    /// `True`, `False` or `Unknown`.
    pub status: Str,
    /// When the status last changed: RFC 3339 in UTC, to the second.
    pub last_transition_time: Option<Str>,
    /// Machine-readable reason; empty is absent.
    pub reason: Str,
    /// Message; empty is absent.
    pub message: Str,
    /// Generation that the condition is about; zero is absent.
    pub observed_generation: i64,
}

impl Version {
    /// The schema, if there is one.
    #[must_use]
    pub fn open_api_v3_schema(&self) -> Option<&Arc<JsonSchema>> {
        self.schema.as_ref()?.open_api_v3_schema.as_ref()
    }
}

impl Spec {
    /// The stored version: the first one marked so.
    #[must_use]
    pub fn storage_version(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.storage)
    }

    /// The versions that have a schema, with it.
    pub fn schemas(&self) -> impl Iterator<Item = (&Version, &Arc<JsonSchema>)> {
        let versions = self.versions.iter();
        versions.filter_map(|version| Some((version, version.open_api_v3_schema()?)))
    }
}

impl Status {
    /// The condition of the given type.
    #[must_use]
    pub fn condition(&self, ty: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| &*condition.ty == ty)
    }
}
