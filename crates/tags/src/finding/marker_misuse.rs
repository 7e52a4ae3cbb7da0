//! `marker-misuse`: a marker that does not apply to its type.

use kindsmith_source::{Finding, Tool};

/// A marker that does not apply to its type.
pub static MARKER_MISUSE: Finding = Finding::new(
    "marker-misuse",
    Tool::ControllerGen,
    include_str!("marker_misuse.md"),
);
