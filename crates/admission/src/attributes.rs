//! The attributes of a request (`admission.Attributes` in apiserver's pkg/admission).

use kindsmith_json::Value;
use kindsmith_request::AdmissionOperation;

/// A kind in a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gvk {
    /// The API group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
}

/// A resource in a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gvr {
    /// The API group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The resource: `configmaps`.
    pub resource: String,
}

/// Another resource that serves the same objects, with its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equivalent {
    /// The resource.
    pub resource: Gvr,
    /// The kind.
    pub kind: Gvk,
}

/// A request as admission sees it.
#[derive(Debug, Clone)]
pub struct Attributes<'a> {
    /// The operation.
    pub operation: AdmissionOperation,
    /// The kind of the object.
    pub kind: Gvk,
    /// The resource of the URL.
    pub resource: Gvr,
    /// The subresource; empty for the object itself.
    pub subresource: String,
    /// The name; empty if it is not known yet.
    pub name: String,
    /// The namespace; that of a `Namespace` is its own name.
    pub namespace: String,
    /// The user: an `authentication.k8s.io/v1` `UserInfo`.
    pub user: Value<'a>,
    /// The options of the request.
    pub options: Value<'a>,
    /// Whether it is a dry run.
    pub is_dry_run: bool,
    /// The new object; `None` for a deletion.
    pub object: Option<Value<'a>>,
    /// The stored object; `None` for a creation.
    pub old: Option<Value<'a>>,
}

impl Attributes<'_> {
    /// Whether the request is about a `Namespace`.
    pub(crate) fn is_namespace(&self) -> bool {
        self.resource.group.is_empty() && self.resource.resource == "namespaces"
    }
}
