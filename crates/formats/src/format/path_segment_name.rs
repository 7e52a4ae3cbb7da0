//! `k8s-path-segment-name`: a text that is safe as one segment of a URL path.

use super::{Format, Report, Support, Violation};

pub(super) const FORMAT: Format = Format {
    name: "k8s-path-segment-name",
    doc: "A text that can be one segment of a path: not `.` or `..`, without `/` and `%`.",
    example: "system:node",
    support: Support::Kubernetes,
    check,
};

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    if value == "." || value == ".." {
        report(Violation::invalid(value, format!("may not be '{value}'")));
        return;
    }
    for refused in ['/', '%'] {
        if value.contains(refused) {
            report(Violation::invalid(value, format!("may not contain '{refused}'")));
        }
    }
}
