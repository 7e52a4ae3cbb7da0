//! `default-empty`: a default without a value.

use kindsmith_source::{Finding, Tool};

/// A default without a value.
pub static DEFAULT_EMPTY: Finding = Finding::new(
    "default-empty",
    Tool::ControllerGen,
    include_str!("default_empty.md"),
)
.also(&[Tool::DefaulterGen]);
