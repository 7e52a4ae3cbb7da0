//! Required fields whose Go type or `json` tag cannot tell unset from zero.

use kindsmith_source::{Finding, Tool};

use super::serialized::{self, Policy};
use crate::Report;
use crate::declared::Declared;
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "required-form",
        Tool::KubeApiLinter,
        include_str!("required_form.md"),
    ),
    check,
)
.alias("requiredfields")
.settings(&[
    serialized::POINTERS,
    serialized::OMIT_EMPTY,
    serialized::OMIT_ZERO,
])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        if member.field.embedded || !member.is_required() {
            continue;
        }
        let policy = Policy {
            always: false,
            pointers: report.text("pointers"),
            omitempty: report.text("omitempty"),
            omitzero: report.text("omitzero"),
        };
        serialized::check(declared, report, member, policy);
    }
}
