//! The server's own kinds without a strategy: their settings, from the strategies in Kubernetes' pkg/registry and from
//! its discovery.

use kindsmith_object::meta::NameRule;

use super::{CLUSTER, Line, NAMESPACED};
use crate::kind::own::{
    DEPRECATION, Described, StatusPart, default_autoscaler, default_flow_schema, default_limit_range,
    default_network_policy, default_priority_level, default_resource_claim, default_resource_claim_template,
    endpoints_warnings, ingress_warnings, network_policy_warnings, runtime_class_warnings,
    storage_class_warnings, validate_attributes_class, validate_autoscaler, validate_csi_node,
    validate_disruption_budget, validate_endpoints, validate_flow_schema, validate_ingress,
    validate_ingress_class, validate_ip_address, validate_limit_range, validate_network_policy,
    validate_priority_class, validate_priority_level, validate_resource_quota, validate_runtime_class,
    validate_service_cidr, validate_storage_capacity, validate_storage_class, validate_volume_attachment,
};

/// Admission policies and their bindings.
const POLICY: Described = Described {
    categories: &["api-extensions"],
    allows_unconditional_update: false,
    checks_finalizers: false,
    ..Described::SPEC
};

/// One line each.
pub(super) const KINDS: &[Line] = &[
    (
        "core/v1",
        "Endpoints",
        "endpoints",
        NAMESPACED,
        &Described {
            short_names: &["ep"],
            creates_on_update: true,
            rules: validate_endpoints,
            deprecation: Some(DEPRECATION),
            warns: endpoints_warnings,
            ..Described::PLAIN
        },
    ),
    (
        "core/v1",
        "LimitRange",
        "limitranges",
        NAMESPACED,
        &Described {
            short_names: &["limits"],
            creates_on_update: true,
            default: default_limit_range,
            rules: validate_limit_range,
            ..Described::PLAIN
        },
    ),
    (
        "core/v1",
        "ResourceQuota",
        "resourcequotas",
        NAMESPACED,
        &Described {
            short_names: &["quota"],
            starts_at_one: false,
            watched: &[],
            rules: validate_resource_quota,
            ..Described::STATUS
        },
    ),
    (
        "admissionregistration/v1",
        "MutatingAdmissionPolicy",
        "mutatingadmissionpolicies",
        CLUSTER,
        &POLICY,
    ),
    (
        "admissionregistration/v1",
        "MutatingAdmissionPolicyBinding",
        "mutatingadmissionpolicybindings",
        CLUSTER,
        &POLICY,
    ),
    (
        "admissionregistration/v1",
        "ValidatingAdmissionPolicy",
        "validatingadmissionpolicies",
        CLUSTER,
        &Described {
            status: StatusPart::Alone,
            ..POLICY
        },
    ),
    (
        "admissionregistration/v1",
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
        CLUSTER,
        &POLICY,
    ),
    (
        "apiregistration/v1",
        "APIService",
        "apiservices",
        CLUSTER,
        &Described {
            categories: &["api-extensions"],
            status: StatusPart::Alone,
            starts_at_one: false,
            watched: &[],
            allows_unconditional_update: false,
            ..Described::STATUS
        },
    ),
    (
        "apps/v1",
        "ControllerRevision",
        "controllerrevisions",
        NAMESPACED,
        &Described::PLAIN,
    ),
    (
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        NAMESPACED,
        &Described {
            short_names: &["hpa"],
            categories: &["all"],
            options: &[("HPAScaleToZero", true)],
            default: default_autoscaler,
            rules: validate_autoscaler,
            ..Described::STATUS
        },
    ),
    (
        "certificates/v1",
        "ClusterTrustBundle",
        "clustertrustbundles",
        CLUSTER,
        &Described {
            allows_unconditional_update: false,
            ..Described::PLAIN
        },
    ),
    (
        "certificates/v1",
        "PodCertificateRequest",
        "podcertificaterequests",
        NAMESPACED,
        &Described {
            status: StatusPart::Alone,
            starts_at_one: false,
            watched: &[],
            allows_unconditional_update: false,
            ..Described::STATUS
        },
    ),
    (
        "flowcontrol/v1",
        "FlowSchema",
        "flowschemas",
        CLUSTER,
        &Described {
            status: StatusPart::Alone,
            default: default_flow_schema,
            rules: validate_flow_schema,
            ..Described::STATUS
        },
    ),
    (
        "flowcontrol/v1",
        "PriorityLevelConfiguration",
        "prioritylevelconfigurations",
        CLUSTER,
        &Described {
            status: StatusPart::Alone,
            default: default_priority_level,
            rules: validate_priority_level,
            ..Described::STATUS
        },
    ),
    (
        "networking/v1",
        "IngressClass",
        "ingressclasses",
        CLUSTER,
        &Described {
            rules: validate_ingress_class,
            ..Described::SPEC
        },
    ),
    (
        "networking/v1",
        "Ingress",
        "ingresses",
        NAMESPACED,
        &Described {
            short_names: &["ing"],
            rules: validate_ingress,
            warns: ingress_warnings,
            ..Described::STATUS
        },
    ),
    (
        "networking/v1",
        "IPAddress",
        "ipaddresses",
        CLUSTER,
        &Described {
            short_names: &["ip"],
            rules: validate_ip_address,
            name_rule: NameRule::IpAddress,
            ..Described::PLAIN
        },
    ),
    (
        "networking/v1",
        "NetworkPolicy",
        "networkpolicies",
        NAMESPACED,
        &Described {
            short_names: &["netpol"],
            default: default_network_policy,
            rules: validate_network_policy,
            warns: network_policy_warnings,
            ..Described::SPEC
        },
    ),
    (
        "networking/v1",
        "ServiceCIDR",
        "servicecidrs",
        CLUSTER,
        &Described {
            status: StatusPart::Alone,
            starts_at_one: false,
            watched: &[],
            rules: validate_service_cidr,
            ..Described::STATUS
        },
    ),
    (
        "node/v1",
        "RuntimeClass",
        "runtimeclasses",
        CLUSTER,
        &Described {
            creates_on_update: true,
            allows_unconditional_update: false,
            checks_finalizers: false,
            rules: validate_runtime_class,
            warns: runtime_class_warnings,
            ..Described::PLAIN
        },
    ),
    (
        "policy/v1",
        "PodDisruptionBudget",
        "poddisruptionbudgets",
        NAMESPACED,
        &Described {
            short_names: &["pdb"],
            allows_unconditional_update: false,
            name_rule: NameRule::PathSegment,
            checks_finalizers: false,
            rules: validate_disruption_budget,
            ..Described::STATUS
        },
    ),
    (
        "resource/v1",
        "DeviceClass",
        "deviceclasses",
        CLUSTER,
        &Described::SPEC,
    ),
    (
        "resource/v1",
        "ResourceClaim",
        "resourceclaims",
        NAMESPACED,
        &Described {
            status: StatusPart::Alone,
            starts_at_one: false,
            watched: &[],
            default: default_resource_claim,
            ..Described::STATUS
        },
    ),
    (
        "resource/v1",
        "ResourceClaimTemplate",
        "resourceclaimtemplates",
        NAMESPACED,
        &Described {
            default: default_resource_claim_template,
            ..Described::PLAIN
        },
    ),
    (
        "scheduling/v1",
        "PriorityClass",
        "priorityclasses",
        CLUSTER,
        &Described {
            short_names: &["pc"],
            starts_at_one: true,
            rules: validate_priority_class,
            ..Described::PLAIN
        },
    ),
    (
        "storage/v1",
        "CSINode",
        "csinodes",
        CLUSTER,
        &Described {
            status: StatusPart::Alone,
            starts_at_one: false,
            watched: &[],
            allows_unconditional_update: false,
            rules: validate_csi_node,
            ..Described::STATUS
        },
    ),
    (
        "storage/v1",
        "CSIStorageCapacity",
        "csistoragecapacities",
        NAMESPACED,
        &Described {
            allows_unconditional_update: false,
            rules: validate_storage_capacity,
            ..Described::PLAIN
        },
    ),
    (
        "storage/v1",
        "StorageClass",
        "storageclasses",
        CLUSTER,
        &Described {
            short_names: &["sc"],
            rules: validate_storage_class,
            warns: storage_class_warnings,
            ..Described::PLAIN
        },
    ),
    (
        "storage/v1",
        "VolumeAttachment",
        "volumeattachments",
        CLUSTER,
        &Described {
            status: StatusPart::Alone,
            starts_at_one: false,
            watched: &[],
            allows_unconditional_update: false,
            rules: validate_volume_attachment,
            ..Described::STATUS
        },
    ),
    (
        "storage/v1",
        "VolumeAttributesClass",
        "volumeattributesclasses",
        CLUSTER,
        &Described {
            short_names: &["vac"],
            rules: validate_attributes_class,
            protection: Some("kubernetes.io/vac-protection"),
            ..Described::PLAIN
        },
    ),
    (
        "storagemigration/v1",
        "StorageVersionMigration",
        "storageversionmigrations",
        CLUSTER,
        &Described {
            status: StatusPart::Alone,
            starts_at_one: false,
            watched: &[],
            allows_unconditional_update: false,
            ..Described::STATUS
        },
    ),
];
