//! Fields whose zero value Go clients cannot send.

use kindsmith_schema::{Facet, Scalar, TypeRef};
use kindsmith_source::{Finding, Fix, Tool};

use super::facts::{default, facets, number};
use crate::Report;
use crate::declared::{Declared, Member, set_pointer};
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "zero-never-set",
        Tool::Kindsmith,
        include_str!("zero_never_set.md"),
    ),
    check,
);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let tag = &member.field.json;
        let Some(zero) = zero(declared, member).filter(|_| tag.omitempty || tag.omitzero) else {
            continue;
        };
        let Some(value) = default(member.field).filter(|value| value.as_str() != zero) else {
            continue;
        };
        if !allows_zero(declared, member) {
            continue;
        }
        let text = format!(
            "Go clients cannot set field `{}` to {zero}: it is left out, and the default {} is set instead",
            member.path,
            value.as_str()
        );
        let fix = set_pointer(Fix::risky("make it a pointer"), member, true);
        report.warn(member.name, text, |finding| match fix {
            Some(fix) => finding.fix_with(fix),
            None => finding,
        });
    }
}

/// The zero value of a scalar, in JSON.
fn zero(declared: &Declared<'_>, member: &Member<'_>) -> Option<&'static str> {
    let scalar = declared.schema.view().underlying(&member.field.ty);
    match scalar {
        TypeRef::Scalar(Scalar::Bool) => Some("false"),
        TypeRef::Scalar(Scalar::String) => None,
        TypeRef::Scalar(_) => Some("0"),
        _ => None,
    }
}

fn allows_zero(declared: &Declared<'_>, member: &Member<'_>) -> bool {
    facets(declared.schema, member.field)
        .iter()
        .all(|facet| match facet {
            Facet::Minimum(bound) => {
                number(&bound.limit).is_none_or(|limit| limit <= 0.0 && !(bound.exclusive && limit == 0.0))
            }
            Facet::Maximum(bound) => number(&bound.limit).is_none_or(|limit| limit >= 0.0),
            Facet::EnumValues(values) => values
                .iter()
                .any(|value| value.as_str() == "0" || value.as_str() == "false"),
            _ => true,
        })
}
