//! `k8s-extended-resource-name`: a domain-prefixed resource that quota can count.

use super::{Format, Report, Support, Violation, grammar, label_key};
use crate::limit;

pub(super) const FORMAT: Format = Format {
    name: "k8s-extended-resource-name",
    doc: "A domain-prefixed resource name outside `kubernetes.io` that stays a label key after `requests.`.",
    example: "example.com/gpu",
    support: Support::Kubernetes,
    check,
};

const NATIVE_DOMAIN: &str = "kubernetes.io/";
const QUOTA_PREFIX: &str = "requests.";

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    if !value.contains('/') {
        report(Violation::invalid(
            value,
            "a name must be a domain-prefixed path, such as 'example.com/my-prop'",
        ));
    } else if value.contains(NATIVE_DOMAIN) {
        // Upstream looks for the domain anywhere in the value, not only at its start.
        report(Violation::invalid(
            value,
            format!("must not have \"{NATIVE_DOMAIN}\" domain"),
        ));
    }
    if value.starts_with(QUOTA_PREFIX) {
        report(Violation::invalid(
            value,
            format!("must not have \"{QUOTA_PREFIX}\" prefix"),
        ));
    }
    if is_quota_key(value) {
        return;
    }
    let quota_name = format!("{QUOTA_PREFIX}{value}");
    label_key::check_part(&quota_name, &mut |detail| {
        report(Violation::invalid(value, detail));
    });
}

/// Reports whether `requests.` + value is a label key, without building that text.
fn is_quota_key(value: &str) -> bool {
    let Some((prefix, name)) = value.split_once('/') else {
        return false;
    };
    prefix.len() + QUOTA_PREFIX.len() <= limit::SUBDOMAIN
        && grammar::is_subdomain(prefix)
        && name.len() <= limit::LABEL
        && grammar::is_name(name)
}
