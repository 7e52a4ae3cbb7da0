//! `unknown-nested-tag`: an unknown tag inside another tag.

use kindsmith_source::{Finding, Tool};

/// An unknown tag inside another tag.
pub static UNKNOWN_NESTED_TAG: Finding = Finding::new(
    "unknown-nested-tag",
    Tool::ValidationGen,
    include_str!("unknown_nested_tag.md"),
);
