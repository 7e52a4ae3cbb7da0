//! `k8s-prefixed-label-key`: a label key whose prefix is mandatory.

use super::{Format, Report, Support, Violation, label_key};

pub(super) const FORMAT: Format = Format {
    name: "k8s-prefixed-label-key",
    doc: "A label key with a DNS subdomain and a slash before the name.",
    example: "example.com/key",
    support: Support::Kubernetes,
    check,
};

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    let mut is_key = true;
    label_key::check_part(value, &mut |detail| {
        is_key = false;
        report(Violation::invalid(value, detail));
    });
    if is_key && !value.contains('/') {
        report(Violation::invalid(
            value,
            "must include a prefix (e.g. 'example.com/key')",
        ));
    }
}
