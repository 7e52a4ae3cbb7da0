//! The names of a kind.

use kindsmith_schema::Str;

/// The names of a kind.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The API group; empty for the core group.
    pub group: Str,
    /// The version: `v1`.
    pub version: Str,
    /// The kind: `ConfigMap`.
    pub kind: Str,
    /// The kind of lists: `ConfigMapList`.
    pub list_kind: Str,
    /// The plural name, as in the path: `configmaps`.
    pub plural: Str,
    /// The singular name: `configmap`.
    pub singular: Str,
    /// Short names: `cm`.
    pub short_names: Vec<Str>,
    /// Categories: `all`.
    pub categories: Vec<Str>,
}

impl Names {
    /// Group and version as in `apiVersion`: `apps/v1`.
    #[must_use]
    pub fn api_version(&self) -> String {
        match &*self.group {
            "" => self.version.to_string(),
            group => format!("{group}/{}", self.version),
        }
    }
}
