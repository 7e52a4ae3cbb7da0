//! `default-rule`: defaults that together break a CEL rule of their object.

use kindsmith_source::{Finding, Tool};

/// Defaults that together break a CEL rule of their object.
pub static DEFAULT_RULE: Finding =
    Finding::new("default-rule", Tool::Kindsmith, include_str!("default_rule.md"));
