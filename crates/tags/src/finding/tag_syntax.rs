//! `tag-syntax`: a `+k8s:` tag that cannot be parsed.

use kindsmith_source::{Finding, Tool};

/// A `+k8s:` tag that cannot be parsed.
pub static TAG_SYNTAX: Finding =
    Finding::new("tag-syntax", Tool::ValidationGen, include_str!("tag_syntax.md"));
