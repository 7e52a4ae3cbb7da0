//! `go-syntax`: Go source that cannot be parsed.

use kindsmith_source::{Finding, Tool};

/// Go source that cannot be parsed.
pub static GO_SYNTAX: Finding = Finding::new("go-syntax", Tool::Kindsmith, include_str!("go_syntax.md"));
