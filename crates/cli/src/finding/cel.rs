//! `cel`: a CEL expression that does not compile.

use kindsmith_source::{Finding, Tool};

/// A CEL expression that does not compile.
pub static CEL: Finding = Finding::new("cel", Tool::KubeApiserver, include_str!("cel.md"));
