//! Versions of built-in kinds that Kubernetes no longer serves. The releases are those of `APILifecycleRemoved` in
//! `zz_generated.prerelease-lifecycle.go` of k8s.io/api, as long as it had the types.

use std::fmt;

use kindsmith_json::Value;

/// A version of a built-in kind that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// The first minor version of Kubernetes without it: 25 for 1.25.
    pub minor: u8,
    /// Whether servers that had it served it without being told to. New beta versions are off since 1.24.
    pub was_on: bool,
    /// The version to use instead, as `apiVersion kind`, or another remedy.
    pub replacement: Replacement,
    /// Whether the new version has the same fields with the same meaning and the same defaults.
    is_rename: bool,
}

impl Removed {
    /// Whether an object of the version means the same in the new one, and only its `apiVersion` must change. Fields that are gone count as unknown
    /// fields there.
    #[must_use]
    pub fn is_rename_of(&self, object: Value<'_>) -> bool {
        // An empty selector selects nothing in policy/v1beta1 and everything in policy/v1.
        let is_empty_selector = object.text("kind") == "PodDisruptionBudget"
            && object
                .lookup(&["spec", "selector"])
                .is_none_or(|selector| selector.as_object().is_none_or(|selector| selector.is_empty()));
        self.is_rename && !is_empty_selector
    }
}

/// What to use instead of a version that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// This version of the kind.
    Version(&'static str),
    /// There is no such kind any more; the text says what does its work.
    Other(&'static str),
}

impl fmt::Display for Replacement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(out, "use apiVersion {version}"),
            Self::Other(text) => out.write_str(text),
        }
    }
}

/// When a version of a built-in kind was removed, if it was.
///
/// ```
/// let removed = kindsmith::removed("batch/v1beta1", "CronJob").expect("it was removed");
/// assert_eq!((removed.minor, removed.replacement.to_string().as_str()), (25, "use apiVersion batch/v1"));
/// assert_eq!(kindsmith::removed("batch/v1", "CronJob"), None);
/// ```
#[must_use]
pub fn removed(api_version: &str, kind: &str) -> Option<Removed> {
    let found = TABLE
        .iter()
        .find(|(version, kinds, ..)| *version == api_version && kinds.contains(&kind));
    found.map(|&(_, _, minor, version)| Removed {
        minor,
        was_on: !is_among(OFF, api_version, kind),
        is_rename: is_among(RENAMED, api_version, kind),
        replacement: match kind {
            "PodSecurityPolicy" => Replacement::Other(POD_SECURITY),
            _ => Replacement::Version(version),
        },
    })
}

fn is_among(list: &[(&str, &str)], api_version: &str, kind: &str) -> bool {
    list.contains(&(api_version, kind)) || list.contains(&(api_version, "*"))
}

/// All versions of built-in kinds that are gone: `apiVersion`, kind, and when.
pub fn removed_versions() -> impl Iterator<Item = (&'static str, &'static str, Removed)> {
    let rows = TABLE.iter();
    let kinds = rows.flat_map(|&(version, kinds, ..)| kinds.iter().map(move |kind| (version, *kind)));
    kinds.filter_map(|(version, kind)| Some((version, kind, removed(version, kind)?)))
}

const POD_SECURITY: &str = "label namespaces for Pod Security admission instead: \
                            pod-security.kubernetes.io/enforce: baseline";

/// `apiVersion`, kinds, the first release without them, and the version that replaces them.
type Row = (&'static str, &'static [&'static str], u8, &'static str);

const WORKLOADS: &[&str] = &[
    "ControllerRevision",
    "DaemonSet",
    "Deployment",
    "ReplicaSet",
    "StatefulSet",
];
const ROLES: &[&str] = &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];
const FLOWS: &[&str] = &["FlowSchema", "PriorityLevelConfiguration"];
const POLICIES: &[&str] = &["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"];
const CLAIMS: &[&str] = &[
    "DeviceClass",
    "ResourceClaim",
    "ResourceClaimTemplate",
    "ResourceSlice",
];

const TABLE: &[Row] = &[
    (
        "admissionregistration.k8s.io/v1beta1",
        &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
        22,
        "admissionregistration.k8s.io/v1",
    ),
    (
        "admissionregistration.k8s.io/v1alpha1",
        POLICIES,
        32,
        "admissionregistration.k8s.io/v1",
    ),
    (
        "admissionregistration.k8s.io/v1beta1",
        POLICIES,
        34,
        "admissionregistration.k8s.io/v1",
    ),
    (
        "admissionregistration.k8s.io/v1alpha1",
        &["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"],
        38,
        "admissionregistration.k8s.io/v1",
    ),
    (
        "apiextensions.k8s.io/v1beta1",
        &["CustomResourceDefinition"],
        22,
        "apiextensions.k8s.io/v1",
    ),
    (
        "apiregistration.k8s.io/v1beta1",
        &["APIService"],
        22,
        "apiregistration.k8s.io/v1",
    ),
    ("apps/v1beta1", WORKLOADS, 16, "apps/v1"),
    ("apps/v1beta2", WORKLOADS, 16, "apps/v1"),
    (
        "authentication.k8s.io/v1alpha1",
        &["SelfSubjectReview"],
        32,
        "authentication.k8s.io/v1",
    ),
    (
        "authentication.k8s.io/v1beta1",
        &["SelfSubjectReview"],
        33,
        "authentication.k8s.io/v1",
    ),
    (
        "authentication.k8s.io/v1beta1",
        &["TokenReview"],
        22,
        "authentication.k8s.io/v1",
    ),
    (
        "authorization.k8s.io/v1beta1",
        &[
            "LocalSubjectAccessReview",
            "SelfSubjectAccessReview",
            "SelfSubjectRulesReview",
            "SubjectAccessReview",
        ],
        22,
        "authorization.k8s.io/v1",
    ),
    (
        "autoscaling/v2beta1",
        &["HorizontalPodAutoscaler"],
        25,
        "autoscaling/v2",
    ),
    (
        "autoscaling/v2beta2",
        &["HorizontalPodAutoscaler"],
        26,
        "autoscaling/v2",
    ),
    ("batch/v1beta1", &["CronJob"], 25, "batch/v1"),
    (
        "certificates.k8s.io/v1alpha1",
        &["ClusterTrustBundle"],
        37,
        "certificates.k8s.io/v1",
    ),
    (
        "certificates.k8s.io/v1beta1",
        &["CertificateSigningRequest"],
        22,
        "certificates.k8s.io/v1",
    ),
    (
        "coordination.k8s.io/v1beta1",
        &["Lease"],
        22,
        "coordination.k8s.io/v1",
    ),
    (
        "discovery.k8s.io/v1beta1",
        &["EndpointSlice"],
        25,
        "discovery.k8s.io/v1",
    ),
    ("events.k8s.io/v1beta1", &["Event"], 25, "events.k8s.io/v1"),
    (
        "extensions/v1beta1",
        &["DaemonSet", "Deployment", "ReplicaSet"],
        16,
        "apps/v1",
    ),
    ("extensions/v1beta1", &["Ingress"], 22, "networking.k8s.io/v1"),
    (
        "extensions/v1beta1",
        &["NetworkPolicy"],
        16,
        "networking.k8s.io/v1",
    ),
    ("extensions/v1beta1", &["PodSecurityPolicy"], 16, ""),
    (
        "flowcontrol.apiserver.k8s.io/v1beta1",
        FLOWS,
        26,
        "flowcontrol.apiserver.k8s.io/v1",
    ),
    (
        "flowcontrol.apiserver.k8s.io/v1beta2",
        FLOWS,
        29,
        "flowcontrol.apiserver.k8s.io/v1",
    ),
    (
        "flowcontrol.apiserver.k8s.io/v1beta3",
        FLOWS,
        32,
        "flowcontrol.apiserver.k8s.io/v1",
    ),
    (
        "networking.k8s.io/v1beta1",
        &["IPAddress", "ServiceCIDR"],
        37,
        "networking.k8s.io/v1",
    ),
    (
        "networking.k8s.io/v1beta1",
        &["Ingress", "IngressClass"],
        22,
        "networking.k8s.io/v1",
    ),
    ("node.k8s.io/v1beta1", &["RuntimeClass"], 25, "node.k8s.io/v1"),
    ("policy/v1beta1", &["PodDisruptionBudget"], 25, "policy/v1"),
    ("policy/v1beta1", &["PodSecurityPolicy"], 25, ""),
    (
        "rbac.authorization.k8s.io/v1alpha1",
        ROLES,
        22,
        "rbac.authorization.k8s.io/v1",
    ),
    (
        "rbac.authorization.k8s.io/v1beta1",
        ROLES,
        22,
        "rbac.authorization.k8s.io/v1",
    ),
    ("resource.k8s.io/v1beta1", CLAIMS, 38, "resource.k8s.io/v1"),
    (
        "scheduling.k8s.io/v1beta1",
        &["PriorityClass"],
        22,
        "scheduling.k8s.io/v1",
    ),
    (
        "storage.k8s.io/v1beta1",
        &["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"],
        22,
        "storage.k8s.io/v1",
    ),
    (
        "storage.k8s.io/v1alpha1",
        &["VolumeAttributesClass"],
        35,
        "storage.k8s.io/v1",
    ),
    (
        "storage.k8s.io/v1beta1",
        &["VolumeAttributesClass"],
        37,
        "storage.k8s.io/v1",
    ),
    (
        "storagemigration.k8s.io/v1alpha1",
        &["StorageVersionMigration"],
        36,
        "storagemigration.k8s.io/v1",
    ),
    (
        "storage.k8s.io/v1beta1",
        &["CSIStorageCapacity"],
        27,
        "storage.k8s.io/v1",
    ),
];

/// Versions whose objects mean the same with the new `apiVersion`: their Go types and the functions in `defaults.go` are alike in both. `*` is
/// every kind of the version. Others have fields that were renamed, or defaults that changed.
const RENAMED: &[(&str, &str)] = &[
    (
        "admissionregistration.k8s.io/v1beta1",
        "ValidatingAdmissionPolicy",
    ),
    (
        "admissionregistration.k8s.io/v1beta1",
        "ValidatingAdmissionPolicyBinding",
    ),
    ("apiregistration.k8s.io/v1beta1", "APIService"),
    ("apps/v1beta2", "*"),
    ("autoscaling/v2beta2", "HorizontalPodAutoscaler"),
    ("batch/v1beta1", "CronJob"),
    ("coordination.k8s.io/v1beta1", "Lease"),
    ("extensions/v1beta1", "NetworkPolicy"),
    ("networking.k8s.io/v1beta1", "IPAddress"),
    ("networking.k8s.io/v1beta1", "IngressClass"),
    ("networking.k8s.io/v1beta1", "ServiceCIDR"),
    ("node.k8s.io/v1beta1", "RuntimeClass"),
    ("policy/v1beta1", "PodDisruptionBudget"),
    ("rbac.authorization.k8s.io/v1beta1", "*"),
    ("scheduling.k8s.io/v1beta1", "PriorityClass"),
    ("storage.k8s.io/v1beta1", "*"),
];

/// Versions that were off unless somebody switched them on; `*` means all kinds of the table.
const OFF: &[(&str, &str)] = &[
    ("admissionregistration.k8s.io/v1alpha1", "*"),
    (
        "admissionregistration.k8s.io/v1beta1",
        "ValidatingAdmissionPolicy",
    ),
    (
        "admissionregistration.k8s.io/v1beta1",
        "ValidatingAdmissionPolicyBinding",
    ),
    ("authentication.k8s.io/v1alpha1", "*"),
    ("authentication.k8s.io/v1beta1", "SelfSubjectReview"),
    ("certificates.k8s.io/v1alpha1", "*"),
    ("networking.k8s.io/v1beta1", "IPAddress"),
    ("networking.k8s.io/v1beta1", "ServiceCIDR"),
    ("rbac.authorization.k8s.io/v1alpha1", "*"),
    ("resource.k8s.io/v1beta1", "*"),
    ("storage.k8s.io/v1alpha1", "*"),
    ("storage.k8s.io/v1beta1", "VolumeAttributesClass"),
    ("storagemigration.k8s.io/v1alpha1", "*"),
];

#[cfg(all(test, feature = "go"))]
mod tests {
    use kindsmith_object::Release;

    use super::*;
    use crate::builtin_kind::find;

    #[test]
    fn renamed_versions_were_removed() {
        for (version, kind) in RENAMED {
            let mut rows = TABLE.iter().filter(|row| row.0 == *version);
            assert!(
                rows.any(|row| *kind == "*" || row.1.contains(kind)),
                "{version} {kind}"
            );
        }
    }

    #[test]
    fn what_was_removed_is_not_served_and_what_replaces_it_is() {
        for (version, kinds, _, instead) in TABLE {
            for kind in *kinds {
                assert!(find(Release::NEWEST, version, kind).is_none(), "{version} {kind}");
                let is_served = instead.is_empty()
                    || *kind == "CustomResourceDefinition"
                    || find(Release::NEWEST, instead, kind).is_some();
                assert!(is_served, "{instead} {kind}");
            }
        }
    }
}
