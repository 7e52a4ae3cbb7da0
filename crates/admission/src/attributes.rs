//! The attributes of a request (`admission.Attributes` in apiserver's pkg/admission).

use kindsmith_cel::access;
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

impl Gvk {
    /// As Go prints it: `apps/v1, Kind=Deployment`.
    pub(crate) fn text(&self) -> String {
        let group = match &*self.group {
            "" => String::new(),
            group => format!("{group}/"),
        };
        format!("{group}{}, Kind={}", self.version, self.kind)
    }
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

    /// The resource of the request, for an authorizer.
    pub(crate) fn access(&self) -> access::Resource {
        access::Resource {
            group: self.resource.group.clone(),
            resource: self.resource.resource.clone(),
            subresource: self.subresource.clone(),
            namespace: self.namespace.clone(),
            name: self.name.clone(),
        }
    }

    /// The name in answers: one that is not known yet is that which it will be made of.
    pub(crate) fn shown_name(&self) -> &str {
        if !self.name.is_empty() {
            return &self.name;
        }
        let text = |key: &str| {
            let found = self.object.and_then(|object| object.lookup(&["metadata", key]));
            found.and_then(Value::as_str).filter(|text| !text.is_empty())
        };
        text("name").or(text("generateName")).unwrap_or("Unknown")
    }
}
