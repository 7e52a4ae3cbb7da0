//! `generated-code`: a tag for which validation-gen writes broken Go code.

use kindsmith_source::{Finding, Tool};

/// A tag for which validation-gen writes broken Go code.
pub static GENERATED_CODE: Finding = Finding::new(
    "generated-code",
    Tool::ValidationGen,
    include_str!("generated_code.md"),
);
