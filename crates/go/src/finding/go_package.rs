//! `go-package`: a file that is not part of its package.

use kindsmith_source::{Finding, Tool};

/// A file that is not part of its package.
pub static GO_PACKAGE: Finding = Finding::new("go-package", Tool::Kindsmith, include_str!("go_package.md"));
