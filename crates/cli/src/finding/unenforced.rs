//! `unenforced`: a rule that a CRD cannot enforce.

use kindsmith_source::{Finding, Tool};

/// A rule that a CRD cannot enforce.
pub static UNENFORCED: Finding = Finding::new("unenforced", Tool::Kindsmith, include_str!("unenforced.md"));
