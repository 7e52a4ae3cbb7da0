//! `default-enforced`: a default on a field that is never absent.

use kindsmith_source::{Finding, Tool};

/// A default on a field that is never absent.
pub static DEFAULT_ENFORCED: Finding = Finding::new(
    "default-enforced",
    Tool::OpenApiGen,
    include_str!("default_enforced.md"),
);
