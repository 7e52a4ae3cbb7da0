//! Directives without a code or reason.

use kindsmith_source::{Finding, Tool};

/// A directive without a code or reason.
pub static IGNORE_REASON: Finding = Finding::new("ignore-reason", Tool::Kindsmith, include_str!("ignore_reason.md"));
