//! Errors for bodies of another kind than the URL's.

use kindsmith_json::Value;
use kindsmith_request::body::{BuiltIn, patched_built_in};

use crate::{Kind, find_own, own_kinds};

/// The source line of the Go scheme that knows a group, which errors quote.
fn scheme_of(group: &str) -> &'static str {
    match group {
        "apiregistration.k8s.io" => "pkg/apiserver/scheme/scheme.go:28",
        _ => "pkg/api/legacyscheme/scheme.go:30",
    }
}

/// What the result of a patch is decoded as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatchedType {
    /// The kind, in this or another version of it.
    Own,
    /// Go's internal type, whose fields have no JSON names: nothing of the object is found in it.
    Internal,
}

/// The version of Go's internal types.
const INTERNAL: &str = "__internal";

/// Versions of kinds that the reference can read but does not serve: those its scheme registers.
const UNSERVED: &[(&str, &str, &[&str])] = &[
    (
        "admissionregistration.k8s.io",
        "v1alpha1",
        &[
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "MutatingAdmissionPolicy",
            "MutatingAdmissionPolicyBinding",
        ],
    ),
    (
        "admissionregistration.k8s.io",
        "v1beta1",
        &[
            "ValidatingWebhookConfiguration",
            "MutatingWebhookConfiguration",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "MutatingAdmissionPolicy",
            "MutatingAdmissionPolicyBinding",
        ],
    ),
    (
        "apps",
        "v1beta1",
        &["Deployment", "StatefulSet", "ControllerRevision"],
    ),
    (
        "apps",
        "v1beta2",
        &[
            "Deployment",
            "StatefulSet",
            "DaemonSet",
            "ReplicaSet",
            "ControllerRevision",
        ],
    ),
    ("batch", "v1beta1", &["CronJob"]),
    ("certificates.k8s.io", "v1alpha1", &["ClusterTrustBundle"]),
    (
        "certificates.k8s.io",
        "v1beta1",
        &[
            "CertificateSigningRequest",
            "ClusterTrustBundle",
            "PodCertificateRequest",
        ],
    ),
    ("coordination.k8s.io", "v1alpha2", &["LeaseCandidate"]),
    ("coordination.k8s.io", "v1beta1", &["Lease", "LeaseCandidate"]),
    ("discovery.k8s.io", "v1beta1", &["EndpointSlice"]),
    ("events.k8s.io", "v1beta1", &["Event"]),
    (
        "flowcontrol.apiserver.k8s.io",
        "v1beta1",
        &["FlowSchema", "PriorityLevelConfiguration"],
    ),
    (
        "flowcontrol.apiserver.k8s.io",
        "v1beta2",
        &["FlowSchema", "PriorityLevelConfiguration"],
    ),
    (
        "flowcontrol.apiserver.k8s.io",
        "v1beta3",
        &["FlowSchema", "PriorityLevelConfiguration"],
    ),
    (
        "networking.k8s.io",
        "v1beta1",
        &["Ingress", "IngressClass", "IPAddress", "ServiceCIDR"],
    ),
    ("node.k8s.io", "v1alpha1", &["RuntimeClass"]),
    ("node.k8s.io", "v1beta1", &["RuntimeClass"]),
    ("policy", "v1beta1", &["PodDisruptionBudget"]),
    (
        "rbac.authorization.k8s.io",
        "v1alpha1",
        &["Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"],
    ),
    (
        "rbac.authorization.k8s.io",
        "v1beta1",
        &["Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"],
    ),
    (
        "resource.k8s.io",
        "v1alpha3",
        &["DeviceTaintRule", "ResourcePoolStatusRequest"],
    ),
    (
        "resource.k8s.io",
        "v1beta1",
        &[
            "DeviceClass",
            "ResourceClaim",
            "ResourceClaimTemplate",
            "ResourceSlice",
        ],
    ),
    (
        "resource.k8s.io",
        "v1beta2",
        &[
            "DeviceClass",
            "DeviceTaintRule",
            "ResourceClaim",
            "ResourceClaimTemplate",
            "ResourceSlice",
        ],
    ),
    (
        "scheduling.k8s.io",
        "v1beta1",
        &["PriorityClass", "Workload", "PodGroup"],
    ),
    (
        "storage.k8s.io",
        "v1alpha1",
        &["VolumeAttachment", "CSIStorageCapacity", "VolumeAttributesClass"],
    ),
    (
        "storage.k8s.io",
        "v1beta1",
        &[
            "StorageClass",
            "VolumeAttachment",
            "CSIDriver",
            "CSINode",
            "CSIStorageCapacity",
            "VolumeAttributesClass",
        ],
    ),
    ("storagemigration.k8s.io", "v1beta1", &["StorageVersionMigration"]),
];

impl Kind {
    /// What is said to a body of a version that could be read, but is not that of the URL.
    pub(crate) fn other_version(&self, parsed: &BuiltIn<'_>) -> Option<String> {
        let is_unserved = UNSERVED.iter().any(|(group, version, kinds)| {
            **group == *parsed.group && **version == *parsed.version && kinds.contains(&&*parsed.kind)
        });
        let is_ours = *parsed.group == *self.names.group
            && *parsed.kind == *self.names.kind
            && *parsed.version != *self.names.version;
        (is_unserved && is_ours).then(|| {
            format!(
                "the API version in the data ({}/{}) does not match the expected API version ({})",
                parsed.group,
                parsed.version,
                self.names.api_version()
            )
        })
    }

    /// What the result of a patch is decoded as: without a version, the type that it is decoded into decides.
    ///
    /// # Errors
    ///
    /// Why it is not of this kind.
    pub(crate) fn patched_type(&self, object: Value<'_>) -> Result<PatchedType, String> {
        let names = &self.names;
        let own = (&*names.kind, &*names.group, &*names.version);
        let patched = patched_built_in(object, own).map_err(|error| error.message().to_owned())?;
        let Some(parsed) = patched else {
            return Ok(PatchedType::Own);
        };
        let is_kind = *parsed.kind == *names.kind;
        let is_group = *parsed.group == *names.group;
        let is_open = parsed.group.is_empty() && parsed.version.is_empty();
        if is_kind && (is_open || is_group && parsed.version == INTERNAL) {
            return Ok(PatchedType::Internal);
        }
        if is_open || parsed.version == INTERNAL {
            return Err(format!(
                "no kind \"{}\" is registered for the internal version of group \"{}\" in scheme \"{}\"",
                parsed.kind,
                parsed.group,
                scheme_of(&names.group)
            ));
        }
        let is_version = self.other_version(&parsed).is_some()
            || find_own(self.release, &parsed.group, &parsed.version, &parsed.kind).is_some();
        if is_kind && is_group && is_version {
            return Ok(PatchedType::Own);
        }
        Err(self.why_not(&parsed))
    }

    /// Why a body of another kind is not taken: nobody knows its kind, or it does not fit that one, or it cannot become
    /// one of ours.
    pub(crate) fn why_not(&self, parsed: &BuiltIn<'_>) -> String {
        let is_version = |kind: &&&std::sync::Arc<Kind>| {
            *kind.names.group == *parsed.group && *kind.names.version == *parsed.version
        };
        let known = own_kinds(self.release).iter().filter(|kind| is_version(&kind));
        for kind in known {
            if *kind.names.list_kind == *parsed.kind {
                return self.no_conversion(&parsed.version, &parsed.kind);
            }
            if *kind.names.kind == *parsed.kind {
                return match kind.plan().decode(parsed.value) {
                    Ok(()) => self.no_conversion(&parsed.version, &parsed.kind),
                    Err(error) => error.to_string(),
                };
            }
        }
        let api_version = match &*parsed.group {
            "" => parsed.version.clone(),
            group => format!("{group}/{}", parsed.version),
        };
        format!(
            "no kind \"{}\" is registered for version \"{api_version}\" in scheme \"{}\"",
            parsed.kind,
            scheme_of(&self.names.group)
        )
    }

    fn no_conversion(&self, version: &str, kind: &str) -> String {
        let package = match &*self.names.group {
            "" => "core",
            group => group.split('.').next().unwrap_or_default(),
        };
        format!(
            "converting ({version}.{kind}) to ({package}.{}): unknown conversion",
            self.names.kind
        )
    }
}
