//! `detached-tag`: a tag in a comment that does not touch its declaration.

use kindsmith_source::{Finding, Tool};

/// A tag in a comment that does not touch its declaration.
pub static DETACHED_TAG: Finding =
    Finding::new("detached-tag", Tool::Kindsmith, include_str!("detached_tag.md"));
