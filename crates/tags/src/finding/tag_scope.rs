//! `tag-scope`: a `+k8s:` tag on the wrong kind of declaration.

use kindsmith_source::{Finding, Tool};

/// A `+k8s:` tag on the wrong kind of declaration.
pub static TAG_SCOPE: Finding = Finding::new("tag-scope", Tool::ValidationGen, include_str!("tag_scope.md"));
