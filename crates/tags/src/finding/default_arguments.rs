//! `default-arguments`: a default that defaulter-gen cannot parse.

use kindsmith_source::{Finding, Tool};

/// A default that defaulter-gen cannot parse.
pub static DEFAULT_ARGUMENTS: Finding = Finding::new(
    "default-arguments",
    Tool::DefaulterGen,
    include_str!("default_arguments.md"),
);
