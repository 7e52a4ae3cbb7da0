//! Durations as text.

use kindsmith_schema::{TypeRef, WellKnown};
use kindsmith_source::{Finding, Tool};

use super::uses;
use crate::Report;
use crate::declared::Declared;
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "duration-field",
        Tool::KubeApiLinter,
        include_str!("duration_field.md"),
    ),
    check,
)
.alias("nodurations")
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    uses::report(
        declared,
        report,
        "use an integer with the unit in its name, such as `timeoutSeconds`",
        |_, part| {
            let TypeRef::Named(id) = part else {
                return None;
            };
            let known = declared.schema.ty(*id).well_known;
            let is_duration = matches!(known, Some(WellKnown::Duration | WellKnown::GoDuration));
            is_duration.then_some("is a duration")
        },
    );
}
