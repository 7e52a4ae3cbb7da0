//! The objects of a cluster, from files: what they refer to is found among them.

use std::collections::BTreeMap;
use std::future::Future as _;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::Json;
use crate::cluster::{Cluster, ClusterError, ObjectRef, PROJECT};
use crate::kind::Kind;
use crate::resolve::{Unresolved, members, resolve};

/// Objects of a cluster.
#[derive(Debug, Default)]
pub struct Inventory {
    /// By kind, namespace and name.
    objects: BTreeMap<(String, String, String), Json>,
}

/// The reference to an object.
pub(super) fn reference(object: &Json) -> ObjectRef {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    ObjectRef {
        api_version: text(&object["apiVersion"]),
        kind: text(&object["kind"]),
        plural: String::new(),
        namespace: text(&object["metadata"]["namespace"]),
        name: text(&object["metadata"]["name"]),
    }
}

impl Inventory {
    /// Adds an object, or the items of a list.
    pub fn add(&mut self, object: Json) {
        if object["kind"].as_str().is_some_and(|kind| kind.ends_with("List")) && object["items"].is_array() {
            let items = object["items"].as_array().cloned().unwrap_or_default();
            return items.into_iter().for_each(|item| self.add(item));
        }
        let what = reference(&object);
        self.objects
            .insert((what.kind, what.namespace, what.name), object);
    }

    /// All objects that a controller could look after: those of custom resources.
    pub fn candidates(&self) -> impl Iterator<Item = &Json> {
        self.objects.values().filter(|object| {
            let group = object["apiVersion"].as_str().unwrap_or_default();
            let is_own = group.starts_with("core.cnrm.") || group.starts_with("customize.core.cnrm.");
            group.contains('.') && !group.contains("k8s.io/") && !is_own
        })
    }

    /// The project of an object: from its annotation, from its namespace's, or the namespace's name.
    pub(super) fn project(&self, object: &Json) -> String {
        let annotation = |object: &Json| {
            object["metadata"]["annotations"][PROJECT]
                .as_str()
                .map(str::to_owned)
        };
        let namespace = object["metadata"]["namespace"].as_str().unwrap_or("default");
        let key = ("Namespace".to_owned(), String::new(), namespace.to_owned());
        let of_namespace = || self.objects.get(&key).and_then(annotation);
        annotation(object)
            .or_else(of_namespace)
            .unwrap_or_else(|| namespace.to_owned())
    }

    /// Resolves references, as a controller would; the error is why it would wait.
    pub(super) fn resolve(&self, kind: &Kind, object: &Json, project: &str) -> Result<Json, String> {
        let mut object = object.clone();
        let namespace = object["metadata"]["namespace"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        for path in kind.rest.secrets {
            for value in members(&mut object["spec"], path) {
                let name = value["valueFrom"]["secretKeyRef"]["name"]
                    .as_str()
                    .unwrap_or_default();
                let key = ("Secret".to_owned(), namespace.clone(), name.to_owned());
                // Secrets are rarely exported; that one is not there means nothing.
                if value.get("value").is_none() && !self.objects.contains_key(&key) {
                    *value = serde_json::json!({ "value": "SECRET" });
                }
            }
        }
        let resolving = pin!(resolve(self, kind, &object, project));
        // Nothing here waits.
        match resolving.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(resolved)) => Ok(resolved.object),
            Poll::Ready(Err(Unresolved::Waiting(condition))) => Err(condition.message),
            Poll::Ready(Err(Unresolved::Failed(error))) => Err(error.to_string()),
            Poll::Pending => Err("a reference cannot be resolved offline".to_owned()),
        }
    }
}

impl Cluster for Inventory {
    async fn get(&self, what: &ObjectRef) -> Result<Option<Json>, ClusterError> {
        let key = (what.kind.clone(), what.namespace.clone(), what.name.clone());
        Ok(self.objects.get(&key).cloned())
    }

    async fn patch(&self, _: &ObjectRef, _: bool, _: &Json) -> Result<Json, ClusterError> {
        Err(ClusterError::Failed("an inventory is not changed".to_owned()))
    }

    async fn create(&self, _: &ObjectRef, _: &Json) -> Result<Json, ClusterError> {
        Err(ClusterError::Failed("an inventory is not changed".to_owned()))
    }

    async fn event(&self, _: &Json, _: bool, _: &str, _: &str) {}
}
