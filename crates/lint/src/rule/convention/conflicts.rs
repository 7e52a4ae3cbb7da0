//! Markers of sets that exclude each other on one field.

use serde_json::Value;

use crate::Report;
use crate::declared::{Declared, Marker};

/// Sets of which a field may have markers of one only.
pub(super) struct Conflict<'a> {
    /// Why.
    pub(super) reason: &'a str,
    /// The sets. A marker with a value counts only with that value.
    pub(super) sets: Vec<Vec<&'a str>>,
}

impl<'a> Conflict<'a> {
    /// A conflict from settings: `name`, `sets`, `description`.
    pub(super) fn read(value: &'a Value) -> Self {
        let set = |set: &'a Value| {
            let names = set.as_array().into_iter().flatten();
            names.filter_map(Value::as_str).collect()
        };
        let text = |key: &str| value[key].as_str().unwrap_or_default();
        let reason = match text("description") {
            "" => text("name"),
            description => description,
        };
        Self {
            reason,
            sets: value["sets"].as_array().into_iter().flatten().map(set).collect(),
        }
    }
}

pub(super) fn report(declared: &Declared<'_>, report: &mut Report<'_>, conflicts: &[Conflict<'_>]) {
    for member in report.fields(&declared.types) {
        if member.field.embedded {
            continue;
        }
        let markers: Vec<&Marker<'_>> = declared.all_markers(member).collect();
        for conflict in conflicts {
            let found: Vec<&str> = conflict
                .sets
                .iter()
                .filter_map(|set| set.iter().find(|name| has(&markers, name)).copied())
                .collect();
            if found.len() < 2 {
                continue;
            }
            let names: Vec<String> = found.iter().map(|name| format!("`+{name}`")).collect();
            let text = format!("field `{}` has {}", member.path, names.join(" and "));
            let reason = conflict.reason;
            report.warn(member.name, text, |finding| finding.label(reason));
        }
    }
}

fn has(markers: &[&Marker<'_>], wanted: &str) -> bool {
    let name = wanted.split('=').next().unwrap_or_default().trim_end_matches(':');
    let mut found = markers.iter().filter_map(|marker| marker.as_named(name));
    match wanted.split_once('=') {
        Some((_, value)) => found.any(|marker| marker.value == value),
        None => found.next().is_some(),
    }
}
