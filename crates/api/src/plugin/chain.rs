//! The plugins that act on writes, in kube-apiserver's order. Those of pods in `builtin` act between the first ones and the
//! later ones.

use kindsmith_builtin::pod_admission::Lookup as _;
use kindsmith_json::{Arena, Value};
use kindsmith_request::{AdmissionRequest, Status};

use super::{
    always_deny, always_pull_images, anti_affinity, certificate_request, claim_resize, default_class,
    event_rate_limit, extended_resource, external_ips, image_policy, limit_ranger, namespace, node_features,
    node_restriction, node_selector, owner_references, pod_resize, resource_quota, subject_restriction,
    toleration_restriction, topology_labels, trust_bundle,
};
use crate::verb::Call;
use crate::write::lookup::StoreLookup;

/// A write, as plugins see it.
pub(crate) struct Review<'c, 'r, 'a> {
    pub(super) call: &'c Call<'c>,
    pub(super) arena: &'a Arena,
    pub(super) request: &'r AdmissionRequest<'r, 'a>,
}

/// Why a plugin refuses a write.
#[derive(Debug)]
pub(super) enum Refusal {
    /// 403 with this reason.
    Forbidden(String),
    /// Another answer.
    Other(Box<Status>),
}

type Mutate = for<'c, 'r, 'a> fn(&Review<'c, 'r, 'a>, Value<'a>) -> Result<Value<'a>, Refusal>;
type Validate = for<'c, 'r, 'a> fn(&Review<'c, 'r, 'a>, Value<'a>) -> Result<(), Refusal>;

/// When a plugin acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Before those that look at pods only.
    First,
    /// After them, before policies and webhooks.
    Later,
    /// After all others.
    Last,
}

const MUTATING: &[(&str, Turn, Mutate)] = &[
    ("NamespaceAutoProvision", Turn::First, namespace::provide),
    ("LimitRanger", Turn::First, limit_ranger::mutate),
    ("NodeRestriction", Turn::Later, node_restriction::mutate),
    ("AlwaysPullImages", Turn::Later, always_pull_images::mutate),
    ("PodNodeSelector", Turn::Later, node_selector::mutate),
    (
        "PodTolerationRestriction",
        Turn::Later,
        toleration_restriction::mutate,
    ),
    (
        "ExtendedResourceToleration",
        Turn::Later,
        extended_resource::mutate,
    ),
    ("DefaultStorageClass", Turn::Later, default_class::storage),
    ("DefaultIngressClass", Turn::Later, default_class::ingress),
    ("PodTopologyLabels", Turn::Later, topology_labels::mutate),
];

const VALIDATING: &[(&str, Turn, Validate)] = &[
    ("NamespaceExists", Turn::First, namespace::check),
    (
        "LimitPodHardAntiAffinityTopology",
        Turn::First,
        anti_affinity::validate,
    ),
    ("LimitRanger", Turn::First, limit_ranger::validate),
    ("AlwaysPullImages", Turn::First, always_pull_images::validate),
    ("ImagePolicyWebhook", Turn::First, image_policy::validate),
    ("PodNodeSelector", Turn::First, node_selector::validate),
    (
        "PodTolerationRestriction",
        Turn::Later,
        toleration_restriction::validate,
    ),
    ("EventRateLimit", Turn::Later, event_rate_limit::validate),
    (
        "OwnerReferencesPermissionEnforcement",
        Turn::Later,
        owner_references::validate,
    ),
    ("PersistentVolumeClaimResize", Turn::Later, claim_resize::validate),
    (
        "CertificateApproval",
        Turn::Later,
        certificate_request::check_approval,
    ),
    (
        "CertificateSigning",
        Turn::Later,
        certificate_request::check_signing,
    ),
    ("ClusterTrustBundleAttest", Turn::Later, trust_bundle::validate),
    (
        "CertificateSubjectRestriction",
        Turn::Later,
        subject_restriction::validate,
    ),
    ("DenyServiceExternalIPs", Turn::Later, external_ips::validate),
    (
        "NodeDeclaredFeatureValidator",
        Turn::Later,
        node_features::validate,
    ),
    ("PodResizeValidator", Turn::Later, pod_resize::validate),
    ("ResourceQuota", Turn::Last, resource_quota::validate),
    ("AlwaysDeny", Turn::Last, always_deny::validate),
];

impl<'c, 'r, 'a> Review<'c, 'r, 'a> {
    pub(crate) fn new(call: &'c Call<'c>, arena: &'a Arena, request: &'r AdmissionRequest<'r, 'a>) -> Self {
        Review { call, arena, request }
    }

    /// Lets the plugins of a turn change an object.
    pub(crate) fn mutate(&self, turn: Turn, object: Value<'a>) -> Result<Value<'a>, Status> {
        let mut object = object;
        for (name, _, mutate) in MUTATING.iter().filter(|(_, own, _)| *own == turn) {
            if self.is_on(name) {
                object = mutate(self, object).map_err(|refusal| self.status(refusal, object))?;
            }
        }
        Ok(object)
    }

    /// Lets the plugins of a turn judge an object.
    pub(crate) fn validate(&self, turn: Turn, object: Value<'a>) -> Result<(), Status> {
        for (name, _, validate) in VALIDATING.iter().filter(|(_, own, _)| *own == turn) {
            if self.is_on(name) {
                validate(self, object).map_err(|refusal| self.status(refusal, object))?;
            }
        }
        Ok(())
    }

    fn status(&self, refusal: Refusal, object: Value<'a>) -> Status {
        match refusal {
            Refusal::Forbidden(why) => self.request.forbidden(object, &why),
            Refusal::Other(status) => *status,
        }
    }

    fn is_on(&self, plugin: &str) -> bool {
        self.call.api.options().plugins.is_on(plugin)
    }

    /// Whether the write is about this resource and subresource.
    pub(super) fn is_of(&self, group: &str, resource: &str, subresource: &str) -> bool {
        let request = self.request;
        (request.group, request.resource, request.subresource) == (group, resource, subresource)
    }

    fn lookup(&self) -> StoreLookup<'c, 'a> {
        StoreLookup::new(self.call, self.arena)
    }

    /// A stored object; the namespace is empty for those that live in none.
    pub(super) fn find(&self, group: &str, resource: &str, namespace: &str, name: &str) -> Option<Value<'a>> {
        self.lookup().find(group, resource, namespace, name)
    }

    /// All objects of a resource in the namespace of the write.
    pub(super) fn all(&self, group: &str, resource: &str) -> Vec<Value<'a>> {
        self.lookup().all(group, resource, self.request.namespace)
    }

    /// All objects of a resource that lives in no namespace.
    pub(super) fn all_of_cluster(&self, group: &str, resource: &str) -> Vec<Value<'a>> {
        self.lookup().all(group, resource, "")
    }
}
