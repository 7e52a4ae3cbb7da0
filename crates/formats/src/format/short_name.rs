//! `k8s-short-name`: a lowercase RFC 1123 label. Also KEP-5073's `dns-label`.

use super::{Format, Report, Support, Violation, grammar, message};
use crate::limit;

pub(super) const FORMAT: Format = Format {
    name: "k8s-short-name",
    doc: "A lowercase RFC 1123 label: at most 63 letters, digits and dashes, with a letter or digit at both ends.",
    example: "my-name",
    support: Support::Kubernetes,
    check,
};

pub(super) const DNS_LABEL: Format = Format {
    name: "dns-label",
    doc: "A lowercase RFC 1123 label, as `k8s-short-name`.",
    support: Support::Proposed,
    ..FORMAT
};

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    if value.len() > limit::LABEL {
        report(Violation::invalid(value, message::max_length(limit::LABEL)));
    }
    if grammar::is_label(value) {
        return;
    }
    if grammar::is_subdomain(value) {
        report(Violation::invalid(value, "must not contain dots"));
    } else {
        report(Violation::invalid(value, message::label()));
    }
}
