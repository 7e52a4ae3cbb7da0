//! `marker-member`: a group that names a field which does not exist.

use kindsmith_source::{Finding, Tool};

/// A group that names a field which does not exist.
pub static MARKER_MEMBER: Finding =
    Finding::new("marker-member", Tool::Kindsmith, include_str!("marker_member.md"));
