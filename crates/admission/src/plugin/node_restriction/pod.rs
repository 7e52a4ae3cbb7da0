//! Pods: a node creates mirror pods of its own, reports the status of its pods, and deletes and evicts them.

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_request::AdmissionOperation;

use super::{Attempt, forbid, is_same, missing};
use crate::plugin::Refusal;
use crate::plugin::references;
use crate::plugin::service_account::MIRROR;

pub(super) fn is_mirror(pod: Value<'_>) -> bool {
    pod.lookup(&["metadata", "annotations", MIRROR]).is_some()
}

pub(super) fn object(attempt: &Attempt<'_, '_>, node: &str) -> Result<(), Refusal> {
    match attempt.operation {
        AdmissionOperation::Create => create(attempt, node),
        AdmissionOperation::Delete => {
            let pod = attempt.pod(attempt.name)?;
            if pod.text(&["spec", "nodeName"]) == node {
                Ok(())
            } else {
                forbid(format!(
                    "node {} can only delete pods with spec.nodeName set to itself",
                    quote(node)
                ))
            }
        }
        operation => forbid(format!(
            "unexpected operation {}, node {} can only create and delete mirror pods",
            quote(operation.name()),
            quote(node)
        )),
    }
}

fn create(attempt: &Attempt<'_, '_>, node: &str) -> Result<(), Refusal> {
    let (pod, quoted) = (attempt.object, quote(node));
    if !is_mirror(pod) {
        return forbid(format!(
            "pod does not have \"{MIRROR}\" annotation, node {quoted} can only create mirror pods"
        ));
    }
    if pod.text(&["spec", "nodeName"]) != node {
        return forbid(format!(
            "node {quoted} can only create pods with spec.nodeName set to itself"
        ));
    }
    let owner = match pod.list(&["metadata", "ownerReferences"]) {
        [owner] => *owner,
        [] => return forbid(format!("node {quoted} {NOT_OWNED}")),
        _ => {
            return forbid(format!(
                "node {quoted} can only create pods with a single owner reference set to itself"
            ));
        }
    };
    check_owner(attempt, owner, node)?;
    match references::of(pod) {
        Ok(None) => Ok(()),
        Ok(Some(what)) => forbid(format!("node {quoted} can not create pods that reference {what}")),
        Err(why) => forbid(format!("error checking mirror pod for API references: {why}")),
    }
}

const NOT_OWNED: &str = "can only create pods with an owner reference set to itself";

fn check_owner(attempt: &Attempt<'_, '_>, owner: Value<'_>, node: &str) -> Result<(), Refusal> {
    let quoted = quote(node);
    let named = (owner.text("apiVersion"), owner.text("kind"), owner.text("name"));
    if named != ("v1", "Node", node) {
        return forbid(format!("node {quoted} {NOT_OWNED}"));
    }
    let is_true = |key: &str| owner.get(key) == Some(Value::Bool(true));
    if !is_true("controller") {
        return forbid(format!(
            "node {quoted} can only create pods with a controller owner reference set to itself"
        ));
    }
    if is_true("blockOwnerDeletion") {
        return forbid(format!(
            "node {quoted} must not set blockOwnerDeletion on an owner reference"
        ));
    }
    let stored = attempt.find("", "nodes", "", node);
    let stored = stored.ok_or_else(|| missing("node", node))?;
    let (given, known) = (owner.text("uid"), stored.text(&["metadata", "uid"]));
    if given == known {
        Ok(())
    } else {
        forbid(format!("node {node} UID mismatch: expected {given} got {known}"))
    }
}

/// Parts of a status that a node must not change, and how they are called.
const KEPT: &[(&str, &str)] = &[
    ("resourceClaimStatuses", "resource claim statues"),
    ("extendedResourceClaimStatus", "extended resource claim status"),
    (
        "nodeAllocatableResourceClaimStatuses",
        "node allocatable resource claim statuses",
    ),
];

pub(super) fn status(attempt: &Attempt<'_, '_>, node: &str) -> Result<(), Refusal> {
    if attempt.operation != AdmissionOperation::Update {
        return attempt.unexpected();
    }
    let quoted = quote(node);
    if attempt.old.text(&["spec", "nodeName"]) != node {
        return forbid(format!(
            "node {quoted} can only update pod status for pods with spec.nodeName set to itself"
        ));
    }
    let is_kept = |path: &[&str]| is_same(attempt.old.lookup(path), attempt.object.lookup(path));
    if !is_kept(&["metadata", "labels"]) {
        return forbid(format!("node {quoted} cannot update labels through pod status"));
    }
    match KEPT.iter().find(|(key, _)| !is_kept(&["status", key])) {
        Some((_, what)) => forbid(format!("node {quoted} cannot update {what}")),
        None => Ok(()),
    }
}

pub(super) fn eviction(attempt: &Attempt<'_, '_>, node: &str) -> Result<(), Refusal> {
    if !attempt.is_create() {
        return forbid(format!("unexpected operation {}", attempt.operation.name()));
    }
    let name = match attempt.name {
        "" => attempt.object.text(&["metadata", "name"]),
        name => name,
    };
    if name.is_empty() {
        return forbid("could not determine pod from request data");
    }
    let pod = attempt.pod(name)?;
    if pod.text(&["spec", "nodeName"]) == node {
        Ok(())
    } else {
        forbid(format!(
            "node {node} can only evict pods with spec.nodeName set to itself"
        ))
    }
}
