//! `kep-only`: a tag that a KEP describes and validation-gen does not support.

use kindsmith_source::{Finding, Tool};

/// A tag that a KEP describes and validation-gen does not support.
pub static KEP_ONLY: Finding = Finding::new("kep-only", Tool::ValidationGen, include_str!("kep_only.md"));
