//! Ephemeral containers: added to a running pod through their own subresource.

use std::collections::HashSet;

use super::claim::MIRROR;
use super::container::check_container;
use super::spec::{Spec, annotations};
use super::{annotation, image, validate_pod};
use crate::Change;
use crate::empty::is_same;
use crate::field::{Errors, Field};
use crate::internal::{self, CORE};
use crate::rule::{forbidden, not_found};

/// Members that ephemeral containers must not set, as errors spell them, in the order of the Go struct.
const NOT_HERE: [&str; 9] = [
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
];

/// Checks the ephemeral containers of a spec.
pub(super) fn check_containers(spec: &Spec<'_, '_>, errors: &mut Errors) {
    const DETAIL: &str = "cannot be set for an Ephemeral Container";
    let lists = ["containers", "initContainers"].map(|key| spec.child(key));
    let others: HashSet<&str> = lists
        .iter()
        .flat_map(Field::items)
        .map(|other| other.child("name").text())
        .collect();
    let mut names = others.clone();
    for container in spec.child("ephemeralContainers").items() {
        check_container(&container, spec, errors);
        image::check_spaces(&container, errors);
        let name = container.child("name").or_empty();
        if !names.insert(name.text()) {
            name.duplicate(errors);
        }
        let target = container.child("targetContainerName");
        if !target.is_blank() && !others.contains(target.text()) {
            errors.push(not_found(&target.path, target.text()));
        }
        for key in NOT_HERE {
            let member = container.child(key);
            // Empty ones behind a pointer count as set.
            let is_there = match key {
                "lifecycle" | "restartPolicy" => member.is_set(),
                _ => !member.is_blank(),
            };
            if is_there {
                member.forbidden(DETAIL, errors);
            }
        }
        for mount in container.child("volumeMounts").items() {
            for key in ["subPath", "subPathExpr"] {
                let path = mount.child(key);
                if !path.is_blank() {
                    path.forbidden(DETAIL, errors);
                }
            }
        }
    }
}

/// Checks an update of ephemeral containers: they can only be added.
pub(crate) fn validate_ephemeral(change: &Change<'_>, errors: &mut Errors) {
    change.validate_metadata(errors);
    validate_pod(change, errors);
    let old_annotations = change.old.map(|old| old.meta.annotations).unwrap_or_default();
    annotation::check_unchanged(&annotations(change), old_annotations, errors);
    if old_annotations.contains_key(MIRROR) {
        errors.clear();
        let detail = "static pods do not support ephemeral containers";
        errors.push(forbidden(&kindsmith_json::Path::root(""), detail));
        return;
    }
    let spec = Field::root(change, "spec");
    let containers = spec.child("ephemeralContainers");
    let old_spec = Field::old_root(change, "spec");
    for old in old_spec.child("ephemeralContainers").items() {
        let name = old.child("name").text();
        let new = containers.items().filter(|new| new.child("name").text() == name);
        let shown = kindsmith_gostd::quote::quote(name);
        let detail = match new.last() {
            None => format!("existing ephemeral containers {shown} may not be removed\n"),
            Some(new) if !is_same(new.value, old.value) => format!(
                "existing ephemeral containers {shown} may not be changed\n{}",
                internal::difference(CORE, "EphemeralContainer", old.value, new.value)
            ),
            Some(_) => continue,
        };
        containers.forbidden(&detail, errors);
    }
}
