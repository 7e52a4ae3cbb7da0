//! What a write is about.

use kindsmith_object::meta::Scope;

use crate::{Status, Write};

/// The names of a kind and its resource.
#[derive(Debug, Clone, Copy)]
pub struct Target<'s> {
    /// The API group.
    pub group: &'s str,
    /// The resource, as in the path.
    pub resource: &'s str,
    /// The kind.
    pub kind: &'s str,
    /// Whether objects live in namespaces.
    pub scope: Scope,
}

impl Target<'_> {
    /// 404 for the object of a write.
    #[must_use]
    pub fn not_found(&self, write: &Write<'_>) -> Status {
        Status::not_found(self.group, self.resource, write.name)
    }
}
