//! What a pass needs of a cluster. Implemented by kube-rs for real ones.

use std::fmt;
use std::future::Future;

use crate::Json;

/// Which object is meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ObjectRef {
    /// `GROUP/VERSION`, or `v1`.
    pub api_version: String,
    /// Kind, for messages.
    pub kind: String,
    /// Name of the resource in paths.
    pub plural: String,
    /// Namespace; empty for objects without.
    pub namespace: String,
    /// Name.
    pub name: String,
}

impl ObjectRef {
    /// The path of the object in the API.
    #[must_use]
    pub fn path(&self) -> String {
        let root = match self.api_version.contains('/') {
            true => "apis",
            false => "api",
        };
        let namespace = match self.namespace.is_empty() {
            true => String::new(),
            false => format!("/namespaces/{}", self.namespace),
        };
        format!(
            "/{root}/{}{namespace}/{}/{}",
            self.api_version, self.plural, self.name
        )
    }
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}/{}", self.kind, self.namespace, self.name)
    }
}

/// Why the cluster did not do something.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClusterError {
    /// The object has changed in the meantime.
    Conflict(String),
    /// The object is gone.
    Gone,
    /// Anything else.
    Failed(String),
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(text) | Self::Failed(text) => f.write_str(text),
            Self::Gone => f.write_str("the object is gone"),
        }
    }
}

impl std::error::Error for ClusterError {}

/// A cluster's API.
pub trait Cluster: Send + Sync {
    /// Reads an object; `None` if there is none.
    fn get(&self, what: &ObjectRef) -> impl Future<Output = Result<Option<Json>, ClusterError>> + Send;
    /// Patches an object, or its status, with a merge patch.
    fn patch(
        &self,
        what: &ObjectRef,
        status: bool,
        patch: &Json,
    ) -> impl Future<Output = Result<Json, ClusterError>> + Send;
    /// Creates an object.
    fn create(
        &self,
        what: &ObjectRef,
        object: &Json,
    ) -> impl Future<Output = Result<Json, ClusterError>> + Send;
    /// Records an event. One that gets lost is no error.
    fn event(
        &self,
        object: &Json,
        warning: bool,
        reason: &str,
        message: &str,
    ) -> impl Future<Output = ()> + Send;
}
