//! `known-tags-only`: an unknown generator tag in `doc.go`.

use kindsmith_source::{Finding, Tool};

/// An unknown generator tag in `doc.go`.
pub static KNOWN_TAGS_ONLY: Finding = Finding::new(
    "known-tags-only",
    Tool::ValidationGen,
    include_str!("known_tags_only.md"),
)
.also(&[Tool::DefaulterGen]);
