//! `marker-ignored`: a marker that no tool recognizes because of what follows its name.

use kindsmith_source::{Finding, Tool};

/// A marker that no tool recognizes because of what follows its name.
pub static MARKER_IGNORED: Finding = Finding::new(
    "marker-ignored",
    Tool::Kindsmith,
    include_str!("marker_ignored.md"),
);
