//! `k8s-uuid`: a lowercase UUID with its dashes.

use super::{Format, Report, Support, Violation};
use crate::uuid;

pub(super) const FORMAT: Format = Format {
    name: "k8s-uuid",
    doc: "A lowercase UUID in 8-4-4-4-12 form.",
    example: "123e4567-e89b-12d3-a456-426614174000",
    support: Support::Kubernetes,
    check,
};

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    if !uuid::is_canonical(value) {
        report(Violation::invalid(
            value,
            "must be a lowercase UUID in 8-4-4-4-12 format",
        ));
    }
}
