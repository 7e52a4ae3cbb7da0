//! `k8s-label-value`: what a label may be set to.

use super::{Format, Report, Support, Violation, grammar, message};
use crate::limit;

pub(super) const FORMAT: Format = Format {
    name: "k8s-label-value",
    doc: "A label value: empty, or at most 63 letters, digits, dashes, underscores and dots, with a letter or digit at both ends.",
    example: "my_value",
    support: Support::Kubernetes,
    check,
};

fn check<'v>(value: &'v str, report: &mut Report<'_, 'v>) {
    if value.len() > limit::LABEL {
        report(Violation::invalid(value, message::max_length(limit::LABEL)));
    }
    if !value.is_empty() && !grammar::is_name(value) {
        report(Violation::invalid(value, message::label_value()));
    }
}
