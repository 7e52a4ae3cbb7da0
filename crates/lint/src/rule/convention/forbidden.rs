//! Markers that a project does not want.

use kindsmith_source::{Fix, Span};
use serde_json::Value;

use crate::Report;
use crate::declared::{Declared, Marker, remove_line};

/// Reports markers with names for which `is_bad` holds, on fields and types.
pub(super) fn report(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    words: &str,
    is_bad: impl Fn(&Marker<'_>) -> usize,
) {
    for member in report.fields(&declared.types) {
        if member.field.embedded {
            continue;
        }
        for marker in declared.all_markers(member) {
            for _ in 0..is_bad(marker) {
                let what = format!("field `{}`", member.path);
                tell(declared, report, &what, member.name, marker, words);
            }
        }
    }
    for named in report.types(&declared.types) {
        let Some(name) = named.name else {
            continue;
        };
        for marker in &named.markers {
            for _ in 0..is_bad(marker) {
                let what = format!("type `{}`", named.ty.name.name);
                tell(declared, report, &what, name, marker, words);
            }
        }
    }
}

fn tell(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    what: &str,
    place: Span,
    marker: &Marker<'_>,
    words: &str,
) {
    let fix = remove_line(declared, Fix::risky("remove the marker"), marker);
    report.warn(
        place,
        format!("{what} has `+{}`, {words}", marker.text),
        |finding| finding.related(marker.span, "here").fix_with(fix),
    );
}

/// How many of the settings forbid a marker: `identifier`, `ruleSets` with `attributes`.
pub(super) fn matches(settings: &[Value], marker: &Marker<'_>) -> usize {
    let of = |setting: &Value| {
        let name = setting["identifier"].as_str().unwrap_or_default();
        let Some(marker) = marker.as_named(name) else {
            return 0;
        };
        match setting["ruleSets"].as_array() {
            Some(sets) if !sets.is_empty() => sets.iter().filter(|set| has_attributes(set, &marker)).count(),
            _ => 1,
        }
    };
    settings.iter().map(of).sum()
}

fn has_attributes(set: &Value, marker: &Marker<'_>) -> bool {
    let mut attributes = set["attributes"].as_array().into_iter().flatten();
    attributes.all(|attribute| {
        let name = attribute["name"].as_str().unwrap_or_default();
        let Some(value) = marker.argument(name) else {
            return false;
        };
        match attribute["values"].as_array() {
            Some(values) if !values.is_empty() => values.iter().any(|allowed| allowed == value),
            _ => true,
        }
    })
}
