//! `k8s-resource-fully-qualified-name`: a domain, a slash and a C identifier.

use super::{Format, Report, Support, Violation, grammar, long_name, message};

pub(super) const FORMAT: Format = Format {
    name: "k8s-resource-fully-qualified-name",
    doc: "A DNS subdomain of at most 63 bytes, a slash, and a C identifier of at most 32 bytes.",
    example: "gpu.example.com/memory",
    support: Support::Kubernetes,
    check,
};

const DOMAIN_LIMIT: usize = 63;
const IDENTIFIER_LIMIT: usize = 32;

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    match value.split_once('/') {
        None => {
            check_identifier(value, report);
            report(Violation::invalid(value, message::FULLY_QUALIFIED));
        }
        // Upstream checks nothing when there are two or more slashes.
        Some((_, rest)) if rest.contains('/') => {}
        Some((domain, name)) => {
            check_domain(domain, report);
            if name.is_empty() {
                report(Violation::invalid(name, "name must not be empty"));
            } else {
                check_identifier(name, report);
            }
        }
    }
}

fn check_domain<'v>(domain: &'v str, report: &mut Report<'_, 'v>) {
    if domain.is_empty() {
        report(Violation::invalid(domain, "prefix must not be empty"));
        return;
    }
    if domain.len() > DOMAIN_LIMIT {
        report(Violation::too_long(domain, DOMAIN_LIMIT));
    }
    long_name::check_part(domain, &mut |detail| {
        report(Violation::invalid(domain, format!("prefix: {detail}")));
    });
}

fn check_identifier<'v>(identifier: &'v str, report: &mut Report<'_, 'v>) {
    if identifier.len() > IDENTIFIER_LIMIT {
        report(Violation::too_long(identifier, IDENTIFIER_LIMIT));
    }
    if !grammar::is_c_identifier(identifier) {
        report(Violation::invalid(identifier, message::c_identifier()));
    }
}
