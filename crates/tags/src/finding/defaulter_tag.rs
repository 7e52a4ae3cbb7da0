//! `defaulter-tag`: a switch of defaulter-gen with a value it rejects.

use kindsmith_source::{Finding, Tool};

/// A switch of defaulter-gen with a value it rejects.
pub static DEFAULTER_TAG: Finding = Finding::new(
    "defaulter-tag",
    Tool::DefaulterGen,
    include_str!("defaulter_tag.md"),
);
