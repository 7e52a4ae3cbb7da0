//! `kind-versions`: versions of a kind that make no valid CRD together.

use kindsmith_source::{Finding, Tool};

/// Versions of a kind that make no valid CRD together.
pub static KIND_VERSIONS: Finding = Finding::new(
    "kind-versions",
    Tool::ControllerGen,
    include_str!("kind_versions.md"),
);
