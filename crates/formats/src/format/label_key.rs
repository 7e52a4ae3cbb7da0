//! `k8s-label-key`: a name with an optional DNS prefix.

use super::{Format, Report, Support, Violation, grammar, long_name, message};
use crate::limit;

pub(super) const FORMAT: Format = Format {
    name: "k8s-label-key",
    doc: "A label key: a name of at most 63 bytes, optionally after a DNS subdomain and a slash.",
    example: "example.com/my.name",
    support: Support::Kubernetes,
    check,
};

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    check_part(value, &mut |detail| report(Violation::invalid(value, detail)));
}

/// Reports why a text is not a label key (`content.IsLabelKey`).
pub(super) fn check_part(key: &str, report: &mut dyn FnMut(String)) {
    let name = match key.split_once('/') {
        None => key,
        Some((_, rest)) if rest.contains('/') => {
            report(format!(
                "a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
                message::name()
            ));
            return;
        }
        Some((prefix, name)) => {
            check_prefix(prefix, report);
            name
        }
    };
    if name.is_empty() {
        report("name part must be non-empty".to_owned());
    } else if name.len() > limit::LABEL {
        report(format!("name part {}", message::max_length(limit::LABEL)));
    }
    if !grammar::is_name(name) {
        report(format!("name part {}", message::name()));
    }
}

fn check_prefix(prefix: &str, report: &mut dyn FnMut(String)) {
    if prefix.is_empty() {
        report("prefix part must be non-empty".to_owned());
        return;
    }
    long_name::check_part(prefix, &mut |detail| report(format!("prefix part {detail}")));
}
