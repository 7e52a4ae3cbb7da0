//! `k8s-long-name`: a lowercase RFC 1123 subdomain.

use super::{Format, Report, Support, Violation, grammar, message};
use crate::limit;

pub(super) const FORMAT: Format = Format {
    name: "k8s-long-name",
    doc: "A lowercase RFC 1123 subdomain: at most 253 bytes of dot-separated labels.",
    example: "example.com",
    support: Support::Kubernetes,
    check,
};

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    check_part(value, &mut |detail| report(Violation::invalid(value, detail)));
}

/// Reports why a text is not a subdomain; other formats use it for their parts.
pub(super) fn check_part(part: &str, report: &mut dyn FnMut(String)) {
    if part.len() > limit::SUBDOMAIN {
        report(message::max_length(limit::SUBDOMAIN));
    }
    if !grammar::is_subdomain(part) {
        report(message::subdomain());
    }
}
