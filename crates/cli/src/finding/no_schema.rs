//! `no-schema`: a document without a schema to check it.

use kindsmith_source::{Finding, Tool};

/// A document without a schema to check it.
pub static NO_SCHEMA: Finding = Finding::new("no-schema", Tool::Kindsmith, include_str!("no_schema.md"));
