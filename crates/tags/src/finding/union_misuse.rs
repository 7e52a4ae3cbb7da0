//! `union-misuse`: a union that openapi-gen complains about.

use kindsmith_source::{Finding, Tool};

/// A union that openapi-gen complains about.
pub static UNION_MISUSE: Finding =
    Finding::new("union-misuse", Tool::OpenApiGen, include_str!("union_misuse.md"));
