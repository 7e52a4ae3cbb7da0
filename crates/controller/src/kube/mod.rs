//! A real cluster, over HTTP.

mod config;
mod watch;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Bytes, Incoming};
use tokio::sync::mpsc;

use self::config::Access;
use self::watch::{Event, Stopped, Watch};
use crate::Json;
use crate::cluster::{Cluster, ClusterError, ObjectRef};
use crate::dependents::Dependents;
use crate::http::{HttpError, Raw, Sent, read};
use crate::kind::Kind;
use crate::queue::Key;
use crate::run::{Log, timestamp};

/// The field manager of the controllers.
const MANAGER: &str = "kindsmith-controller";
const JSON: &str = "application/json";

/// A cluster from a kubeconfig or a service account. Clones share its connections.
#[derive(Clone)]
pub struct KubeCluster(Arc<Access>);

/// Why the server did not do what was asked.
struct Refused {
    /// The status code; 0 without an answer.
    code: u16,
    message: String,
}

impl From<HttpError> for Refused {
    fn from(error: HttpError) -> Self {
        Refused {
            code: 0,
            message: error.0,
        }
    }
}

impl From<ClusterError> for Refused {
    fn from(error: ClusterError) -> Self {
        Refused {
            code: 0,
            message: error.to_string(),
        }
    }
}

impl From<Refused> for ClusterError {
    fn from(refused: Refused) -> Self {
        match refused.code {
            404 => ClusterError::Gone,
            409 => ClusterError::Conflict(refused.message),
            _ => ClusterError::Failed(refused.message),
        }
    }
}

impl KubeCluster {
    /// Connects to the cluster of the kubeconfig, or to the one this runs in.
    ///
    /// # Errors
    /// If there is none, or its configuration cannot be used.
    pub async fn connect() -> Result<Self, ClusterError> {
        Ok(KubeCluster(Arc::new(Access::default().await?)))
    }

    /// Connects to the cluster of a kubeconfig.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub async fn of_file(file: &std::path::Path) -> Result<Self, ClusterError> {
        Ok(KubeCluster(Arc::new(Access::of_files(&[file.to_owned()]).await?)))
    }

    /// The cluster at a URL, without credentials.
    ///
    /// # Errors
    /// If it is not a URL.
    pub fn at(url: &str) -> Result<Self, ClusterError> {
        Ok(KubeCluster(Arc::new(Access::at(url)?)))
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
            let list = match self.read(&path, JSON).await {
                Ok(list) => list,
                Err(refused) if refused.code == 404 => return Ok(found),
                Err(refused) => return Err(refused.into()),
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

    async fn read(&self, path: &str, accept: &str) -> Result<Json, Refused> {
        self.send("GET", path, (accept, JSON), String::new()).await
    }

    async fn write(&self, method: &str, path: &str, media: &str, body: &Json) -> Result<Json, Refused> {
        let path = format!("{path}?fieldManager={MANAGER}");
        self.send(method, &path, (JSON, media), body.to_string()).await
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        media: (&str, &str),
        body: String,
    ) -> Result<Json, Refused> {
        let answer = self.ask(method, path, media, body).await?.parsed();
        match answer.status {
            200..=299 => Ok(answer.body),
            status => Err(refused(status, &answer.body)),
        }
    }

    /// Reads what is parsed elsewhere.
    async fn read_bytes(&self, path: &str, accept: &str) -> Result<Bytes, Refused> {
        let answer = self.ask("GET", path, (accept, JSON), String::new()).await?;
        match answer.status {
            200..=299 => Ok(answer.body),
            status => Err(refused(status, &answer.parsed().body)),
        }
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        (accept, media): (&str, &str),
        body: String,
    ) -> Result<Raw, Refused> {
        let mut headers = self.0.headers().await?;
        headers.push(("accept", accept.to_owned()));
        let path = format!("{}{path}", self.0.endpoint.base.prefix);
        let sent = Sent {
            method,
            path: &path,
            media,
            body,
            headers: &headers,
        };
        Ok(self.0.endpoint.ask(&sent).await?)
    }

    /// A response that is read piece by piece.
    async fn open(&self, path: &str, accept: &str) -> Result<Incoming, Refused> {
        let mut headers = self.0.headers().await?;
        headers.push(("accept", accept.to_owned()));
        let path = format!("{}{path}", self.0.endpoint.base.prefix);
        let sent = Sent {
            method: "GET",
            path: &path,
            media: JSON,
            body: String::new(),
            headers: &headers,
        };
        let answer = self.0.endpoint.open(&sent).await?;
        if answer.status().is_success() {
            return Ok(answer.into_body());
        }
        let answer = read(answer, "the API server").await?.parsed();
        Err(refused(answer.status, &answer.body))
    }
}

/// What a `Status` says.
fn refused(status: u16, body: &Json) -> Refused {
    let message = body["message"].as_str().map(str::to_owned);
    Refused {
        code: status,
        message: message.unwrap_or_else(|| format!("the API server answers with {status}")),
    }
}

impl Cluster for KubeCluster {
    async fn get(&self, what: &ObjectRef) -> Result<Option<Json>, ClusterError> {
        match self.read(&what.path(), JSON).await {
            Ok(object) => Ok(Some(object)),
            Err(refused) if refused.code == 404 => Ok(None),
            Err(refused) => Err(refused.into()),
        }
    }

    async fn patch(&self, what: &ObjectRef, status: bool, patch: &Json) -> Result<Json, ClusterError> {
        let path = format!("{}{}", what.path(), if status { "/status" } else { "" });
        let stored = self
            .write("PATCH", &path, "application/merge-patch+json", patch)
            .await;
        Ok(stored?)
    }

    async fn create(&self, what: &ObjectRef, object: &Json) -> Result<Json, ClusterError> {
        let path = what.path();
        let collection = path.rsplit_once('/').map_or("", |(collection, _)| collection);
        Ok(self.write("POST", collection, JSON, object).await?)
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
        drop(self.write("POST", &path, JSON, &event).await);
    }
}

/// Sends the name of every object of a kind, and again whenever something changes that a controller acts on. That
/// excludes the status, which the controller writes itself. Reads only metadata. Ends when the receiver is dropped.
pub async fn watch(cluster: KubeCluster, kind: &Kind, changes: mpsc::Sender<Key>, log: Log) {
    let mut seen: HashMap<Key, u64> = HashMap::new();
    let mut found: HashSet<Key> = HashSet::new();
    let mut trouble = Trouble::new(format!("{}.{}", kind.plural, kind.group), log);
    let mut events = Watch::new(cluster, &kind.api_version(), &kind.plural);
    loop {
        let event = events.next().await;
        if event.is_ok() {
            trouble.is_over();
        }
        let metadata = match event {
            Ok(Event::Found(metadata)) => {
                found.insert(metadata.key());
                metadata
            }
            Ok(Event::Changed(metadata)) => metadata,
            Ok(Event::Deleted(metadata)) => {
                seen.remove(&metadata.key());
                continue;
            }
            Ok(Event::AllFound) => {
                seen.retain(|key, _| found.contains(key));
                found = HashSet::new();
                continue;
            }
            Err(Stopped::TooOld) => continue,
            Err(stopped) => {
                trouble.tell(&stopped);
                found.clear();
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            }
        };
        let (key, print) = (metadata.key(), metadata.fingerprint());
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
    let mut trouble = Trouble::new(format!("{plural} of {api_version}"), log);
    let mut events = Watch::new(cluster, api_version, plural);
    loop {
        let event = events.next().await;
        if event.is_ok() {
            trouble.is_over();
        }
        let metadata = match event {
            Ok(Event::Changed(metadata) | Event::Deleted(metadata)) => metadata,
            // What is there at the start is read by the first passes.
            Ok(Event::Found(_) | Event::AllFound) | Err(Stopped::TooOld) => continue,
            Err(stopped) => {
                if !matches!(stopped, Stopped::Unknown) {
                    trouble.tell(&stopped);
                }
                tokio::time::sleep(Duration::from_secs(30)).await;
                continue;
            }
        };
        let (namespace, name) = metadata.key();
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
    fn new(what: String, log: Log) -> Self {
        Trouble {
            what,
            log,
            told: None,
        }
    }

    fn tell(&mut self, stopped: &Stopped) {
        let text = match stopped {
            Stopped::Failed(text) => text,
            Stopped::Unknown | Stopped::TooOld => {
                "the cluster does not have this kind; `kindsmith controller crds` prints its CRD"
            }
        };
        if self.told.as_deref() != Some(text) {
            (self.log)(&format!("cannot watch {}: {text}", self.what));
            self.told = Some(text.to_owned());
        }
    }

    /// A watch that goes on where it was says nothing until something changes.
    fn is_over(&mut self) {
        if self.told.take().is_some() {
            (self.log)(&format!("watching {} again", self.what));
        }
    }
}
