//! Required fields with a default.

use kindsmith_source::{Finding, Tool};

use super::conflicts::{self, Conflict};
use crate::Report;
use crate::declared::{Declared, REQUIRED};
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "default-on-required",
        Tool::KubeApiLinter,
        include_str!("default_on_required.md"),
    ),
    check,
)
.alias("defaultorrequired");

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let conflict = Conflict {
        reason: "a field with a default is never missing",
        sets: vec![vec!["default", "kubebuilder:default"], REQUIRED.to_vec()],
    };
    conflicts::report(declared, report, &[conflict]);
}
