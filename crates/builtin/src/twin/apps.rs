//! Stateful sets, jobs and cron jobs.

use kindsmith_object::ErrorKind::Required;

use super::{Rule, Twin, at};

pub(super) const STATEFUL_SET: &[Twin] = &[at("spec.selector", &[Rule::Found(Required, "", "")])];

pub(super) const JOB: &[Twin] = &[at(
    "spec.backoffLimitPerIndex",
    &[Rule::Found(Required, "dependentRequired", "")],
)];

pub(super) const CRON_JOB: &[Twin] = &[
    at("spec.schedule", &[Rule::Required]),
    at(
        "spec.jobTemplate.spec.backoffLimitPerIndex",
        &[Rule::Found(Required, "dependentRequired", "")],
    ),
];
