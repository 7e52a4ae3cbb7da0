//! `tag-value`: a `+k8s:` tag with a value that Kindsmith cannot use.

use kindsmith_source::{Finding, Tool};

/// A `+k8s:` tag with a value that Kindsmith cannot use.
pub static TAG_VALUE: Finding = Finding::new("tag-value", Tool::Kindsmith, include_str!("tag_value.md"));
