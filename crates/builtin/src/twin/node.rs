//! Runtime classes.

use super::{Rule, Twin, at};

pub(super) const RUNTIME_CLASS: &[Twin] = &[at(
    "handler",
    &[Rule::Required, Rule::Fixed, Rule::Named("k8s-short-name")],
)];
