//! `unknown-tag`: a tag that no tool knows.

use kindsmith_source::{Finding, Tool};

/// A tag that no tool knows.
pub static UNKNOWN_TAG: Finding =
    Finding::new("unknown-tag", Tool::Kindsmith, include_str!("unknown_tag.md"));
