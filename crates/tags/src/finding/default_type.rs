//! `default-type`: a default of another type than its field.

use kindsmith_source::{Finding, Tool};

/// A default of another type than its field.
pub static DEFAULT_TYPE: Finding = Finding::new(
    "default-type",
    Tool::DefaulterGen,
    include_str!("default_type.md"),
);
