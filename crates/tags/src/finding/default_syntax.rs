//! `default-syntax`: a default on a field that is not JSON.

use kindsmith_source::{Finding, Tool};

/// A default on a field that is not JSON.
pub static DEFAULT_SYNTAX: Finding = Finding::new(
    "default-syntax",
    Tool::OpenApiGen,
    include_str!("default_syntax.md"),
)
.also(&[Tool::DefaulterGen, Tool::ControllerGen]);
