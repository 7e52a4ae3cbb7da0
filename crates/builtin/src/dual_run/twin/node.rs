//! Runtime classes.

use super::{Requirement, Twin, at};

pub(super) const RUNTIME_CLASS: &[Twin] = &[at(
    "handler",
    &[
        Requirement::Required,
        Requirement::Fixed,
        Requirement::Named("k8s-short-name"),
    ],
)];
