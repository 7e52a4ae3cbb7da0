//! The same marker twice on one declaration.

use kindsmith_source::{Finding, Fix, Span, Tool};

use crate::Report;
use crate::declared::{Declared, Marker, remove_line};
use crate::rule::Rule;

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "repeated-marker",
        Tool::KubeApiLinter,
        include_str!("repeated_marker.md"),
    ),
    check,
)
.alias("duplicatemarkers");

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        if !member.field.embedded {
            let markers: Vec<&Marker<'_>> = declared.all_markers(member).collect();
            repeated(declared, report, &member.path, member.name, &markers);
        }
    }
    for named in report.types(&declared.types) {
        if let Some(name) = named.name {
            let markers: Vec<&Marker<'_>> = named.markers.iter().collect();
            repeated(declared, report, &named.ty.name.name, name, &markers);
        }
    }
}

/// The markers of a type come before those of the field, so the field's is the repeated one.
fn repeated(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    what: &str,
    place: Span,
    markers: &[&Marker<'_>],
) {
    for (index, marker) in markers.iter().enumerate() {
        let Some(first) = markers[..index].iter().find(|other| other.is_same(marker)) else {
            continue;
        };
        let text = format!("`{what}` has `+{}` twice", marker.text);
        let fix = remove_line(declared, Fix::safe("remove the second one"), marker);
        report.warn(place, text, |finding| {
            finding.related(first.span, "the first one").fix_with(fix)
        });
    }
}
