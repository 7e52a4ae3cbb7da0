//! `default-form`: a default written in a form that only one tool reads.

use kindsmith_source::{Finding, Tool};

/// A default written in a form that only one tool reads.
pub static DEFAULT_FORM: Finding =
    Finding::new("default-form", Tool::Kindsmith, include_str!("default_form.md"));
