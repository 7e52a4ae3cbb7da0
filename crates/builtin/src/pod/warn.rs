//! What is warned of in pod templates that are otherwise right (`warningsForPodSpecAndMeta` in pkg/api/pod/warnings.go).

use std::collections::HashSet;

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Path, Value};

use crate::rule::{items, number, text};

const NO_POD: &str = "a null labelSelector results in matching no pod";

/// Warnings about a template.
pub(crate) fn template_warnings(template: Value<'_>, path: &Path<'_>) -> Vec<String> {
    warnings(template, Some(path))
}

/// Warnings about a pod, or about a template at a path.
pub(crate) fn warnings(template: Value<'_>, path: Option<&Path<'_>>) -> Vec<String> {
    let mut warnings = Vec::new();
    let spec = template.get("spec").unwrap_or_default();
    let path = path.map_or(Path::root("spec"), |path| path.child("spec"));
    let volumes = path.child("volumes");
    for (index, volume) in items(spec.get("volumes")).iter().enumerate() {
        deprecated_volume(*volume, &volumes.index(index), &mut warnings);
    }
    let constraints = path.child("topologySpreadConstraints");
    for (index, constraint) in items(spec.get("topologySpreadConstraints")).iter().enumerate() {
        null_selector(*constraint, &constraints.index(index), &mut warnings);
    }
    for key in ["containers", "initContainers"] {
        let containers = path.child(key);
        for (index, container) in items(spec.get(key)).iter().enumerate() {
            hidden_variables(*container, &containers.index(index).child("env"), &mut warnings);
        }
    }
    if number(spec.get("terminationGracePeriodSeconds")) < 0 {
        warnings.push(format!(
            "{}: must be >= 0; negative values are invalid and will be treated as 1",
            path.child("terminationGracePeriodSeconds")
        ));
    }
    affinity(
        spec.get("affinity").unwrap_or_default(),
        &path.child("affinity"),
        &mut warnings,
    );
    warnings
}

/// Kinds of volumes that are gone or will go.
const VOLUMES: [(&str, &str); 9] = [
    (
        "photonPersistentDisk",
        "deprecated in v1.11, non-functional in v1.16+",
    ),
    (
        "gitRepo",
        "deprecated in v1.11, and disabled by default in v1.33+",
    ),
    ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("flocker", "deprecated in v1.22, non-functional in v1.25+"),
    ("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    ("storageos", "deprecated in v1.22, non-functional in v1.25+"),
    ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
    ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
];

fn deprecated_volume(volume: Value<'_>, path: &Path<'_>, warnings: &mut Vec<String>) {
    for (key, text) in VOLUMES {
        if volume.get(key).is_some_and(|source| !source.is_null()) {
            // The reference spells this one differently here.
            let key = if key == "storageos" { "storageOS" } else { key };
            warnings.push(format!("{}: {text}", path.child(key)));
        }
    }
}

fn null_selector(holder: Value<'_>, path: &Path<'_>, warnings: &mut Vec<String>) {
    if holder.get("labelSelector").is_none_or(Value::is_null) {
        warnings.push(format!("{}: {NO_POD}", path.child("labelSelector")));
    }
}

/// A variable that is set again without using its old value takes that away.
fn hidden_variables(container: Value<'_>, path: &Path<'_>, warnings: &mut Vec<String>) {
    let mut names = HashSet::new();
    for (index, variable) in items(container.get("env")).iter().enumerate() {
        let (name, value) = (text(variable.get("name")), text(variable.get("value")));
        if names.insert(name) {
            continue;
        }
        let reference = format!("$({name})");
        let is_bad = variable.get("valueFrom").is_some_and(|source| !source.is_null())
            || value == reference
            || !value.contains(&reference);
        if is_bad {
            warnings.push(format!(
                "{}: hides previous definition of {}, which may be dropped when using apply",
                path.index(index),
                quote(name)
            ));
        }
    }
}

fn affinity(affinity: Value<'_>, path: &Path<'_>, warnings: &mut Vec<String>) {
    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";
    for key in ["podAffinity", "podAntiAffinity"] {
        let (terms, path) = (affinity.get(key).unwrap_or_default(), path.child(key));
        let required = path.child(REQUIRED);
        for (index, term) in items(terms.get(REQUIRED)).iter().enumerate() {
            null_selector(*term, &required.index(index), warnings);
        }
        let preferred = path.child(PREFERRED);
        for (index, weighted) in items(terms.get(PREFERRED)).iter().enumerate() {
            let term = weighted.get("podAffinityTerm").unwrap_or_default();
            null_selector(term, &preferred.index(index).child("podAffinityTerm"), warnings);
        }
    }
}
