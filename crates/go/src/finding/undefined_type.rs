//! `undefined-type`: a type that is not declared.

use kindsmith_source::{Finding, Tool};

/// A type that is not declared.
pub static UNDEFINED_TYPE: Finding = Finding::new(
    "undefined-type",
    Tool::Kindsmith,
    include_str!("undefined_type.md"),
);
