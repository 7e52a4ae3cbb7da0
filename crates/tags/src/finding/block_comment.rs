//! `block-comment`: a marker in a `/* */` comment.

use kindsmith_source::{Finding, Tool};

/// A marker in a `/* */` comment.
pub static BLOCK_COMMENT: Finding =
    Finding::new("block-comment", Tool::Kindsmith, include_str!("block_comment.md"));
