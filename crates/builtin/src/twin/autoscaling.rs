//! Autoscalers and the scale of workloads.

use super::{Rule, Twin, at};

const TO_ZERO: &str = "HPAScaleToZero";

pub(super) const AUTOSCALER: &[Twin] = &[
    at(
        "spec.minReplicas",
        &[Rule::LeastIf(TO_ZERO, true, 0), Rule::LeastIf(TO_ZERO, false, 1)],
    ),
    at("spec.maxReplicas", &[Rule::Required, Rule::Least(1)]),
];

pub(super) const SCALE: &[Twin] = &[at("spec.replicas", &[Rule::Least(0)])];
