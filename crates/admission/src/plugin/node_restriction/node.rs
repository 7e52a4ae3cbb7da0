//! Nodes: a kubelet writes only its own, and no labels, taints or owners that steer what runs there.

use std::collections::BTreeSet;

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Object, Value};
use kindsmith_request::AdmissionOperation;

use super::{Attempt, forbid, is_same};
use crate::plugin::Refusal;

/// Labels of Kubernetes that kubelets may set (`kubeletLabels` in k8s.io/kubelet/pkg/apis/well_known_labels.go).
const LABELS: &[&str] = &[
    "kubernetes.io/hostname",
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region",
    "beta.kubernetes.io/instance-type",
    "node.kubernetes.io/instance-type",
    "kubernetes.io/os",
    "kubernetes.io/arch",
    "beta.kubernetes.io/os",
    "beta.kubernetes.io/arch",
];

/// Prefixes that kubelets may use, and domains below them.
const PREFIXES: &[&str] = &["kubelet.kubernetes.io", "node.kubernetes.io"];

pub(super) fn check(attempt: &Attempt<'_, '_>, node: &str) -> Result<(), Refusal> {
    let quoted = quote(node);
    if attempt.name != node {
        return forbid(format!(
            "node {quoted} is not allowed to modify node {}",
            quote(attempt.name)
        ));
    }
    let source = ["spec", "configSource"];
    let new_source = attempt.object.lookup(&source).filter(|source| !source.is_null());
    let labels = forbidden_labels(attempt.old, attempt.object);
    match attempt.operation {
        AdmissionOperation::Create if new_source.is_some() => forbid(format!(
            "node {quoted} is not allowed to create pods with a non-nil configSource"
        )),
        AdmissionOperation::Create if !labels.is_empty() => forbid(format!(
            "node {quoted} is not allowed to set the following labels: {labels}"
        )),
        AdmissionOperation::Update => {
            let is_kept = |path: &[&str]| is_same(attempt.old.lookup(path), attempt.object.lookup(path));
            if new_source.is_some() && !is_kept(&source) {
                return forbid(format!(
                    "node {quoted} is not allowed to update configSource to a new non-nil configSource"
                ));
            }
            if !is_kept(&["spec", "taints"]) {
                return forbid(format!("node {quoted} is not allowed to modify taints"));
            }
            if !is_kept(&["metadata", "ownerReferences"]) {
                return forbid(format!("node {quoted} is not allowed to modify ownerReferences"));
            }
            match &*labels {
                "" => Ok(()),
                labels => forbid(format!("is not allowed to modify labels: {labels}")),
            }
        }
        _ => Ok(()),
    }
}

/// Labels that differ and are not the kubelet's to set, sorted.
fn forbidden_labels(old: Value<'_>, new: Value<'_>) -> String {
    let (old, new) = (labels(old), labels(new));
    let keys: BTreeSet<&str> = old.into_iter().chain(new).map(|(key, _)| key).collect();
    let changed = keys.into_iter().filter(|key| old.get(key) != new.get(key));
    let forbidden: Vec<&str> = changed.filter(|key| is_forbidden(key)).collect();
    forbidden.join(", ")
}

fn labels(node: Value<'_>) -> Object<'_> {
    let found = node.lookup(&["metadata", "labels"]);
    found.and_then(Value::as_object).unwrap_or_default()
}

fn is_forbidden(label: &str) -> bool {
    let prefix = label.split_once('/').map_or("", |(prefix, _)| prefix);
    let is_below = |domain: &str| {
        let rest = prefix.strip_suffix(domain);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let is_own = LABELS.contains(&label) || PREFIXES.iter().any(|domain| is_below(domain));
    is_below("node-restriction.kubernetes.io") || (is_below("kubernetes.io") || is_below("k8s.io")) && !is_own
}
