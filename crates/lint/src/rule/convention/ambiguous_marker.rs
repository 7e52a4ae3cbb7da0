//! Markers of which only one can count, more than once with different values.

use std::collections::HashMap;

use kindsmith_source::{Finding, Span, Tool};
use serde_json::Value;

use crate::Report;
use crate::declared::{Declared, Marker};
use crate::rule::{Rule, Setting};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "ambiguous-marker",
        Tool::KubeApiLinter,
        include_str!("ambiguous_marker.md"),
    ),
    check,
)
.alias("uniquemarkers")
.settings(&[Setting::tables(
    "customMarkers",
    &["identifier", "attributes"],
    "further markers; those that differ in one of the attributes may stand together",
)]);

/// Markers that count once, by the part of their name after `kubebuilder:validation:`. The same on list items.
const VALIDATIONS: [&str; 17] = [
    "Enum",
    "ExclusiveMaximum",
    "ExclusiveMinimum",
    "Format",
    "MaxItems",
    "MaxLength",
    "MaxProperties",
    "Maximum",
    "MinItems",
    "MinLength",
    "MinProperties",
    "Minimum",
    "MultipleOf",
    "Pattern",
    "Type",
    "UniqueItems",
    "XValidation",
];

/// Others that count once.
const OTHERS: [&str; 11] = [
    "default",
    "kubebuilder:default",
    "kubebuilder:example",
    "k8s:format",
    "k8s:minLength",
    "k8s:maxLength",
    "k8s:minItems",
    "k8s:maxItems",
    "k8s:minimum",
    "k8s:maximum",
    "k8s:listType",
];

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    let custom = report.list("customMarkers");
    for member in report.fields(&declared.types) {
        if !member.field.embedded {
            let markers: Vec<&Marker<'_>> = declared.all_markers(member).collect();
            let what = format!("field `{}`", member.path);
            several(report, custom, &what, member.name, &markers);
        }
    }
    for named in report.types(&declared.types) {
        if let Some(name) = named.name {
            let markers: Vec<&Marker<'_>> = named.markers.iter().collect();
            let what = format!("type `{}`", named.ty.name.name);
            several(report, custom, &what, name, &markers);
        }
    }
}

fn several(report: &mut Report<'_>, custom: &[Value], what: &str, place: Span, markers: &[&Marker<'_>]) {
    let mut seen = HashMap::new();
    for marker in markers {
        let Some(identity) = identity(custom, marker) else {
            continue;
        };
        let first = *seen.entry(identity).or_insert(marker.span);
        if first == marker.span {
            continue;
        }
        let text = format!("{what} has more than one `+{}`", marker.name);
        report.warn(place, text, |finding| {
            finding
                .about(marker.name)
                .related(first, "the first one")
                .help("keep the one that is meant")
        });
    }
}

/// What makes a marker another one, if it may stand only once.
fn identity(custom: &[Value], marker: &Marker<'_>) -> Option<String> {
    let validation = marker
        .name
        .strip_prefix("kubebuilder:validation:")
        .map(|rest| rest.strip_prefix("items:").unwrap_or(rest));
    if validation == Some("XValidation") {
        let rule = marker.argument("rule").unwrap_or_default();
        return Some(format!("{}:{rule}", marker.name));
    }
    if validation.is_some_and(|name| VALIDATIONS.contains(&name)) || OTHERS.contains(&marker.name) {
        return Some(marker.name.to_owned());
    }
    custom.iter().find_map(|setting| {
        let name = setting["identifier"].as_str()?;
        let marker = marker.as_named(name)?;
        let attributes = setting["attributes"].as_array().into_iter().flatten();
        let values = attributes.filter_map(|attribute| marker.argument(attribute.as_str()?));
        Some(format!("{name}:{}", values.collect::<Vec<_>>().join(",")))
    })
}
