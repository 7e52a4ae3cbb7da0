//! Markers that a project does not want.

use kindsmith_source::{Finding, Tool};

use super::forbidden;
use crate::Report;
use crate::declared::Declared;
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "forbidden-marker",
        Tool::KubeApiLinter,
        include_str!("forbidden_marker.md"),
    ),
    check,
)
.alias("forbiddenmarkers")
.settings(&[Setting::tables(
    "markers",
    &["identifier", "ruleSets"],
    "names of markers; `ruleSets` limits them to some arguments and values",
)])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let settings = report.list("markers");
    forbidden::report(declared, report, "which this project forbids", |marker| {
        forbidden::matches(settings, marker)
    });
}
