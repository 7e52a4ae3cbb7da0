//! Required fields whose Go type or `json` tag cannot tell unset from zero.

use kindsmith_source::{Finding, Tool};

use super::serialized::{self, Policy};
use crate::Report;
use crate::declared::Declared;
use crate::rule::{Rule, Setting};

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
    Setting::choice(
        "pointers",
        &["SuggestFix", "Warn"],
        "whether fixes add and remove pointers",
    ),
    Setting::choice(
        "omitempty",
        &["SuggestFix", "Warn", "Ignore"],
        "whether `omitempty` is demanded",
    ),
    Setting::choice(
        "omitzero",
        &["SuggestFix", "Warn", "Forbid"],
        "whether structs need `omitzero`; `Forbid` for Go before 1.24",
    ),
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
