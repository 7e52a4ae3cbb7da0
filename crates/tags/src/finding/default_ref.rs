//! `default-ref`: a default that refers to a constant which cannot be used.

use kindsmith_source::{Finding, Tool};

/// A default that refers to a constant which cannot be used.
pub static DEFAULT_REF: Finding =
    Finding::new("default-ref", Tool::DefaulterGen, include_str!("default_ref.md"));
