//! Text, lists, maps and structs without a lower limit.

use kindsmith_source::{Finding, Tool};

use super::lengths::{End, missing};
use crate::Report;
use crate::declared::Declared;
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "no-minimum-length",
        Tool::KubeApiLinter,
        include_str!("no_minimum_length.md"),
    ),
    check,
)
.alias("minlength")
.about(About::Custom)
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        for missing in missing(declared, member, End::Min) {
            let text = format!("field `{}`{} has no lower limit", member.path, missing.way);
            report.warn(member.name, text, |finding| {
                finding.help(format!("add `// +{}`", missing.marker))
            });
        }
    }
}
