//! What a pass needs from a cluster. `KubeCluster` is a real one.

use std::fmt;
use std::future::Future;

use crate::Json;

/// The annotation with the project, on an object or its namespace.
pub(crate) const PROJECT: &str = "cnrm.cloud.google.com/project-id";

/// A reference to an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ObjectRef {
    /// `GROUP/VERSION`, or `v1`.
    pub api_version: String,
    /// The kind, for messages.
    pub kind: String,
    /// The plural name in paths.
    pub plural: String,
    /// The namespace; empty for cluster-scoped objects.
    pub namespace: String,
    /// Name.
    pub name: String,
}

impl ObjectRef {
    /// The path of the object in the API.
    #[must_use]
    pub fn path(&self) -> String {
        let root = if self.api_version.contains('/') {
            "apis"
        } else {
            "api"
        };
        let namespace = if self.namespace.is_empty() {
            String::new()
        } else {
            format!("/namespaces/{}", self.namespace)
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

/// Why a request to the cluster failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClusterError {
    /// The object has changed meanwhile.
    Conflict(String),
    /// The object does not exist.
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
    /// Reads an object; `None` if it does not exist.
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
    /// Records an event. Losing one is not an error.
    fn event(
        &self,
        object: &Json,
        warning: bool,
        reason: &str,
        message: &str,
    ) -> impl Future<Output = ()> + Send;
}
