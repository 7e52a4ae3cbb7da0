//! `endless-embedding`: a struct whose embedded members have no end.

use kindsmith_source::{Finding, Tool};

/// A struct whose embedded members have no end, or too many.
pub static ENDLESS_EMBEDDING: Finding = Finding::new(
    "endless-embedding",
    Tool::Kindsmith,
    include_str!("endless_embedding.md"),
);
