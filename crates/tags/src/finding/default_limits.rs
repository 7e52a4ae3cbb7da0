//! `default-limits`: a default that the field's own rules reject.

use kindsmith_source::{Finding, Tool};

/// A default that the field's own rules reject.
pub static DEFAULT_LIMITS: Finding = Finding::new(
    "default-limits",
    Tool::Kindsmith,
    include_str!("default_limits.md"),
);
