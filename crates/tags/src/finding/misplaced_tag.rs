//! `misplaced-tag`: a tag on a declaration it is not for.

use kindsmith_source::{Finding, Tool};

/// A tag on a declaration it is not for.
pub static MISPLACED_TAG: Finding =
    Finding::new("misplaced-tag", Tool::Kindsmith, include_str!("misplaced_tag.md"));
