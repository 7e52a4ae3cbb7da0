//! `go-import`: an imported package that was not found.

use kindsmith_source::{Finding, Tool};

/// An imported package that was not found.
pub static GO_IMPORT: Finding = Finding::new("go-import", Tool::Kindsmith, include_str!("go_import.md"));
