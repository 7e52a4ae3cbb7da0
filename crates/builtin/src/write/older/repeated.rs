//! Errors that older releases reported more than once, because more than one of their rules found them.

use kindsmith_json::path::PathBuf;
use kindsmith_object::{ErrorKind, FieldError, Release};

use super::{DEVICES, FLOW, RBAC};
use crate::Kind;
use crate::dual_run::twin::place::names;

/// How often an error was reported up to a release, where rules ran more than once.
struct Repeated {
    until: Release,
    group: &'static str,
    kinds: &'static [&'static str],
    writes: Writes,
    /// The place, and all below it.
    at: &'static str,
    times: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writes {
    Creates,
    Updates,
    All,
}

const fn repeated(
    until: u8,
    group: &'static str,
    kinds: &'static [&'static str],
    writes: Writes,
    at: &'static str,
    times: usize,
) -> Repeated {
    Repeated {
        until: Release::minor(until),
        group,
        kinds,
        writes,
        at,
        times,
    }
}

const VOLUMES: &str = "storage.k8s.io";
const ATTRIBUTES: &[&str] = &["VolumeAttributesClass"];
const ROLES: &[&str] = &["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"];
const HOOKS: &[&str] = &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];
const FLOWS: &[&str] = &["FlowSchema", "PriorityLevelConfiguration"];

/// The first line that fits counts.
const REPEATED: &[Repeated] = &[
    repeated(34, RBAC, ROLES, Writes::Updates, "rules", 2),
    repeated(34, RBAC, ROLES, Writes::Updates, "subjects", 2),
    repeated(34, RBAC, ROLES, Writes::Updates, "roleRef", 2),
    repeated(34, RBAC, ROLES, Writes::Updates, "metadata.labels", 5),
    repeated(34, "", &["PersistentVolumeClaim"], Writes::Updates, "spec", 2),
    repeated(
        34,
        "",
        &["PersistentVolumeClaim"],
        Writes::Updates,
        "metadata.labels",
        5,
    ),
    repeated(34, "", &["ReplicationController"], Writes::Updates, "spec", 2),
    repeated(
        34,
        "",
        &["ReplicationController"],
        Writes::Updates,
        "metadata.labels",
        4,
    ),
    repeated(
        34,
        DEVICES,
        &["DeviceClass", "ResourceClaim", "ResourceClaimTemplate"],
        Writes::Updates,
        "spec",
        2,
    ),
    repeated(34, VOLUMES, &["VolumeAttachment"], Writes::Updates, "spec", 2),
    repeated(
        34,
        VOLUMES,
        &["VolumeAttachment"],
        Writes::Updates,
        "metadata.labels",
        4,
    ),
    repeated(34, VOLUMES, ATTRIBUTES, Writes::Updates, "driverName", 2),
    repeated(34, VOLUMES, ATTRIBUTES, Writes::Updates, "parameters", 2),
    repeated(34, VOLUMES, ATTRIBUTES, Writes::Updates, "metadata.labels", 5),
    repeated(36, "", &["Node"], Writes::Updates, "metadata.labels", 4),
    repeated(36, "", &["Node"], Writes::Updates, "metadata.taints", 2),
    repeated(
        36,
        "",
        &["PersistentVolume"],
        Writes::Updates,
        "metadata.deletionTimestamp",
        1,
    ),
    repeated(36, "", &["PersistentVolume"], Writes::Updates, "spec", 2),
    repeated(
        36,
        "admissionregistration.k8s.io",
        HOOKS,
        Writes::Updates,
        "metadata.labels",
        3,
    ),
    repeated(
        36,
        "admissionregistration.k8s.io",
        HOOKS,
        Writes::Updates,
        "metadata.deletionTimestamp",
        1,
    ),
    repeated(
        36,
        "apps",
        &["StatefulSet"],
        Writes::All,
        "spec.template.labels",
        2,
    ),
    repeated(
        36,
        "autoscaling",
        &["HorizontalPodAutoscaler"],
        Writes::All,
        "spec.metrics[*].type",
        2,
    ),
    repeated(36, "batch", &["Job"], Writes::Updates, "metadata.labels", 4),
    repeated(36, "batch", &["Job"], Writes::Updates, "spec", 2),
    repeated(36, FLOW, FLOWS, Writes::Creates, "metadata", 1),
    repeated(36, FLOW, FLOWS, Writes::Updates, "metadata.labels", 3),
    repeated(36, FLOW, FLOWS, Writes::Updates, "metadata.deletionTimestamp", 1),
    repeated(
        35,
        "networking.k8s.io",
        &["NetworkPolicy"],
        Writes::Updates,
        "spec",
        2,
    ),
    repeated(
        36,
        "node.k8s.io",
        &["RuntimeClass"],
        Writes::Updates,
        "metadata.labels",
        4,
    ),
    repeated(
        36,
        "policy",
        &["PodDisruptionBudget"],
        Writes::Updates,
        "metadata.labels",
        2,
    ),
    repeated(
        36,
        "storage.k8s.io",
        &["CSIStorageCapacity", "StorageClass"],
        Writes::Updates,
        "metadata.labels",
        4,
    ),
    repeated(
        36,
        "storage.k8s.io",
        &["VolumeAttachment"],
        Writes::Updates,
        "metadata.labels",
        3,
    ),
    repeated(
        35,
        "storage.k8s.io",
        &["VolumeAttachment"],
        Writes::Creates,
        "spec.attacher",
        2,
    ),
];

/// Repeats errors as often as rules found them.
pub(super) fn repeat(kind: &Kind, is_update: bool, errors: &mut Vec<FieldError>) {
    let lines: Vec<&Repeated> = REPEATED
        .iter()
        .filter(|line| {
            kind.release <= line.until
                && *line.group == *kind.names.group
                && line.kinds.contains(&&*kind.names.kind)
                && match line.writes {
                    Writes::Creates => !is_update,
                    Writes::Updates => is_update,
                    Writes::All => true,
                }
        })
        .collect();
    if lines.is_empty() {
        return;
    }
    let mut seen: Vec<FieldError> = Vec::new();
    for error in std::mem::take(errors) {
        let line = lines.iter().find(|line| is_repeated(line, &error));
        match line {
            None => errors.push(error),
            Some(_) if seen.contains(&error) => {}
            Some(line) => {
                errors.extend(std::iter::repeat_n(&error, line.times).cloned());
                seen.push(error);
            }
        }
    }
}

/// Whether a line is about an error. What only an update can violate is found once.
fn is_repeated(line: &Repeated, error: &FieldError) -> bool {
    let is_at = |place: &&str| names(place, &error.path);
    let of_update = error.origin == "immutable"
        || error.kind == ErrorKind::Forbidden
        || ["spec.nodeAffinity", "spec.completions"].iter().any(is_at);
    let is_other = match line.at {
        "spec.metrics[*].type" => error.kind != ErrorKind::NotSupported,
        "spec.attacher" => error.kind != ErrorKind::Required,
        _ => false,
    };
    if is_other {
        return false;
    }
    let steps = error.path.steps();
    let is_below = (1..=steps.len()).any(|end| {
        let above: PathBuf = steps[..end].iter().cloned().collect();
        names(line.at, &above)
    });
    is_below && (line.at.starts_with("metadata") || !of_update)
}
