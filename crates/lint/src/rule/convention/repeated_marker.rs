//! The same marker twice on one declaration.

use std::collections::{HashMap, HashSet};

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
            let own: HashSet<Span> = member.markers.iter().map(|marker| marker.span).collect();
            let markers = declared.all_markers(member);
            let markers: Vec<&Marker<'_>> = markers
                .filter(|marker| own.contains(&marker.span) || is_about_values(marker.name))
                .collect();
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

/// Whether a marker of a type says the same on a field of the type. `+optional` does not, nor do switches of generators:
/// these are about the declaration that they are written on, and removing one of two changes something.
fn is_about_values(name: &str) -> bool {
    const OF_FIELDS: [&str; 4] = ["Optional", "Required", "optional", "required"];
    const LISTS: [&str; 4] = ["listType", "listMapKey", "mapType", "structType"];
    let rest = ["kubebuilder:validation:", "k8s:"]
        .iter()
        .find_map(|family| name.strip_prefix(family));
    LISTS.contains(&name) || rest.is_some_and(|rest| !rest.contains("-gen") && !OF_FIELDS.contains(&rest))
}

/// The markers of a type come before those of the field, so the field's is the repeated one.
fn repeated(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    what: &str,
    place: Span,
    markers: &[&Marker<'_>],
) {
    let mut seen = HashMap::new();
    for marker in markers {
        let first = *seen.entry(marker.meaning()).or_insert(marker);
        if first.span == marker.span {
            continue;
        }
        let text = format!("`{what}` has `+{}` twice", marker.text);
        let fix = remove_line(declared, Fix::safe("remove the second one"), marker);
        report.warn(place, text, |mut finding| {
            // Markers with arguments, such as rules, differ in more than their names.
            let has_value = marker.text[marker.name.len()..].starts_with('=');
            finding.subject = has_value.then(|| marker.name.to_owned());
            finding.related(first.span, "the first one").fix_with(fix)
        });
    }
}
