//! `marker-value`: a value that openapi-gen does not know.

use kindsmith_source::{Finding, Tool};

/// A value that openapi-gen does not know.
pub static MARKER_VALUE: Finding =
    Finding::new("marker-value", Tool::OpenApiGen, include_str!("marker_value.md"));
