//! `k8s-resource-pool-name`: subdomains separated by slashes.

use super::{Format, Report, Support, Violation, long_name};

pub(super) const FORMAT: Format = Format {
    name: "k8s-resource-pool-name",
    doc: "One or more lowercase RFC 1123 subdomains separated by slashes, at most 253 bytes in all.",
    example: "example.com/pool-1",
    support: Support::Kubernetes,
    check,
};

const LIMIT: usize = 253;

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    if value.len() > LIMIT {
        report(Violation::too_long(value, LIMIT));
    }
    for (index, segment) in value.split('/').enumerate() {
        if segment.is_empty() {
            report(Violation::invalid(
                value,
                format!("segment {index}: must not be empty"),
            ));
            continue;
        }
        long_name::check_part(segment, &mut |detail| {
            report(Violation::invalid(segment, format!("segment {index}: {detail}")));
        });
    }
}
