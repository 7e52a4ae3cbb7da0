//! `manifest-syntax`: a manifest that is not YAML or JSON.

use kindsmith_source::{Finding, Tool};

/// A manifest that is not YAML or JSON.
pub static MANIFEST_SYNTAX: Finding = Finding::new(
    "manifest-syntax",
    Tool::KubeApiserver,
    include_str!("manifest_syntax.md"),
);
