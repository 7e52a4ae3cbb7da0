//! Which kinds a deletion answers with the deleted object instead of a `Status` (`ReturnDeletedObject` in the storages below
//! pkg/registry).

use crate::Kind;

/// Group and resource. The deletion of a namespace is its own and answers with it, too.
const RETURNED: [(&str, &str); 17] = [
    ("", "namespaces"),
    ("", "persistentvolumeclaims"),
    ("", "persistentvolumes"),
    ("", "pods"),
    ("", "podtemplates"),
    ("", "resourcequotas"),
    ("", "serviceaccounts"),
    ("", "services"),
    ("resource.k8s.io", "deviceclasses"),
    ("resource.k8s.io", "resourceclaims"),
    ("resource.k8s.io", "resourceclaimtemplates"),
    ("resource.k8s.io", "resourceslices"),
    ("storage.k8s.io", "csidrivers"),
    ("storage.k8s.io", "csinodes"),
    ("storage.k8s.io", "storageclasses"),
    ("storage.k8s.io", "volumeattachments"),
    ("storage.k8s.io", "volumeattributesclasses"),
];

impl Kind {
    /// Whether a deletion returns the object instead of a `Status`.
    #[must_use]
    pub fn returns_deleted_object(&self) -> bool {
        RETURNED.contains(&(&*self.names.group, &*self.names.plural))
    }

    /// Whether OpenAPI documents say so. They do not of namespaces.
    #[must_use]
    pub fn publishes_deleted_object(&self) -> bool {
        self.returns_deleted_object() && *self.names.plural != *"namespaces"
    }
}
