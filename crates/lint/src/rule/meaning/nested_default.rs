//! Defaults inside a struct that is usually left out.

use kindsmith_source::{Finding, Tool};

use super::facts::{default_place, has_default};
use crate::Report;
use crate::declared::{Declared, Member};
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "nested-default",
        Tool::Kindsmith,
        include_str!("nested_default.md"),
    ),
    check,
)
.about(About::Custom)
// Opting in to a feature by setting its struct is common, and looks the same.
.off();

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let tag = &member.field.json;
        if is_union(declared, member) {
            continue;
        }
        let is_left_out = !member.is_required() && (tag.omitempty || tag.omitzero || member.is_optional());
        if !is_left_out || member.is_inline() || has_default(member.field) {
            continue;
        }
        let Some(inside) = declared.local_struct(member.package, member.pointee()) else {
            continue;
        };
        // Whoever sets a struct with a required field knows that it is not set by itself.
        let with_default: Vec<_> = inside
            .fields
            .iter()
            .filter(|inner| has_default(inner.field))
            .collect();
        let everything = inside.fields.len();
        if with_default.is_empty() || with_default.len() < everything {
            continue;
        }
        let text = format!(
            "the defaults in `{}` are not set unless `{}` is",
            inside.ty.name.name,
            member.field.display_name()
        );
        let first = default_place(report, with_default[0]);
        report.warn(member.name, text, |finding| {
            finding
                .related(first, "such as this one")
                .help(format!("add `// +kubebuilder:default={{}}` to `{}`", member.path))
        });
    }
}

/// Whether only one of the field and its siblings may be set.
fn is_union(declared: &Declared<'_>, member: &Member<'_>) -> bool {
    const MARKS: [&str; 4] = [
        "unionMember",
        "unionDiscriminator",
        "k8s:unionMember",
        "k8s:unionDiscriminator",
    ];
    let around = declared.named(member.id.owner);
    around.is_some_and(|around| {
        let is_marked = around.markers.iter().any(|marker| {
            marker.name == "union" || marker.name.ends_with("OneOf") || marker.name.ends_with("XValidation")
        });
        let fields = || around.fields.iter();
        is_marked || fields().any(|field| MARKS.iter().any(|mark| field.has(mark)))
    })
}
