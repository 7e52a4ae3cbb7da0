//! The types of `apiextensions.k8s.io/v1`, field by field as the API has them.
//!
//! Texts that are enumerations in the API stay texts: a wrong one still reads.

use std::sync::Arc;

use kindsmith_schema::{Json, JsonSchema, Str};

use crate::List;

/// A definition of a custom resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// `metadata` as it was written: an object, for the owner of metadata to decode.
    pub metadata: Json,
    /// What the author wants.
    pub spec: Spec,
    /// What the server found.
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

/// What the author of a definition wants.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spec {
    /// API group.
    pub group: Str,
    /// Names of resource and kind.
    pub names: Names,
    /// `Cluster` or `Namespaced`; any text an author wrote.
    pub scope: Str,
    /// Versions, in the order of the document.
    pub versions: List<Version>,
    /// How objects change versions.
    pub conversion: Option<Conversion>,
    /// The old switch against pruning.
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
    /// Whether requests are warned.
    pub deprecated: bool,
    /// Text of the warning.
    pub deprecation_warning: Option<Str>,
    /// Schema of the objects.
    pub schema: Option<Validation>,
    /// Subresources.
    pub subresources: Option<Subresources>,
    /// Columns of tables.
    pub additional_printer_columns: List<Column>,
    /// Fields that selectors may name.
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
    /// Where the wanted replicas are.
    pub spec_replicas_path: Str,
    /// Where the present replicas are.
    pub status_replicas_path: Str,
    /// Where the selector is.
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
    /// Text for people; empty is absent.
    pub description: Str,
    /// Zero is shown always, more only where there is room.
    pub priority: i32,
    /// Where the value is.
    pub json_path: Str,
}

/// A field that selectors may name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectableField {
    /// Where the value is.
    pub json_path: Str,
}

/// How objects change versions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conversion {
    /// `None` or `Webhook`; any text an author wrote.
    pub strategy: Str,
    /// Whom to call.
    pub webhook: Option<Webhook>,
}

/// A conversion webhook.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Webhook {
    /// How to reach it.
    pub client_config: Option<ClientConfig>,
    /// Versions of `ConversionReview` it understands, best first.
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

/// What the server found about a definition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// Conditions, in the order they were first set.
    pub conditions: List<Condition>,
    /// Names in use.
    pub accepted_names: Names,
    /// Versions in which objects were ever stored.
    pub stored_versions: List<Str>,
    /// Generation the status is about; zero is absent.
    pub observed_generation: i64,
}

/// One condition of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Condition {
    /// `Established`, `NamesAccepted` …
    pub ty: Str,
    /// `True`, `False` or `Unknown`.
    pub status: Str,
    /// When the status last changed: RFC 3339 in UTC, to the second.
    pub last_transition_time: Option<Str>,
    /// Word for machines; empty is absent.
    pub reason: Str,
    /// Text for people; empty is absent.
    pub message: Str,
    /// Generation the condition is about; zero is absent.
    pub observed_generation: i64,
}

impl Version {
    /// The schema, where there is one.
    #[must_use]
    pub fn open_api_v3_schema(&self) -> Option<&Arc<JsonSchema>> {
        self.schema.as_ref()?.open_api_v3_schema.as_ref()
    }
}

impl Spec {
    /// The version in which objects are stored: the first that says so.
    #[must_use]
    pub fn storage_version(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.storage)
    }
}

impl Status {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, ty: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| &*condition.ty == ty)
    }
}
