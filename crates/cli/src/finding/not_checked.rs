//! `not-checked`: a file in which nothing was checked.

use kindsmith_source::{Finding, Tool};

/// A file in which nothing was checked.
pub static NOT_CHECKED: Finding = Finding::new("not-checked", Tool::Kindsmith, include_str!("not_checked.md"));
