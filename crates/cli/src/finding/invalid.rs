//! `invalid`: an object that validation rejects.

use kindsmith_source::{Finding, Tool};

/// An object that validation rejects.
pub static INVALID: Finding = Finding::new("invalid", Tool::KubeApiserver, include_str!("invalid.md"));
