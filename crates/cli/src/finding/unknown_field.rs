//! `unknown-field`: a field that the schema does not have.

use kindsmith_source::{Finding, Tool};

/// A field that the schema does not have.
pub static UNKNOWN_FIELD: Finding = Finding::new(
    "unknown-field",
    Tool::KubeApiserver,
    include_str!("unknown_field.md"),
);
