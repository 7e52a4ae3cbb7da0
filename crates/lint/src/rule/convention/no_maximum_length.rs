//! Text and lists without an upper limit.

use kindsmith_source::{Finding, Tool};

use super::lengths::{End, missing};
use crate::Report;
use crate::declared::Declared;
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "no-maximum-length",
        Tool::KubeApiLinter,
        include_str!("no_maximum_length.md"),
    ),
    check,
)
.alias("maxlength")
.about(About::Custom)
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        for missing in missing(declared, member, End::Max) {
            let text = format!("field `{}`{} has no upper limit", member.path, missing.way);
            report.warn(member.name, text, |finding| {
                finding.help(format!("add `// +{}`", missing.marker))
            });
        }
    }
}
