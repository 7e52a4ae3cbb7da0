//! `default-null`: `null` as the default of a plain value.

use kindsmith_source::{Finding, Tool};

/// `null` as the default of a plain value.
pub static DEFAULT_NULL: Finding = Finding::new(
    "default-null",
    Tool::DefaulterGen,
    include_str!("default_null.md"),
);
