//! `trailing-tag`: a tag after a declaration on the same line.

use kindsmith_source::{Finding, Tool};

/// A tag after a declaration on the same line.
pub static TRAILING_TAG: Finding =
    Finding::new("trailing-tag", Tool::Kindsmith, include_str!("trailing_tag.md"));
