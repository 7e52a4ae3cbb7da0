//! `validation-misuse`: a `+k8s:validation:` marker that openapi-gen rejects.

use kindsmith_source::{Finding, Tool};

/// A `+k8s:validation:` marker that openapi-gen rejects.
pub static VALIDATION_MISUSE: Finding = Finding::new(
    "validation-misuse",
    Tool::OpenApiGen,
    include_str!("validation_misuse.md"),
);
