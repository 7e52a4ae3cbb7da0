//! `tag-misuse`: a `+k8s:` tag that does not apply to its type or has a wrong value.

use kindsmith_source::{Finding, Tool};

/// A `+k8s:` tag that does not apply to its type or has a wrong value.
pub static TAG_MISUSE: Finding =
    Finding::new("tag-misuse", Tool::ValidationGen, include_str!("tag_misuse.md"));
