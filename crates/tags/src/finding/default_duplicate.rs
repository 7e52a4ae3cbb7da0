//! `default-duplicate`: two defaults on one declaration.

use kindsmith_source::{Finding, Tool};

/// Two defaults on one declaration.
pub static DEFAULT_DUPLICATE: Finding = Finding::new(
    "default-duplicate",
    Tool::OpenApiGen,
    include_str!("default_duplicate.md"),
)
.also(&[Tool::DefaulterGen]);
