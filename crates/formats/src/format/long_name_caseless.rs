//! `k8s-long-name-caseless`: an RFC 1123 subdomain in any case. Deprecated upstream.

use super::{Format, Report, Support, Violation, grammar, message};
use crate::limit;

pub(super) const FORMAT: Format = Format {
    name: "k8s-long-name-caseless",
    doc: "An RFC 1123 subdomain of at most 253 bytes in which case does not matter; prefer `k8s-long-name`.",
    example: "Example.com",
    support: Support::Kubernetes,
    check,
};

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    if value.len() > limit::SUBDOMAIN {
        report(Violation::invalid(value, message::max_length(limit::SUBDOMAIN)));
    }
    if !grammar::is_subdomain_caseless(value) {
        report(Violation::invalid(value, message::subdomain_caseless()));
    }
}
