//! How a kind is stored in another version than it is served in, with other fields.

use std::fmt;

use kindsmith_json::{Arena, Value};

/// How an object becomes the same object of another version.
pub type Convert = for<'a> fn(&'a Arena, Value<'a>) -> Value<'a>;

/// How objects of a kind become those of the version that is stored, and back. Neither sets `apiVersion`.
#[derive(Clone, Copy)]
pub struct Conversion {
    /// The group of the kind that is stored.
    pub group: &'static str,
    /// The version that is stored.
    pub version: &'static str,
    /// To that version.
    pub to_storage: Convert,
    /// From that version.
    pub from_storage: Convert,
}

impl fmt::Debug for Conversion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Conversion")
            .field("group", &self.group)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
