//! Bindings of admission policies.

use super::{Requirement, Twin, at};

pub(super) const BINDING: &[Twin] = &[
    at("spec.policyName", &[Requirement::Required]),
    at("spec.validationActions", &[Requirement::Required]),
];
