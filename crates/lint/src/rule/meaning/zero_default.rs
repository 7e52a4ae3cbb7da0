//! Defaults that are the zero value anyway.

use kindsmith_schema::{Scalar, TypeRef};
use kindsmith_source::{Finding, Fix, Tool};

use super::facts::default_place;
use crate::Report;
use crate::declared::{Declared, remove_line};
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new("zero-default", Tool::Kindsmith, include_str!("zero_default.md")),
    check,
)
.about(About::Native);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let tag = &member.field.json;
        let zero = match declared.schema.view().underlying(&member.field.ty) {
            TypeRef::Scalar(Scalar::Bool) => "false",
            TypeRef::Scalar(Scalar::String) => "\"\"",
            TypeRef::Scalar(_) => "0",
            _ => continue,
        };
        let value = member.field.default.as_ref().and_then(|default| default.value());
        if tag.omitempty || tag.omitzero || value.is_none_or(|value| value.as_str() != zero) {
            continue;
        }
        let text = format!(
            "the default of field `{}` is its zero value, which is always sent",
            member.path
        );
        let mut markers = member.markers.iter().filter(|marker| marker.name == "default");
        let fix = markers
            .next()
            .map(|marker| remove_line(declared, Fix::safe("remove the default"), marker));
        let place = default_place(report, member);
        report.warn(place, text, |finding| match fix {
            Some(fix) => finding.fix_with(fix),
            None => finding,
        });
    }
}
