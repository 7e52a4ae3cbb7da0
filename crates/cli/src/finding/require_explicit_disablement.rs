//! `require-explicit-disablement`: a package that does not decide about a usual generator.

use kindsmith_source::{Finding, Tool};

/// A package that does not decide about a usual generator.
pub static REQUIRE_EXPLICIT_DISABLEMENT: Finding = Finding::new(
    "require-explicit-disablement",
    Tool::ValidationGen,
    include_str!("require_explicit_disablement.md"),
)
.also(&[Tool::DefaulterGen]);
