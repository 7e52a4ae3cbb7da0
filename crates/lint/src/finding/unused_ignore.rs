//! Directives that silence nothing.

use kindsmith_source::{Finding, Tool};

/// A directive that silences nothing.
pub static UNUSED_IGNORE: Finding = Finding::new("unused-ignore", Tool::Kindsmith, include_str!("unused_ignore.md"));
