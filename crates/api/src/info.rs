//! What a request is about, told from method, path and query alone (`RequestInfoFactory` in apiserver's
//! pkg/endpoints/request/requestinfo.go).

/// What a request is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestInfo {
    /// Whether it is about a resource rather than some other path.
    pub is_resource: bool,
    /// The path as it was sent.
    pub path: String,
    /// The verb of the API: `list`; for other paths the method in lower case.
    pub verb: String,
    /// `api` or `apis`.
    pub prefix: String,
    /// The API group; empty for the core group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The namespace; empty for none or all.
    pub namespace: String,
    /// The resource: `configmaps`.
    pub resource: String,
    /// The subresource: `status`.
    pub subresource: String,
    /// The name of the object; empty for none.
    pub name: String,
    /// All parts of the path behind the namespace: resource, name, subresource and what follows.
    pub parts: Vec<String>,
}
