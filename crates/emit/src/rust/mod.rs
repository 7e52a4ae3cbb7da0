//! Rust types from published schemas: structs and enums with serde's attributes, and the rules as attributes of
//! `kindsmith::Schema` and `kindsmith::Resource`.
//!
//! Names are those that kopium gives: `GateSpec`, and below it `GateHours`, `GateLockKey`; enums are named after their
//! field. An object of which exactly one member is set is an enum, too, and so is one with a discriminator. Knows no documents; what has no form in Rust stays a
//! `serde_json::Value`.

mod allowed;
mod attributes;
mod known;
mod names;
mod structure;
mod tagged;
mod union;

use kindsmith_schema::JsonSchema;

pub use known::Known;
pub use names::file_name;

/// The annotation without which no server takes a CRD of a group of Kubernetes.
pub const APPROVAL: &str = "api-approved.kubernetes.io";

/// One version of a kind.
#[derive(Debug, Clone)]
pub struct Kind<'s> {
    /// Group.
    pub group: &'s str,
    /// Version.
    pub version: &'s str,
    /// Kind.
    pub kind: &'s str,
    /// Plural name.
    pub plural: &'s str,
    /// Singular name; may be empty.
    pub singular: &'s str,
    /// Short names.
    pub short_names: Vec<&'s str>,
    /// Categories.
    pub categories: Vec<&'s str>,
    /// Where a group of Kubernetes was approved, or why it was not: the annotation `api-approved.kubernetes.io` of the CRD.
    pub approval: Option<String>,
    /// Whether objects have no namespace.
    pub is_cluster: bool,
    /// Whether it is the version that is stored.
    pub is_stored: bool,
    /// Whether it is not served.
    pub is_unserved: bool,
    /// The warning of a deprecated version; empty for the usual one.
    pub deprecation: Option<&'s str>,
    /// Columns: name, type, path, description, priority.
    pub columns: Vec<Column<'s>>,
    /// Paths of fields that field selectors may use.
    pub selectable_fields: Vec<&'s str>,
    /// Paths of the scale subresource: replicas wanted, replicas there, selector.
    pub scale: Option<(&'s str, &'s str, Option<&'s str>)>,
    /// The schema of its objects.
    pub schema: &'s JsonSchema,
}

/// A column of tables.
#[derive(Debug, Clone)]
pub struct Column<'s> {
    /// Name.
    pub name: &'s str,
    /// Type.
    pub ty: &'s str,
    /// JSON path.
    pub path: &'s str,
    /// Description; may be empty.
    pub description: &'s str,
    /// Format; may be empty.
    pub format: &'s str,
    /// Priority.
    pub priority: i64,
}

/// What the types are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavor {
    /// With `kube::CustomResource`, and types of k8s-openapi.
    Kube,
    /// serde and Kindsmith alone.
    Plain,
}

/// Writes the kinds of one group and version as one file. Types that are `known` are not written again.
#[must_use]
pub fn write(kinds: &[Kind<'_>], flavor: Flavor, known: &Known) -> String {
    let mut writer = structure::Writer::new(flavor, known);
    for kind in kinds {
        writer.kind(kind);
    }
    writer.finish()
}
