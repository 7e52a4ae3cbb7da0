//! `generator`: markers and types that controller-gen's other generators refuse.

use kindsmith_source::{Finding, Tool};

/// Markers and types that controller-gen's generators `object`, `rbac` and `webhook` refuse.
pub static GENERATOR: Finding = Finding::new("generator", Tool::ControllerGen, include_str!("generator.md"));
