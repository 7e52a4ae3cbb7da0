//! Where objects are stored: the one home of `/registry` and of what Kubernetes calls its resources there. Knows no store.

use std::fmt;
use std::ops::Deref;

use kindsmith_schema::Str;

/// Where everything is stored.
pub const ROOT: &str = "/registry/";

/// Where the objects of a resource are stored, with a slash at the end: `/registry/configmaps/`.
///
/// It borrows its text (`StorePrefix<&str>`, which is `Copy`) or owns it (`StorePrefix`).
#[derive(Clone, Copy)]
pub struct StorePrefix<T = Str>(T);

impl StorePrefix {
    /// Of a resource of the server itself. Those of Kubernetes have no group there, and some an older name
    /// (`SpecialDefaultResourcePrefixes` in pkg/kubeapiserver/default_storage_factory_builder.go).
    #[must_use]
    pub fn own(group: &str, resource: &str) -> Self {
        let mut known = KNOWN.iter();
        let known = known.find(|(in_group, name, _)| (*in_group, *name) == (group, resource));
        match known {
            Some((_, _, StorePrefix(prefix))) => StorePrefix((*prefix).into()),
            None if group.is_empty() || group.ends_with(".k8s.io") || !group.contains('.') => {
                StorePrefix(format!("{ROOT}{resource}/").into())
            }
            None => StorePrefix::custom(group, resource),
        }
    }

    /// Of a custom resource.
    #[must_use]
    pub fn custom(group: &str, resource: &str) -> Self {
        StorePrefix(format!("{ROOT}{group}/{resource}/").into())
    }
}

impl<T: AsRef<str>> StorePrefix<T> {
    /// The key of an object; the namespace is empty for cluster-scoped ones.
    #[must_use]
    pub fn key(&self, namespace: &str, name: &str) -> String {
        match namespace {
            "" => format!("{self}{name}"),
            namespace => format!("{self}{namespace}/{name}"),
        }
    }

    /// Where the objects of a namespace are, with a slash at the end; the prefix itself without one.
    #[must_use]
    pub fn within(&self, namespace: &str) -> String {
        match namespace {
            "" => self.to_string(),
            namespace => format!("{self}{namespace}/"),
        }
    }
}

/// A key as messages about storage show it, without the root: `/configmaps/default/a`.
#[must_use]
pub fn shown(key: &str) -> &str {
    key.strip_prefix(ROOT.trim_end_matches('/')).unwrap_or(key)
}

impl<T: AsRef<str>> Deref for StorePrefix<T> {
    type Target = str;

    fn deref(&self) -> &str {
        self.0.as_ref()
    }
}

impl<T: AsRef<str>> fmt::Display for StorePrefix<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self)
    }
}

impl<T: AsRef<str>> fmt::Debug for StorePrefix<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, out)
    }
}

impl<T: AsRef<str>, U: AsRef<str>> PartialEq<StorePrefix<U>> for StorePrefix<T> {
    fn eq(&self, other: &StorePrefix<U>) -> bool {
        **self == **other
    }
}

/// Makes the constants, and the list that [`StorePrefix::own`] looks into.
macro_rules! resources {
    ($($name:ident: $group:literal $resource:literal => $place:literal,)*) => {
        $(
            #[doc = concat!("Where `", $resource, "` are stored.")]
            pub const $name: StorePrefix<&'static str> = StorePrefix(concat!("/registry/", $place, "/"));
        )*
        const KNOWN: &[(&str, &str, StorePrefix<&'static str>)] = &[$(($group, $resource, $name),)*];
    };
}

resources! {
    CONFIG_MAPS: "" "configmaps" => "configmaps",
    ENDPOINTS: "" "endpoints" => "services/endpoints",
    EVENTS: "" "events" => "events",
    NAMESPACES: "" "namespaces" => "namespaces",
    NODES: "" "nodes" => "minions",
    PODS: "" "pods" => "pods",
    REPLICATION_CONTROLLERS: "" "replicationcontrollers" => "controllers",
    SECRETS: "" "secrets" => "secrets",
    SERVICE_ACCOUNTS: "" "serviceaccounts" => "serviceaccounts",
    SERVICES: "" "services" => "services/specs",
    MUTATING_POLICIES: "admissionregistration.k8s.io" "mutatingadmissionpolicies" => "mutatingadmissionpolicies",
    MUTATING_POLICY_BINDINGS: "admissionregistration.k8s.io" "mutatingadmissionpolicybindings"
        => "mutatingadmissionpolicybindings",
    MUTATING_WEBHOOKS: "admissionregistration.k8s.io" "mutatingwebhookconfigurations"
        => "mutatingwebhookconfigurations",
    VALIDATING_POLICIES: "admissionregistration.k8s.io" "validatingadmissionpolicies"
        => "validatingadmissionpolicies",
    VALIDATING_POLICY_BINDINGS: "admissionregistration.k8s.io" "validatingadmissionpolicybindings"
        => "validatingadmissionpolicybindings",
    VALIDATING_WEBHOOKS: "admissionregistration.k8s.io" "validatingwebhookconfigurations"
        => "validatingwebhookconfigurations",
    CUSTOM_RESOURCE_DEFINITIONS: "apiextensions.k8s.io" "customresourcedefinitions"
        => "apiextensions.k8s.io/customresourcedefinitions",
    API_SERVICES: "apiregistration.k8s.io" "apiservices" => "apiregistration.k8s.io/apiservices",
    LEASES: "coordination.k8s.io" "leases" => "leases",
    ENDPOINT_SLICES: "discovery.k8s.io" "endpointslices" => "endpointslices",
    INGRESSES: "networking.k8s.io" "ingresses" => "ingress",
    IP_ADDRESSES: "networking.k8s.io" "ipaddresses" => "ipaddresses",
    SERVICE_CIDRS: "networking.k8s.io" "servicecidrs" => "servicecidrs",
    CLUSTER_ROLE_BINDINGS: "rbac.authorization.k8s.io" "clusterrolebindings" => "clusterrolebindings",
    CLUSTER_ROLES: "rbac.authorization.k8s.io" "clusterroles" => "clusterroles",
    ROLE_BINDINGS: "rbac.authorization.k8s.io" "rolebindings" => "rolebindings",
    ROLES: "rbac.authorization.k8s.io" "roles" => "roles",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_of_kubernetes_have_no_group() {
        for (group, resource, expected) in [
            ("", "configmaps", "/registry/configmaps/"),
            ("apps", "deployments", "/registry/deployments/"),
            ("storage.k8s.io", "csinodes", "/registry/csinodes/"),
            ("", "nodes", "/registry/minions/"),
            ("", "services", "/registry/services/specs/"),
            (
                "apiregistration.k8s.io",
                "apiservices",
                "/registry/apiregistration.k8s.io/apiservices/",
            ),
            ("park.example.org", "gates", "/registry/park.example.org/gates/"),
        ] {
            assert_eq!(&*StorePrefix::own(group, resource), expected);
        }
        let custom = StorePrefix::custom("snapshot.storage.k8s.io", "volumesnapshots");
        assert_eq!(&*custom, "/registry/snapshot.storage.k8s.io/volumesnapshots/");
    }

    #[test]
    fn keys_of_objects() {
        assert_eq!(PODS.key("n", "a"), "/registry/pods/n/a");
        assert_eq!(NODES.key("", "a"), "/registry/minions/a");
        assert_eq!(PODS.within("n"), "/registry/pods/n/");
        assert_eq!(PODS.within(""), "/registry/pods/");
        assert_eq!(shown("/registry/pods/n/a"), "/pods/n/a");
    }
}
