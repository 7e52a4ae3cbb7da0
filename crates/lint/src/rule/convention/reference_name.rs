//! Fields called reference.

use kindsmith_gostd::regexp::Regexp;
use kindsmith_source::{Finding, Tool};

use super::names::{self, Convention, Operation};
use crate::Report;
use crate::declared::Declared;
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "reference-name",
        Tool::KubeApiLinter,
        include_str!("reference_name.md"),
    ),
    check,
)
.alias("noreferences")
.settings(&[Setting::choice(
    "policy",
    &["PreferAbbreviatedReference", "NoReferences"],
    "whether `Ref` is the name to use, or none of the words is allowed",
)])
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let matcher = |pattern| Regexp::new(pattern).expect("the pattern is valid");
    let convention = match report.text("policy") {
        "NoReferences" => Convention {
            matcher: matcher("^[Rr]ef(erence)?(s?)([A-Z])|Ref(erence)?(s?)$"),
            message: "the name says that it is a reference, which its type says already",
            operation: Operation::Inform,
        },
        _ => Convention {
            matcher: matcher("^[Rr]eference|Reference(s?)$"),
            message: "names of references end in `Ref`, not `Reference`",
            operation: Operation::Replace("Ref$1"),
        },
    };
    names::report(declared, report, &[convention]);
}
