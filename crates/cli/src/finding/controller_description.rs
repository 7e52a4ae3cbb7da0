//! What cannot be right in the description of a controller's kind.

use kindsmith_source::{Finding, Tool};

/// See its page.
pub static CONTROLLER_DESCRIPTION: Finding = Finding::new(
    "controller-description",
    Tool::Kindsmith,
    include_str!("controller_description.md"),
);
