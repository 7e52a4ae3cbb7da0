//! `marker-syntax`: a marker whose arguments controller-gen cannot parse.

use kindsmith_source::{Finding, Tool};

/// A marker whose arguments controller-gen cannot parse.
pub static MARKER_SYNTAX: Finding = Finding::new(
    "marker-syntax",
    Tool::ControllerGen,
    include_str!("marker_syntax.md"),
);
