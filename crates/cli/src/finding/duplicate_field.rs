//! `duplicate-field`: a key that is set twice.

use kindsmith_source::{Finding, Tool};

/// A key that is set twice.
pub static DUPLICATE_FIELD: Finding = Finding::new(
    "duplicate-field",
    Tool::KubeApiserver,
    include_str!("duplicate_field.md"),
);
