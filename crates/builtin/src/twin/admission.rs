//! Bindings of admission policies.

use super::{Rule, Twin, at};

pub(super) const BINDING: &[Twin] = &[
    at("spec.policyName", &[Rule::Required]),
    at("spec.validationActions", &[Rule::Required]),
];
