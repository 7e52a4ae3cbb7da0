//! Kinds: the types of a schema that are served as resources.

use crate::{Str, TypeId};

/// One version of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The root type.
    pub ty: TypeId,
    /// API group; empty for the core group.
    pub group: Str,
    /// Version.
    pub version: Str,
    /// Kind.
    pub kind: Str,
    /// Names other than the kind; `None` is derived from the kind.
    pub names: ResourceNames,
    /// Whether objects are namespaced.
    pub scope: Scope,
    /// An invalid scope, as written.
    pub unknown_scope: Option<Str>,
    /// Whether the version is served.
    pub served: bool,
    /// Whether the author marks the version as the stored one.
    pub storage: bool,
    /// Whether the version is left out of generated output.
    pub skipped: bool,
    /// Set when the version is deprecated; the inner text is the warning.
    pub deprecated: Option<Option<Str>>,
    /// Subresources.
    pub subresources: Subresources,
    /// Columns of tables, in source order.
    pub columns: Vec<Column>,
    /// Fields usable in field selectors.
    pub selectable_fields: Vec<Str>,
    /// Annotations of the CRD.
    pub annotations: Vec<(Str, Str)>,
    /// Labels of the CRD.
    pub labels: Vec<(Str, Str)>,
}

/// Names of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceNames {
    /// Plural, as in paths.
    pub plural: Option<Str>,
    /// Singular.
    pub singular: Option<Str>,
    /// Abbreviations.
    pub short: Vec<Str>,
    /// Groups such as `all`.
    pub categories: Vec<Str>,
}

/// Where objects of a kind live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In a namespace.
    Namespaced,
    /// In the cluster.
    Cluster,
}

/// Subresources of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subresources {
    /// `/status`.
    pub status: bool,
    /// `/scale`.
    pub scale: Option<Scale>,
}

/// Where the scale subresource finds its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scale {
    /// Path of the desired number.
    pub spec_path: Str,
    /// Path of the observed number.
    pub status_path: Str,
    /// Path of the label selector.
    pub selector_path: Option<Str>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Heading.
    pub name: Str,
    /// Type of the cells.
    pub ty: Str,
    /// Path of the value.
    pub json_path: Str,
    /// Description.
    pub description: Option<Str>,
    /// Format of the cells.
    pub format: Option<Str>,
    /// Zero is always shown.
    pub priority: i64,
}

impl Kind {
    /// A served, namespaced kind without subresources.
    #[must_use]
    pub fn new(ty: TypeId, group: impl Into<Str>, version: impl Into<Str>, kind: impl Into<Str>) -> Self {
        Self {
            ty,
            group: group.into(),
            version: version.into(),
            kind: kind.into(),
            names: ResourceNames::default(),
            scope: Scope::Namespaced,
            unknown_scope: None,
            served: true,
            storage: false,
            skipped: false,
            deprecated: None,
            subresources: Subresources::default(),
            columns: Vec::new(),
            selectable_fields: Vec::new(),
            annotations: Vec::new(),
            labels: Vec::new(),
        }
    }
}
