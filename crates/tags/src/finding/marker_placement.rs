//! `marker-placement`: a marker that only controller-gen reads where it is.

use kindsmith_source::{Finding, Tool};

/// A marker that only controller-gen reads where it is.
pub static MARKER_PLACEMENT: Finding = Finding::new(
    "marker-placement",
    Tool::Kindsmith,
    include_str!("marker_placement.md"),
);
