//! Stateful sets, jobs and cron jobs.

use kindsmith_object::ErrorKind::Required;

use super::{Requirement, Twin, at};

pub(super) const STATEFUL_SET: &[Twin] = &[at("spec.selector", &[Requirement::Found(Required, "", "")])];

pub(super) const JOB: &[Twin] = &[at(
    "spec.backoffLimitPerIndex",
    &[Requirement::Found(Required, "dependentRequired", "")],
)];

pub(super) const CRON_JOB: &[Twin] = &[
    at("spec.schedule", &[Requirement::Required]),
    at(
        "spec.jobTemplate.spec.backoffLimitPerIndex",
        &[Requirement::Found(Required, "dependentRequired", "")],
    ),
];
