//! What a caller decides about OpenAPI documents.

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
    /// Whether native `+k8s:` rules are published as keywords.
    pub validation: bool,
    /// The names of types without a model name.
    pub names: Names,
}
