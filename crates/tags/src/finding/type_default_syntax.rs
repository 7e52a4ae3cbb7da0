//! `type-default-syntax`: a default on a type that is not JSON.

use kindsmith_source::{Finding, Tool};

/// A default on a type that is not JSON.
pub static TYPE_DEFAULT_SYNTAX: Finding = Finding::new(
    "type-default-syntax",
    Tool::OpenApiGen,
    include_str!("type_default_syntax.md"),
)
.also(&[Tool::DefaulterGen]);
