//! `marker-duplicate`: a marker that may be given only once.

use kindsmith_source::{Finding, Tool};

/// A marker that may be given only once.
pub static MARKER_DUPLICATE: Finding = Finding::new(
    "marker-duplicate",
    Tool::OpenApiGen,
    include_str!("marker_duplicate.md"),
);
