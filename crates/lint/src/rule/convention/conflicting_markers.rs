//! Markers that a project wants kept apart.

use kindsmith_source::{Finding, Tool};

use super::conflicts::{self, Conflict};
use crate::Report;
use crate::declared::Declared;
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "conflicting-markers",
        Tool::KubeApiLinter,
        include_str!("conflicting_markers.md"),
    ),
    check,
)
.alias("conflictingmarkers")
.settings(&[Setting::tables(
    "conflicts",
    &["name", "sets", "description"],
    "sets of markers; a field may have markers of one set only",
)])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let conflicts: Vec<_> = report.list("conflicts").iter().map(Conflict::read).collect();
    conflicts::report(declared, report, &conflicts);
}
