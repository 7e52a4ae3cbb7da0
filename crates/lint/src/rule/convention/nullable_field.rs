//! Fields that may be null.

use kindsmith_source::{Finding, Tool};

use super::forbidden;
use crate::Report;
use crate::declared::Declared;
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "nullable-field",
        Tool::KubeApiLinter,
        include_str!("nullable_field.md"),
    ),
    check,
)
.alias("nonullable")
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let words = "which makes null a value of its own";
    forbidden::report(declared, report, words, |marker| {
        usize::from(marker.name == "nullable")
    });
}
