//! Fields called phase.

use kindsmith_gostd::regexp::Regexp;
use kindsmith_source::{Finding, Tool};

use super::names::{self, Convention, Operation};
use crate::Report;
use crate::declared::Declared;
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("phase-field", Tool::KubeApiLinter, include_str!("phase_field.md")),
    check,
)
.alias("nophase")
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let matcher = Regexp::new("(?i)phase").expect("the pattern is valid");
    let convention = Convention {
        matcher,
        message: "a phase cannot grow new states; use conditions",
        operation: Operation::Inform,
    };
    names::report(declared, report, &[convention]);
}
