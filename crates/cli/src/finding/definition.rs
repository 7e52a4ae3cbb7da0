//! `definition`: a generated CRD that the API server rejects.

use kindsmith_source::{Finding, Tool};

/// A generated CRD that the API server rejects.
pub static DEFINITION: Finding =
    Finding::new("definition", Tool::KubeApiserver, include_str!("definition.md"));
