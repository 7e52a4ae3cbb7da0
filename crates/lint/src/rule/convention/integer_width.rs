//! Integers of other widths than 32 and 64 bits.

use kindsmith_schema::{Scalar, TypeRef};
use kindsmith_source::{Finding, Tool};

use super::uses;
use crate::Report;
use crate::declared::Declared;
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "integer-width",
        Tool::KubeApiLinter,
        include_str!("integer_width.md"),
    ),
    check,
)
.alias("integers")
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    uses::report(
        declared,
        report,
        "use `int32` or `int64`, with a minimum and maximum where needed",
        |_, part| {
            use Scalar::{Int, Int8, Int16, Uint, Uint8, Uint16, Uint32, Uint64};
            match part {
                TypeRef::Scalar(Int | Int8 | Int16) => Some("has a width that clients do not share"),
                TypeRef::Scalar(Uint | Uint8 | Uint16 | Uint32 | Uint64) => Some("is an unsigned integer"),
                _ => None,
            }
        },
    );
}
