//! The kinds that are served: the server's own, and those of other packages.

mod types;

use std::sync::{Arc, OnceLock};

use kindsmith_object::meta::Scope;
use kindsmith_schema::{Schema, TypeName};

use crate::kind::own::{
    CertificateSigningRequest, ConfigMap, Deployment, Event, Lease, Namespace, PodTemplate,
    ReplicationController, Review, Role, RoleBinding, Secret, Service, ServiceAccount, WebhookConfiguration,
};
use crate::{Kind, Names, Plain, Strategy};

pub use types::kinds_of;

/// A kind of the server's own: package, type, resource, scope, strategy.
type Line = (
    &'static str,
    &'static str,
    &'static str,
    Scope,
    &'static dyn Strategy,
);

const CLUSTER: Scope = Scope::Cluster;
const NAMESPACED: Scope = Scope::Namespaced;

/// The server's own kinds, one line each.
const KINDS: &[Line] = &[
    ("core/v1", "ConfigMap", "configmaps", NAMESPACED, &ConfigMap),
    ("core/v1", "Event", "events", NAMESPACED, &Event),
    ("core/v1", "Namespace", "namespaces", CLUSTER, &Namespace),
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
    ("apps/v1", "Deployment", "deployments", NAMESPACED, &Deployment),
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
    (
        "certificates/v1",
        "CertificateSigningRequest",
        "certificatesigningrequests",
        CLUSTER,
        &CertificateSigningRequest,
    ),
    ("coordination/v1", "Lease", "leases", NAMESPACED, &Lease),
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
];

/// Kinds that are no resources: what subresources send and answer.
const PARTS: &[Line] = &[
    ("autoscaling/v1", "Scale", "scales", NAMESPACED, &Plain),
    (
        "authentication/v1",
        "TokenRequest",
        "tokenrequests",
        NAMESPACED,
        &Review,
    ),
];

/// The server's own kinds, sorted by group and resource. Their types are read on the first call.
#[must_use]
pub fn own_kinds() -> &'static [Arc<Kind>] {
    static OWN: OnceLock<Vec<Arc<Kind>>> = OnceLock::new();
    OWN.get_or_init(|| make(KINDS))
}

/// A kind of the server's own, those included that are no resources.
#[must_use]
pub fn find_own(group: &str, version: &str, kind: &str) -> Option<&'static Arc<Kind>> {
    static PART: OnceLock<Vec<Arc<Kind>>> = OnceLock::new();
    let parts = PART.get_or_init(|| make(PARTS));
    own_kinds().iter().chain(parts).find(|known| {
        let names = &known.names;
        *names.kind == *kind && *names.group == *group && *names.version == *version
    })
}

fn make(lines: &[Line]) -> Vec<Arc<Kind>> {
    let schema = crate::types::own_schema();
    let mut kinds: Vec<Arc<Kind>> = lines
        .iter()
        .filter_map(|line| own(schema, line).map(Arc::new))
        .collect();
    kinds.sort_by(|left, right| {
        let key = |kind: &Kind| (kind.names.group.clone(), kind.names.plural.clone());
        key(left).cmp(&key(right))
    });
    kinds
}

fn own(schema: &Arc<Schema>, &(package, kind, plural, scope, strategy): &Line) -> Option<Kind> {
    let path = format!("k8s.io/api/{package}");
    let ty = schema.find(&TypeName::new(&*path, kind))?;
    let group = schema.package(&path)?.group.clone().unwrap_or_default();
    let names = Names {
        group,
        version: "v1".into(),
        kind: kind.into(),
        list_kind: format!("{kind}List").into(),
        plural: plural.into(),
        singular: kind.to_lowercase().into(),
        short_names: strategy.short_names().iter().map(|&name| name.into()).collect(),
        categories: strategy.categories().iter().map(|&name| name.into()).collect(),
    };
    Some(Kind::new(names, scope, Arc::clone(schema), ty, strategy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_kind() {
        assert_eq!(own_kinds().len(), KINDS.len());
        assert!(find_own("autoscaling", "v1", "Scale").is_some());
        assert!(find_own("authentication.k8s.io", "v1", "TokenRequest").is_some());
        assert!(find_own("", "v1", "Nothing").is_none());
    }
}
