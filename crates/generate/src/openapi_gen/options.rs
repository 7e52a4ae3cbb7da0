//! What a caller decides about OpenAPI documents.

use kindsmith_checks::Profile;

/// A version of OpenAPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// Swagger 2.0: `definitions`, references with siblings.
    V2,
    /// OpenAPI 3.0: `components`, references wrapped in `allOf`.
    V3,
}

/// Which definitions publish defaults. The two texts of KEP-1929 disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Defaults {
    /// All.
    #[default]
    All,
    /// Those of custom resources: everything reachable from the kinds of the packages.
    CustomResources,
    /// None, like version 2 of built-in types on a server.
    None,
}

/// What is published as the default of elements of lists and maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Elements {
    /// Nothing.
    #[default]
    Plain,
    /// The default of their type, as KEP-1929 says.
    DefaultsOfTypes,
    /// The default of their type or its zero value, as Kubernetes did up to 1.36.
    Defaults,
}

impl From<Profile> for Elements {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Kep => Elements::DefaultsOfTypes,
            _ => Elements::Plain,
        }
    }
}

/// The names of types without a model name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// `org.example.api.v1.Kind`.
    #[default]
    Friendly,
    /// Their Go path, as in the server of Kubernetes 1.38: `example.org/api/v1.Kind`, with `~1` for `/` in
    /// references.
    Go,
}

/// Settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The version.
    pub version: Version,
    /// Which definitions publish defaults.
    pub defaults: Defaults,
    /// Whether declarative `+k8s:` rules are published as keywords.
    pub validation: bool,
    /// The names of types without a model name.
    pub names: Names,
}
