//! Autoscalers and the scale of workloads.

use super::{Requirement, Twin, at};

const TO_ZERO: &str = "HPAScaleToZero";

pub(super) const AUTOSCALER: &[Twin] = &[
    at(
        "spec.minReplicas",
        &[
            Requirement::LeastIf(TO_ZERO, true, 0),
            Requirement::LeastIf(TO_ZERO, false, 1),
        ],
    ),
    at(
        "spec.maxReplicas",
        &[Requirement::Required, Requirement::Least(1)],
    ),
];

pub(super) const SCALE: &[Twin] = &[at("spec.replicas", &[Requirement::Least(0)])];
