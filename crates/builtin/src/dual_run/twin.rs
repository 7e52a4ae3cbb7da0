//! Hand-written twins of the tags that Kubernetes 1.38 still compares with code: alpha and beta rules of built-in kinds.
//!
//! A kind's twins are a table: a place, and what holds there. Most rules of a kind are in its strategy; a twin is only what the
//! strategy leaves to a tag, or says which of the strategy's errors a tag finds too. Both run on every write; if they
//! differ, the difference is counted. Must not know tags: the point is that two people wrote the two.

pub(crate) mod place;
mod requirement;

mod admission;
mod apps;
mod autoscaling;
mod certificates;
mod core;
mod device;
mod flow_control;
mod metadata;
mod networking;
mod node;
mod rbac;
mod resource_claim;
mod resource_slice;
mod storage;

use kindsmith_engine::OptionSet;
use kindsmith_json::path::PathBuf;
use kindsmith_object::FieldError;

use crate::dual_run::HandWrittenError;
use crate::{Change, Names};

pub(crate) use requirement::Requirement;

/// What holds at a place, in order. After a rule that stops, nothing else is checked at the place and below it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Twin {
    /// Names of members; see [`place`].
    pub(crate) at: &'static str,
    pub(crate) rules: &'static [Requirement],
}

const fn at(at: &'static str, rules: &'static [Requirement]) -> Twin {
    Twin { at, rules }
}

/// The twins of kinds, by group and kind.
const TWINS: &[(&str, &str, &[&[Twin]])] = &[
    ("", "ReplicationController", &[core::REPLICATION_CONTROLLER]),
    ("", "Node", &[core::NODE]),
    ("", "Secret", &[core::SECRET]),
    (
        "admissionregistration.k8s.io",
        "ValidatingAdmissionPolicy",
        &[metadata::CONDITIONS],
    ),
    (
        "admissionregistration.k8s.io",
        "ValidatingAdmissionPolicyBinding",
        &[admission::BINDING],
    ),
    ("apps", "StatefulSet", &[apps::STATEFUL_SET]),
    (
        "autoscaling",
        "HorizontalPodAutoscaler",
        &[autoscaling::AUTOSCALER],
    ),
    ("autoscaling", "Scale", &[autoscaling::SCALE]),
    ("batch", "CronJob", &[apps::CRON_JOB]),
    ("batch", "Job", &[apps::JOB]),
    (
        "certificates.k8s.io",
        "CertificateSigningRequest",
        &[certificates::SIGNING_REQUEST],
    ),
    (
        "certificates.k8s.io",
        "ClusterTrustBundle",
        &[certificates::TRUST_BUNDLE],
    ),
    (
        "certificates.k8s.io",
        "PodCertificateRequest",
        &[metadata::CONDITIONS],
    ),
    ("discovery.k8s.io", "EndpointSlice", &[networking::ENDPOINT_SLICE]),
    (
        "flowcontrol.apiserver.k8s.io",
        "PriorityLevelConfiguration",
        &[flow_control::PRIORITY_LEVEL],
    ),
    ("networking.k8s.io", "IPAddress", &[networking::IP_ADDRESS]),
    ("networking.k8s.io", "IngressClass", &[networking::INGRESS_CLASS]),
    (
        "networking.k8s.io",
        "NetworkPolicy",
        &[networking::NETWORK_POLICY],
    ),
    ("node.k8s.io", "RuntimeClass", &[node::RUNTIME_CLASS]),
    ("policy", "PodDisruptionBudget", &[metadata::CONDITIONS]),
    ("rbac.authorization.k8s.io", "ClusterRole", &[rbac::ROLE]),
    (
        "rbac.authorization.k8s.io",
        "ClusterRoleBinding",
        &[rbac::BINDING],
    ),
    ("rbac.authorization.k8s.io", "Role", &[rbac::ROLE]),
    ("rbac.authorization.k8s.io", "RoleBinding", &[rbac::BINDING]),
    ("resource.k8s.io", "DeviceClass", &[device::CLASS]),
    (
        "resource.k8s.io",
        "DeviceTaintRule",
        &[device::TAINT_RULE, metadata::CONDITIONS],
    ),
    (
        "resource.k8s.io",
        "ResourceClaim",
        &[
            resource_claim::FIXED,
            resource_claim::CLAIM,
            resource_claim::STATUS,
            metadata::DEVICE_CONDITIONS,
        ],
    ),
    (
        "resource.k8s.io",
        "ResourceClaimTemplate",
        &[resource_claim::TEMPLATE],
    ),
    ("resource.k8s.io", "ResourceSlice", &[resource_slice::SLICE]),
    ("storage.k8s.io", "StorageClass", &[storage::STORAGE_CLASS]),
    (
        "storage.k8s.io",
        "VolumeAttachment",
        &[storage::VOLUME_ATTACHMENT],
    ),
    (
        "storagemigration.k8s.io",
        "StorageVersionMigration",
        &[metadata::CONDITIONS],
    ),
];

/// The twins of one kind.
pub(crate) fn of(names: &Names) -> impl Iterator<Item = &'static Twin> + use<> {
    let found = TWINS
        .iter()
        .find(|(group, kind, _)| *group == &*names.group && *kind == &*names.kind);
    found
        .into_iter()
        .flat_map(|(_, _, tables)| tables.iter())
        .chain([&metadata::METADATA])
        .flat_map(|table| table.iter())
}

/// The errors of a strategy, marked where a tag finds them too, and those of the twins.
pub(crate) fn written(
    names: &Names,
    change: &Change<'_>,
    options: &OptionSet,
    errors: Vec<FieldError>,
) -> Vec<HandWrittenError> {
    let mut written: Vec<HandWrittenError> = errors.into_iter().map(|error| marked(names, error)).collect();
    for error in check(names, change, options) {
        let is_known = |known: &HandWrittenError| {
            known.error.kind == error.kind
                && known.error.path == error.path
                && known.error.origin == error.origin
        };
        match written.iter().position(is_known) {
            Some(known) => written[known].mark = crate::Mark::Covered,
            None => written.push(HandWrittenError {
                error,
                mark: crate::Mark::Covered,
            }),
        }
    }
    written
}

fn marked(names: &Names, error: FieldError) -> HandWrittenError {
    let mut rules = of(names).flat_map(|twin| twin.rules.iter().map(move |rule| (twin.at, rule)));
    let origin = rules.find_map(|(at, rule)| rule.finds(at, &error));
    match origin {
        Some(origin) => HandWrittenError::covered(error, origin),
        None => HandWrittenError::unknown(error),
    }
}

fn check(names: &Names, change: &Change<'_>, options: &OptionSet) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut stops: Vec<PathBuf> = Vec::new();
    let is_checked = |twin: &&Twin| {
        !twin
            .rules
            .iter()
            .all(|rule| matches!(rule, Requirement::Found(..)))
    };
    for twin in of(names).filter(is_checked) {
        place::visit(twin.at, change, &mut |spot| {
            let before = errors.len();
            for rule in twin.rules {
                if rule.stops() || errors.len() == before {
                    rule.check(options, spot, &mut errors);
                }
                if rule.stops() && errors.len() > before {
                    stops.push(spot.path.to_owned());
                }
            }
        });
    }
    errors.retain(|error| !stops.iter().any(|stop| is_below(&error.path, stop)));
    errors
}

fn is_below(path: &PathBuf, above: &PathBuf) -> bool {
    let (steps, above) = (path.steps(), above.steps());
    above.len() < steps.len() && steps.starts_with(above)
}
