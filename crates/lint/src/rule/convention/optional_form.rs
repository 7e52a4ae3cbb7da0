//! Optional fields whose Go type or `json` tag cannot tell unset from zero.

use kindsmith_source::{Finding, Tool};

use super::serialized::{self, Policy};
use crate::declared::Declared;
use crate::rule::{Rule, Setting};
use crate::{PackageKind, Report};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("optional-form", Tool::KubeApiLinter, include_str!("optional_form.md")),
    check,
)
.alias("optionalfields")
.settings(&[
    Setting::choice(
        "preference",
        &["Auto", "Always", "WhenRequired"],
        "whether every field is a pointer, or only those whose zero value is valid; `Auto`: always in native APIs",
    ),
    serialized::POINTERS,
    serialized::OMIT_EMPTY,
    serialized::OMIT_ZERO,
])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        if member.field.embedded || !member.is_optional() {
            continue;
        }
        let policy = Policy {
            always: match report.text("preference") {
                "Always" => true,
                "WhenRequired" => false,
                _ => report.kind(member.package) == PackageKind::Native,
            },
            pointers: report.text("pointers"),
            omitempty: report.text("omitempty"),
            omitzero: report.text("omitzero"),
        };
        serialized::check(declared, report, member, policy);
    }
}
