//! `defaulted`: a field that gets its default.

use kindsmith_source::{Finding, Tool};

/// A field that gets its default.
pub static DEFAULTED: Finding = Finding::new("defaulted", Tool::KubeApiserver, include_str!("defaulted.md"));
