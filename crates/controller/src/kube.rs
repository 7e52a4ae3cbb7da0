//! A real cluster, through kube-rs.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use futures::StreamExt as _;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::{ApiResource, DynamicObject, GroupVersionKind};
use kube::core::PartialObjectMeta;
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client};
use tokio::sync::mpsc;

use crate::Json;
use crate::cluster::{Cluster, ClusterError, ObjectRef};
use crate::dependents::Dependents;
use crate::kind::Kind;
use crate::queue::Key;
use crate::run::{Log, timestamp};

/// The field manager of the controllers.
const MANAGER: &str = "kindsmith-controller";

/// A cluster from a kubeconfig or a service account.
#[derive(Clone)]
pub struct KubeCluster(pub Client);

impl KubeCluster {
    /// Connects to the cluster of the kubeconfig, or to the one this runs in.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub async fn connect() -> Result<Self, ClusterError> {
        let client = Client::try_default().await;
        client
            .map(KubeCluster)
            .map_err(|error| ClusterError::Failed(error.to_string()))
    }

    /// Connects to the cluster of a kubeconfig.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub async fn of_file(file: &std::path::Path) -> Result<Self, ClusterError> {
        let failed = |error: &dyn std::fmt::Display| ClusterError::Failed(error.to_string());
        let file = kube::config::Kubeconfig::read_from(file).map_err(|error| failed(&error))?;
        let options = kube::config::KubeConfigOptions::default();
        let config = kube::Config::from_custom_kubeconfig(file, &options).await;
        let client = Client::try_from(config.map_err(|error| failed(&error))?);
        client.map(KubeCluster).map_err(|error| failed(&error))
    }

    /// All objects of a kind; none if the cluster does not have the kind.
    ///
    /// # Errors
    /// If the cluster does not answer.
    pub async fn list(&self, api_version: &str, plural: &str) -> Result<Vec<Json>, ClusterError> {
        let root = if api_version.contains('/') { "apis" } else { "api" };
        let mut found = Vec::new();
        let mut next = String::new();
        loop {
            let path = format!("/{root}/{api_version}/{plural}?limit=500{next}");
            let list = match self.send("GET", &path, "application/json", Vec::new()).await {
                Ok(list) => list,
                Err(kube::Error::Api(status)) if status.code == 404 => return Ok(found),
                Err(error) => return Err(failed(&error)),
            };
            let kind = list["kind"]
                .as_str()
                .unwrap_or_default()
                .trim_end_matches("List")
                .to_owned();
            for item in list["items"].as_array().into_iter().flatten() {
                let mut item = item.clone();
                // Items of some lists do not name their kind.
                item["apiVersion"] = api_version.into();
                if item["kind"].is_null() {
                    item["kind"] = kind.clone().into();
                }
                found.push(item);
            }
            match list["metadata"]["continue"]
                .as_str()
                .filter(|token| !token.is_empty())
            {
                Some(token) => next = format!("&continue={token}"),
                None => return Ok(found),
            }
        }
    }

    async fn send(&self, method: &str, path: &str, media: &str, body: Vec<u8>) -> Result<Json, kube::Error> {
        let query = if method == "GET" {
            String::new()
        } else {
            format!("?fieldManager={MANAGER}")
        };
        let request = hyper::Request::builder()
            .method(method)
            .uri(format!("{path}{query}"))
            .header("content-type", media)
            .body(body)
            .map_err(kube::Error::HttpError)?;
        self.0.request(request).await
    }
}

impl Cluster for KubeCluster {
    async fn get(&self, what: &ObjectRef) -> Result<Option<Json>, ClusterError> {
        match self
            .send("GET", &what.path(), "application/json", Vec::new())
            .await
        {
            Ok(object) => Ok(Some(object)),
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }

    async fn patch(&self, what: &ObjectRef, status: bool, patch: &Json) -> Result<Json, ClusterError> {
        let path = format!("{}{}", what.path(), if status { "/status" } else { "" });
        let body = patch.to_string().into_bytes();
        let answer = self
            .send("PATCH", &path, "application/merge-patch+json", body)
            .await;
        answer.map_err(|error| failed(&error))
    }

    async fn create(&self, what: &ObjectRef, object: &Json) -> Result<Json, ClusterError> {
        let path = what.path();
        let collection = path.rsplit_once('/').map_or("", |(collection, _)| collection);
        let answer = self
            .send(
                "POST",
                collection,
                "application/json",
                object.to_string().into_bytes(),
            )
            .await;
        answer.map_err(|error| failed(&error))
    }

    async fn event(&self, object: &Json, warning: bool, reason: &str, message: &str) {
        let metadata = &object["metadata"];
        let (namespace, name) = (metadata["namespace"].as_str(), metadata["name"].as_str());
        let (Some(namespace), Some(name)) = (namespace, name) else {
            return;
        };
        let now = timestamp();
        let event = serde_json::json!({
            "apiVersion": "v1", "kind": "Event",
            "metadata": { "generateName": format!("{name}."), "namespace": namespace },
            "involvedObject": {
                "apiVersion": object["apiVersion"], "kind": object["kind"], "name": name, "namespace": namespace,
                "uid": metadata["uid"], "resourceVersion": metadata["resourceVersion"],
            },
            "type": if warning { "Warning" } else { "Normal" }, "reason": reason, "message": message,
            "source": { "component": MANAGER }, "firstTimestamp": now, "lastTimestamp": now, "count": 1,
        });
        let path = format!("/api/v1/namespaces/{namespace}/events");
        // Losing an event is no reason to stop.
        drop(
            self.send("POST", &path, "application/json", event.to_string().into_bytes())
                .await,
        );
    }
}

fn failed(error: &kube::Error) -> ClusterError {
    match error {
        kube::Error::Api(status) if status.code == 404 => ClusterError::Gone,
        kube::Error::Api(status) if status.code == 409 => ClusterError::Conflict(status.message.clone()),
        kube::Error::Api(status) => ClusterError::Failed(status.message.clone()),
        error => ClusterError::Failed(error.to_string()),
    }
}

/// Sends the name of every object of a kind, and again whenever something changes that a controller acts on. That
/// excludes the status, which the controller writes itself. Reads only metadata. Ends when the receiver is dropped.
pub async fn watch(cluster: KubeCluster, kind: &Kind, changes: mpsc::Sender<Key>, log: Log) {
    let of = GroupVersionKind::gvk(&kind.group, &kind.version, &kind.kind);
    let resource = ApiResource::from_gvk_with_plural(&of, &kind.plural);
    let api: Api<PartialObjectMeta<DynamicObject>> = Api::all_with(cluster.0, &resource);
    let mut seen: HashMap<Key, u64> = HashMap::new();
    let mut trouble = Trouble::new(&kind.plural, &kind.group, log);
    let mut events = Box::pin(watcher(api, watcher::Config::default()));
    while let Some(event) = events.next().await {
        if event.is_ok() {
            trouble.is_over();
        }
        let metadata = match event {
            Ok(Event::Apply(object) | Event::InitApply(object)) => object.metadata,
            Ok(Event::Delete(object)) => {
                seen.remove(&key(&object.metadata));
                continue;
            }
            Ok(Event::Init | Event::InitDone) => continue,
            // The watcher restarts by itself.
            Err(error) => {
                trouble.tell(&error);
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                continue;
            }
        };
        let (key, print) = (key(&metadata), fingerprint(&metadata));
        if seen.insert(key.clone(), print) != Some(print) && changes.send(key).await.is_err() {
            return;
        }
    }
}

/// Sends the names of objects that refer to an object whenever that one changes. Kinds that the cluster does not have are looked
/// for again. Ends when the receiver is dropped.
pub async fn watch_references(
    cluster: KubeCluster,
    of: (&'static str, &'static str, &'static str),
    dependents: Arc<Dependents>,
    changes: mpsc::Sender<Key>,
    log: Log,
) {
    let (api_version, kind, plural) = of;
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let resource = ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, kind), plural);
    let api: Api<PartialObjectMeta<DynamicObject>> = Api::all_with(cluster.0, &resource);
    let mut trouble = Trouble::new(plural, group, log);
    let mut events = Box::pin(watcher(api, watcher::Config::default()));
    while let Some(event) = events.next().await {
        if event.is_ok() {
            trouble.is_over();
        }
        let metadata = match event {
            Ok(Event::Apply(object) | Event::Delete(object)) => object.metadata,
            // What is there at the start is read by the first passes.
            Ok(Event::Init | Event::InitApply(_) | Event::InitDone) => continue,
            Err(error) => {
                if !is_unknown(&error) {
                    trouble.tell(&error);
                }
                tokio::time::sleep(std::time::Duration::from_secs(30)).await;
                continue;
            }
        };
        let (namespace, name) = key(&metadata);
        let what = ObjectRef {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            plural: plural.to_owned(),
            namespace,
            name,
        };
        for key in dependents.of(&what) {
            if changes.send(key).await.is_err() {
                return;
            }
        }
    }
}

/// What keeps a watch from working; told once.
struct Trouble {
    what: String,
    log: Log,
    told: Option<String>,
}

impl Trouble {
    fn new(plural: &str, group: &str, log: Log) -> Self {
        let what = match group {
            "" => plural.to_owned(),
            _ => format!("{plural}.{group}"),
        };
        Trouble {
            what,
            log,
            told: None,
        }
    }

    fn tell(&mut self, error: &watcher::Error) {
        let text = if is_unknown(error) {
            "the cluster does not have this kind; `kindsmith controller crds` prints its CRD".to_owned()
        } else {
            cause(error)
        };
        if self.told.as_ref() != Some(&text) {
            (self.log)(&format!("cannot watch {}: {text}", self.what));
            self.told = Some(text);
        }
    }

    /// A watch that goes on where it was says nothing until something changes.
    fn is_over(&mut self) {
        if self.told.take().is_some() {
            (self.log)(&format!("watching {} again", self.what));
        }
    }
}

/// Whether the cluster does not have the kind.
fn is_unknown(error: &watcher::Error) -> bool {
    match error {
        watcher::Error::InitialListFailed(kube::Error::Api(status))
        | watcher::Error::WatchStartFailed(kube::Error::Api(status)) => status.code == 404,
        _ => false,
    }
}

/// The innermost error: the others only say what was tried.
fn cause(error: &watcher::Error) -> String {
    match error {
        watcher::Error::InitialListFailed(kube::Error::Api(status))
        | watcher::Error::WatchStartFailed(kube::Error::Api(status)) => return status.message.clone(),
        _ => {}
    }
    let mut error: &dyn std::error::Error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

fn key(metadata: &ObjectMeta) -> Key {
    (
        metadata.namespace.clone().unwrap_or_default(),
        metadata.name.clone().unwrap_or_default(),
    )
}

/// A hash of what a controller acts on: generation, labels, annotations, and whether the object is being deleted.
fn fingerprint(metadata: &ObjectMeta) -> u64 {
    let mut hash = DefaultHasher::new();
    metadata.uid.hash(&mut hash);
    metadata.generation.hash(&mut hash);
    metadata.labels.hash(&mut hash);
    // The controller's own annotation changes because of passes.
    let others = metadata.annotations.iter().flatten();
    for annotation in others.filter(|(name, _)| *name != crate::memory::ANNOTATION) {
        annotation.hash(&mut hash);
    }
    metadata.deletion_timestamp.is_some().hash(&mut hash);
    hash.finish()
}
