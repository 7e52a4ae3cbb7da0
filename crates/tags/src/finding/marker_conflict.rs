//! `marker-conflict`: markers that contradict each other.

use kindsmith_source::{Finding, Tool};

/// Markers that contradict each other.
pub static MARKER_CONFLICT: Finding = Finding::new(
    "marker-conflict",
    Tool::OpenApiGen,
    include_str!("marker_conflict.md"),
);
