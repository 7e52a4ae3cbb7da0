//! Booleans in an API.

use kindsmith_schema::{Scalar, TypeRef};
use kindsmith_source::{Finding, Tool};

use super::uses;
use crate::Report;
use crate::declared::Declared;
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("bool-field", Tool::KubeApiLinter, include_str!("bool_field.md")),
    check,
)
.alias("nobools")
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    uses::report(
        declared,
        report,
        "use a string type with constants as values, so that a third one can be added later",
        |_, part| (*part == TypeRef::Scalar(Scalar::Bool)).then_some("is a boolean"),
    );
}
