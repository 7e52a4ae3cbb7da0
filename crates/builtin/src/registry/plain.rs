//! The server's own kinds whose behavior is a handful of facts, one line each.

use super::{CLUSTER, Line, NAMESPACED};
use crate::kind::{
    API_SERVICE, AUTOSCALER, AUTOSCALER_V1, CLUSTER_TRUST_BUNDLE, CONTROLLER_REVISION, CSI_NODE,
    CSI_STORAGE_CAPACITY, DEVICE_CLASS, Described, ENDPOINTS, FLOW_SCHEMA, INGRESS, INGRESS_CLASS,
    IP_ADDRESS, LIMIT_RANGE, NETWORK_POLICY, POD_CERTIFICATE_REQUEST, POD_DISRUPTION_BUDGET, PRIORITY_CLASS,
    PRIORITY_LEVEL, RESOURCE_QUOTA, RUNTIME_CLASS, ResourceClaim, ResourceClaimTemplate, SERVICE_CIDR,
    STORAGE_CLASS, STORAGE_VERSION_MIGRATION, StatusPart, VOLUME_ATTACHMENT, VOLUME_ATTRIBUTES_CLASS,
    policy_name_warnings, policy_table, validate_mutating_binding, validate_mutating_policy,
    validate_validating_binding, validate_validating_policy,
};

/// Admission policies and their bindings.
const POLICY: Described = Described {
    categories: &["api-extensions"],
    allows_unconditional_update: false,
    checks_finalizers: false,
    warns: policy_name_warnings,
    ..Described::SPEC
};

/// One line each.
pub(super) const KINDS: &[Line] = &[
    ("core/v1", "Endpoints", "endpoints", NAMESPACED, &ENDPOINTS),
    ("core/v1", "LimitRange", "limitranges", NAMESPACED, &LIMIT_RANGE),
    (
        "core/v1",
        "ResourceQuota",
        "resourcequotas",
        NAMESPACED,
        &RESOURCE_QUOTA,
    ),
    (
        "admissionregistration/v1",
        "MutatingAdmissionPolicy",
        "mutatingadmissionpolicies",
        CLUSTER,
        &Described {
            rules: validate_mutating_policy,
            table: policy_table::MUTATING_POLICY,
            ..POLICY
        },
    ),
    (
        "admissionregistration/v1",
        "MutatingAdmissionPolicyBinding",
        "mutatingadmissionpolicybindings",
        CLUSTER,
        &Described {
            rules: validate_mutating_binding,
            table: policy_table::MUTATING_BINDING,
            ..POLICY
        },
    ),
    (
        "admissionregistration/v1",
        "ValidatingAdmissionPolicy",
        "validatingadmissionpolicies",
        CLUSTER,
        &Described {
            status: StatusPart::Alone,
            // `StatusREST.Update` passes on that an apply may create, unlike those of all other kinds.
            creates_on_status_apply: true,
            rules: validate_validating_policy,
            table: policy_table::VALIDATING_POLICY,
            ..POLICY
        },
    ),
    (
        "admissionregistration/v1",
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
        CLUSTER,
        &Described {
            rules: validate_validating_binding,
            table: policy_table::VALIDATING_BINDING,
            ..POLICY
        },
    ),
    (
        "apiregistration/v1",
        "APIService",
        "apiservices",
        CLUSTER,
        &API_SERVICE,
    ),
    (
        "apps/v1",
        "ControllerRevision",
        "controllerrevisions",
        NAMESPACED,
        &CONTROLLER_REVISION,
    ),
    (
        "autoscaling/v1",
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        NAMESPACED,
        &AUTOSCALER_V1,
    ),
    (
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        NAMESPACED,
        &AUTOSCALER,
    ),
    (
        "certificates/v1",
        "ClusterTrustBundle",
        "clustertrustbundles",
        CLUSTER,
        &CLUSTER_TRUST_BUNDLE,
    ),
    (
        "certificates/v1",
        "PodCertificateRequest",
        "podcertificaterequests",
        NAMESPACED,
        &POD_CERTIFICATE_REQUEST,
    ),
    (
        "flowcontrol/v1",
        "FlowSchema",
        "flowschemas",
        CLUSTER,
        &FLOW_SCHEMA,
    ),
    (
        "flowcontrol/v1",
        "PriorityLevelConfiguration",
        "prioritylevelconfigurations",
        CLUSTER,
        &PRIORITY_LEVEL,
    ),
    (
        "networking/v1",
        "IngressClass",
        "ingressclasses",
        CLUSTER,
        &INGRESS_CLASS,
    ),
    ("networking/v1", "Ingress", "ingresses", NAMESPACED, &INGRESS),
    ("networking/v1", "IPAddress", "ipaddresses", CLUSTER, &IP_ADDRESS),
    (
        "networking/v1",
        "NetworkPolicy",
        "networkpolicies",
        NAMESPACED,
        &NETWORK_POLICY,
    ),
    (
        "networking/v1",
        "ServiceCIDR",
        "servicecidrs",
        CLUSTER,
        &SERVICE_CIDR,
    ),
    (
        "node/v1",
        "RuntimeClass",
        "runtimeclasses",
        CLUSTER,
        &RUNTIME_CLASS,
    ),
    (
        "policy/v1",
        "PodDisruptionBudget",
        "poddisruptionbudgets",
        NAMESPACED,
        &POD_DISRUPTION_BUDGET,
    ),
    (
        "resource/v1",
        "DeviceClass",
        "deviceclasses",
        CLUSTER,
        &DEVICE_CLASS,
    ),
    (
        "resource/v1",
        "ResourceClaim",
        "resourceclaims",
        NAMESPACED,
        &ResourceClaim,
    ),
    (
        "resource/v1",
        "ResourceClaimTemplate",
        "resourceclaimtemplates",
        NAMESPACED,
        &ResourceClaimTemplate,
    ),
    (
        "scheduling/v1",
        "PriorityClass",
        "priorityclasses",
        CLUSTER,
        &PRIORITY_CLASS,
    ),
    ("storage/v1", "CSINode", "csinodes", CLUSTER, &CSI_NODE),
    (
        "storage/v1",
        "CSIStorageCapacity",
        "csistoragecapacities",
        NAMESPACED,
        &CSI_STORAGE_CAPACITY,
    ),
    (
        "storage/v1",
        "StorageClass",
        "storageclasses",
        CLUSTER,
        &STORAGE_CLASS,
    ),
    (
        "storage/v1",
        "VolumeAttachment",
        "volumeattachments",
        CLUSTER,
        &VOLUME_ATTACHMENT,
    ),
    (
        "storage/v1",
        "VolumeAttributesClass",
        "volumeattributesclasses",
        CLUSTER,
        &VOLUME_ATTRIBUTES_CLASS,
    ),
    (
        "storagemigration/v1",
        "StorageVersionMigration",
        "storageversionmigrations",
        CLUSTER,
        &STORAGE_VERSION_MIGRATION,
    ),
];
