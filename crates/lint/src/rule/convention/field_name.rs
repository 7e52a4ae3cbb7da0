//! Names of fields that the project's own conventions forbid.

use kindsmith_gostd::regexp::Regexp;
use kindsmith_source::{Finding, Tool};
use serde_json::Value;

use super::names::{self, Convention, Operation};
use crate::Report;
use crate::declared::Declared;
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("field-name", Tool::KubeApiLinter, include_str!("field_name.md")),
    check,
)
.alias("namingconventions")
.settings(&[Setting::tables(
    "conventions",
    &["name", "violationMatcher", "operation", "replacement", "message"],
    "patterns that names must not match; `operation` is `Inform`, `Drop`, `DropField` or `Replacement`",
)])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let conventions: Vec<_> = report.list("conventions").iter().filter_map(convention).collect();
    names::report(declared, report, &conventions);
}

fn convention(value: &Value) -> Option<Convention<'_>> {
    let text = |key: &str| value[key].as_str().unwrap_or_default();
    Some(Convention {
        matcher: Regexp::new(text("violationMatcher")).ok()?,
        message: value["message"].as_str().unwrap_or("the name is not allowed"),
        operation: match text("operation") {
            "DropField" => Operation::DropField,
            "Drop" => Operation::Replace(""),
            "Replacement" => Operation::Replace(value["replacement"].as_str().unwrap_or_default()),
            _ => Operation::Inform,
        },
    })
}
