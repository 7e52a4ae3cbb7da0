//! Fields called timestamp.

use kindsmith_gostd::regexp::Regexp;
use kindsmith_source::{Finding, Tool};

use super::names::{self, Convention, Operation};
use crate::Report;
use crate::declared::Declared;
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "timestamp-name",
        Tool::KubeApiLinter,
        include_str!("timestamp_name.md"),
    ),
    check,
)
.alias("notimestamp")
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let matcher = Regexp::new("(?i)timestamp").expect("the pattern is valid");
    let convention = Convention {
        matcher,
        message: "names of times end in `Time`, not `Timestamp`",
        operation: Operation::Replace("Time"),
    };
    names::report(declared, report, &[convention]);
}
