//! What a caller of `read` decides.

use kindsmith_schema::{Json, Profile};

/// Options for reading tags.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Whether KEP-5073 or upstream decides where they differ.
    pub profile: Profile,
    /// Whether the packages are for controller-gen: whatever it rejects is an error, even if they are for
    /// other tools too.
    pub controller_gen: bool,
    /// Whether CRDs are generated: then whatever controller-gen rejects is an error in every package
    /// reachable from resources, including imported ones.
    pub definitions: bool,
    /// Whether markers on fields do not see that a named type is a list or map, as in controller-gen before v0.23.
    pub opaque_containers: bool,
}

/// Constants that tags may refer to, of any type.
pub trait Constants {
    /// Whether all constants of the package can be looked up, so that a missing one is an error.
    fn is_complete(&self, package: &str) -> bool;

    /// The constant of a package: whether it is declared, and its value if known.
    fn get(&self, package: &str, name: &str) -> Option<Option<Json>>;
}

/// No constants.
impl Constants for () {
    fn is_complete(&self, _: &str) -> bool {
        false
    }

    fn get(&self, _: &str, _: &str) -> Option<Option<Json>> {
        None
    }
}
