//! Ephemeral containers of a spec.

use std::collections::HashSet;

use super::container::check_container;
use super::image;
use super::spec::Spec;
use crate::field::{Errors, Field};
use crate::field_check::not_found;

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
