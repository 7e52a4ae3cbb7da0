//! `openapi-generic`: a generic struct in a published package.

use kindsmith_source::{Finding, Tool};

/// A generic struct in a published package.
pub static OPENAPI_GENERIC: Finding = Finding::new(
    "openapi-generic",
    Tool::OpenApiGen,
    include_str!("openapi_generic.md"),
);
