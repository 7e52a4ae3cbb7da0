//! `go-code`: types for which no Go code can be written.

use kindsmith_source::{Finding, Tool};

/// Types for which no Go code can be written.
pub static GO_CODE: Finding = Finding::new("go-code", Tool::Kindsmith, include_str!("go_code.md"));
