//! Structs by value that are required although nothing in them is, or the reverse.

use kindsmith_source::{Finding, Fix, Tool};

use crate::Report;
use crate::declared::{Declared, Marker, Named, OPTIONAL, REQUIRED, add_marker, remove_line};
use crate::rule::{About, Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "struct-requiredness",
        Tool::KubeApiLinter,
        include_str!("struct_requiredness.md"),
    ),
    check,
)
.alias("nonpointerstructs")
.settings(&[
    Setting::choice("preferredRequiredMarker", &REQUIRED, "the marker that fixes add"),
    Setting::choice("preferredOptionalMarker", &OPTIONAL, "the marker that fixes add"),
])
.about(About::Native)
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let Some(inside) = declared.local_struct(member.package, &member.field.ty) else {
            continue;
        };
        let must_be = has_required(inside);
        let is_fine = if must_be {
            member.is_required()
        } else {
            member.is_optional()
        };
        if member.is_inline() || is_fine {
            continue;
        }
        let (word, with, setting, wrong) = if must_be {
            (
                "required",
                "required fields",
                "preferredRequiredMarker",
                &OPTIONAL,
            )
        } else {
            (
                "optional",
                "no required field",
                "preferredOptionalMarker",
                &REQUIRED,
            )
        };
        let text = format!(
            "field `{}` is a struct with {with}, so it is {word}, but not marked so",
            member.path
        );
        let fix = member
            .markers
            .iter()
            .filter(|marker| wrong.contains(&marker.name))
            .fold(
                Fix::risky(format!("mark it as {word}")),
                |fix, marker: &Marker<'_>| remove_line(declared, fix, marker),
            );
        let fix = add_marker(declared, fix, member, report.text(setting));
        report.warn(member.name, text, |finding| finding.fix_with(fix));
    }
}

fn has_required(inside: &Named<'_>) -> bool {
    let mut limits = inside
        .markers
        .iter()
        .filter(|marker| marker.name == "kubebuilder:validation:MinProperties");
    inside.has_required_field() || limits.any(|marker| marker.value != "0")
}
