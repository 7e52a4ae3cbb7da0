//! `openapi`: types that openapi-gen cannot publish.

use kindsmith_source::{Finding, Tool};

/// Types that openapi-gen cannot publish.
pub static OPENAPI: Finding = Finding::new("openapi", Tool::OpenApiGen, include_str!("openapi.md"));
