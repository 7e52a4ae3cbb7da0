//! What is served: groups, versions, resources. A [`Catalog`] never changes; another one takes its place.

use std::sync::Arc;

use kindsmith_engine::meta::Scope;
use kindsmith_schema::Str;

use crate::Resource;

/// A verb of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// `POST`.
    Create,
    /// `DELETE` of one object.
    Delete,
    /// `DELETE` of many.
    DeleteCollection,
    /// `GET` of one object.
    Get,
    /// `GET` of many.
    List,
    /// `PATCH`.
    Patch,
    /// `PUT`.
    Update,
    /// `GET` of many with `watch`.
    Watch,
}

/// The verbs of a resource, sorted as discovery shows them.
pub type Verbs = &'static [Verb];

/// One resource in one version.
#[derive(Debug, Clone)]
pub struct Served {
    /// The API group; empty for the core group.
    pub group: Str,
    /// The version.
    pub version: Str,
    /// The resource, as in the path.
    pub plural: Str,
    /// The resource for one object.
    pub singular: Str,
    /// The kind.
    pub kind: Str,
    /// The kind of lists.
    pub list_kind: Str,
    /// Abbreviations.
    pub short_names: Vec<Str>,
    /// Groups of resources.
    pub categories: Vec<Str>,
    /// Whether objects live in namespaces.
    pub scope: Scope,
    /// What can be done.
    pub verbs: Verbs,
    /// What can be done to parts of an object.
    pub subresources: Vec<Subresource>,
    /// Where objects are stored, with a slash at the end: `/registry/configmaps/`.
    pub key_prefix: Str,
    /// What stands behind it.
    pub resource: Arc<dyn Resource>,
}

/// A part of an object with a path of its own.
#[derive(Debug, Clone)]
pub struct Subresource {
    /// The last part of the path: `status`.
    pub name: Str,
    /// Group, version and kind of what is sent and answered.
    pub kind: (Str, Str, Str),
    /// What can be done.
    pub verbs: Verbs,
}

/// All that is served, sorted by group, version and resource.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    /// All resources.
    pub served: Vec<Arc<Served>>,
}

impl Catalog {
    /// The resource of a path.
    #[must_use]
    pub fn find(&self, group: &str, version: &str, plural: &str) -> Option<&Arc<Served>> {
        self.served.iter().find(|served| {
            *served.plural == *plural && *served.version == *version && *served.group == *group
        })
    }
}
