//! The server's own kinds that have a strategy, one line each.

use super::{CLUSTER, Line, NAMESPACED};
use crate::Plain;
use crate::kind::own::{
    CertificateSigningRequest, ConfigMap, CronJob, CsiDriver, DaemonSet, Deployment, DeviceTaintRule,
    EndpointSlice, Event, Job, Lease, Namespace, Node, PersistentVolumeClaim, Pod, PodTemplate, ReplicaSet,
    ReplicationController, ResourceSlice, Review, Role, RoleBinding, Secret, Service, ServiceAccount,
    StatefulSet, WebhookConfiguration,
};

/// Kinds that are resources.
pub(super) const KINDS: &[Line] = &[
    ("core/v1", "ConfigMap", "configmaps", NAMESPACED, &ConfigMap),
    ("core/v1", "Event", "events", NAMESPACED, &Event),
    ("core/v1", "Namespace", "namespaces", CLUSTER, &Namespace),
    ("core/v1", "Node", "nodes", CLUSTER, &Node),
    (
        "core/v1",
        "PersistentVolumeClaim",
        "persistentvolumeclaims",
        NAMESPACED,
        &PersistentVolumeClaim,
    ),
    ("core/v1", "Pod", "pods", NAMESPACED, &Pod),
    ("core/v1", "PodTemplate", "podtemplates", NAMESPACED, &PodTemplate),
    (
        "core/v1",
        "ReplicationController",
        "replicationcontrollers",
        NAMESPACED,
        &ReplicationController,
    ),
    ("core/v1", "Secret", "secrets", NAMESPACED, &Secret),
    (
        "core/v1",
        "ServiceAccount",
        "serviceaccounts",
        NAMESPACED,
        &ServiceAccount,
    ),
    ("core/v1", "Service", "services", NAMESPACED, &Service),
    (
        "admissionregistration/v1",
        "MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        CLUSTER,
        &WebhookConfiguration,
    ),
    (
        "admissionregistration/v1",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        CLUSTER,
        &WebhookConfiguration,
    ),
    ("apps/v1", "DaemonSet", "daemonsets", NAMESPACED, &DaemonSet),
    ("apps/v1", "Deployment", "deployments", NAMESPACED, &Deployment),
    ("apps/v1", "ReplicaSet", "replicasets", NAMESPACED, &ReplicaSet),
    ("apps/v1", "StatefulSet", "statefulsets", NAMESPACED, &StatefulSet),
    (
        "authentication/v1",
        "SelfSubjectReview",
        "selfsubjectreviews",
        CLUSTER,
        &Review,
    ),
    (
        "authentication/v1",
        "TokenReview",
        "tokenreviews",
        CLUSTER,
        &Review,
    ),
    (
        "authorization/v1",
        "LocalSubjectAccessReview",
        "localsubjectaccessreviews",
        NAMESPACED,
        &Review,
    ),
    (
        "authorization/v1",
        "SelfSubjectAccessReview",
        "selfsubjectaccessreviews",
        CLUSTER,
        &Review,
    ),
    (
        "authorization/v1",
        "SelfSubjectRulesReview",
        "selfsubjectrulesreviews",
        CLUSTER,
        &Review,
    ),
    (
        "authorization/v1",
        "SubjectAccessReview",
        "subjectaccessreviews",
        CLUSTER,
        &Review,
    ),
    ("batch/v1", "CronJob", "cronjobs", NAMESPACED, &CronJob),
    ("batch/v1", "Job", "jobs", NAMESPACED, &Job),
    (
        "certificates/v1",
        "CertificateSigningRequest",
        "certificatesigningrequests",
        CLUSTER,
        &CertificateSigningRequest,
    ),
    ("coordination/v1", "Lease", "leases", NAMESPACED, &Lease),
    (
        "discovery/v1",
        "EndpointSlice",
        "endpointslices",
        NAMESPACED,
        &EndpointSlice,
    ),
    ("events/v1", "Event", "events", NAMESPACED, &Event),
    (
        "rbac/v1",
        "ClusterRoleBinding",
        "clusterrolebindings",
        CLUSTER,
        &RoleBinding,
    ),
    ("rbac/v1", "ClusterRole", "clusterroles", CLUSTER, &Role),
    ("rbac/v1", "RoleBinding", "rolebindings", NAMESPACED, &RoleBinding),
    ("rbac/v1", "Role", "roles", NAMESPACED, &Role),
    (
        "resource/v1",
        "DeviceTaintRule",
        "devicetaintrules",
        CLUSTER,
        &DeviceTaintRule,
    ),
    (
        "resource/v1",
        "ResourceSlice",
        "resourceslices",
        CLUSTER,
        &ResourceSlice,
    ),
    ("storage/v1", "CSIDriver", "csidrivers", CLUSTER, &CsiDriver),
];

/// Kinds that are not resources: bodies of subresources.
pub(super) const PARTS: &[Line] = &[
    ("autoscaling/v1", "Scale", "scales", NAMESPACED, &Plain),
    (
        "authentication/v1",
        "TokenRequest",
        "tokenrequests",
        NAMESPACED,
        &Review,
    ),
];
