//! Floating-point numbers in an API.

use kindsmith_schema::{Scalar, TypeRef};
use kindsmith_source::{Finding, Tool};

use super::uses;
use crate::Report;
use crate::declared::Declared;
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("float-field", Tool::KubeApiLinter, include_str!("float_field.md")),
    check,
)
.alias("nofloats")
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    uses::report(
        declared,
        report,
        "use `resource.Quantity`, a scaled integer or a string",
        |_, part| {
            let is_float = matches!(part, TypeRef::Scalar(Scalar::Float32 | Scalar::Float64));
            is_float.then_some("is a floating-point number")
        },
    );
}
