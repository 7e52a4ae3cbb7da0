//! One version of an API.

use crate::Types;

/// One version of an API: the types that its kinds are made of.
#[derive(Debug, Clone, Default)]
pub struct Package {
    /// The import path in Go.
    pub path: String,
    /// The group of its kinds.
    pub group: String,
    /// The version of its kinds, which is the package's name too.
    pub version: String,
    /// The types.
    pub types: Types,
}

impl Package {
    /// An empty version of a group. Its import path is made of both.
    #[must_use]
    pub fn new(group: &str, version: &str) -> Self {
        Self {
            path: format!("{group}/{version}"),
            group: group.to_owned(),
            version: version.to_owned(),
            types: Types::default(),
        }
    }
}
