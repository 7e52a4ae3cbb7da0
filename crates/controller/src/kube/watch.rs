//! Watches: the metadata of all objects of a resource, first those that are there, then what changes.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::{Duration, Instant};

use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use serde::Deserialize;

use super::{KubeCluster, Refused};
use crate::http::MAX_BODY;
use crate::queue::Key;

/// How many objects a page of a list has.
const PAGE: usize = 500;
/// After how many seconds the server ends a watch, which then goes on where it was.
const SECONDS: u64 = 290;
/// How long to wait for a server that no longer answers.
const PATIENCE: Duration = Duration::from_secs(SECONDS + 30);
const LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
const OBJECT: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

/// What is seen of objects.
pub(super) enum Event {
    /// Something that is there at the start.
    Found(Metadata),
    /// All that is there has been told; what was not among it is gone.
    AllFound,
    /// Something is new or has changed.
    Changed(Metadata),
    /// Something was deleted.
    Deleted(Metadata),
}

/// What controllers need to know of an object. Managed fields, most of what a server sends, are passed over.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Metadata {
    namespace: String,
    name: String,
    uid: String,
    generation: i64,
    resource_version: String,
    deletion_timestamp: Option<String>,
    labels: Option<BTreeMap<String, String>>,
    annotations: Option<BTreeMap<String, String>>,
}

impl Metadata {
    pub(super) fn key(&self) -> Key {
        (self.namespace.clone(), self.name.clone())
    }

    /// A hash of what a controller acts on: generation, labels, annotations, and whether the object is being deleted.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hash = DefaultHasher::new();
        (&self.uid, self.generation, &self.labels).hash(&mut hash);
        // The controller's own annotation changes because of passes.
        for (name, text) in self.annotations.iter().flatten() {
            if name != crate::memory::ANNOTATION {
                (name, text).hash(&mut hash);
            }
        }
        self.deletion_timestamp.is_some().hash(&mut hash);
        hash.finish()
    }
}

/// Why a watch stopped.
pub(super) enum Stopped {
    /// The cluster does not have the resource.
    Unknown,
    /// It cannot go on where it was: all is listed again.
    TooOld,
    Failed(String),
}

impl From<Refused> for Stopped {
    fn from(refused: Refused) -> Self {
        match refused.code {
            404 => Stopped::Unknown,
            // Changes, and the pages of a list, are only there for a while.
            410 => Stopped::TooOld,
            _ => Stopped::Failed(refused.message),
        }
    }
}

/// A watch of a resource in all namespaces.
pub(super) struct Watch {
    cluster: KubeCluster,
    path: String,
    /// The resource version up to which all events were delivered; `None` before the first list.
    version: Option<String>,
    listing: Option<Listing>,
    stream: Option<Lines>,
}

/// A list that is being told.
struct Listing {
    items: std::vec::IntoIter<Item>,
    /// The parameter for the next page.
    next: Option<String>,
    version: String,
}

impl Watch {
    pub(super) fn new(cluster: KubeCluster, api_version: &str, plural: &str) -> Self {
        let root = if api_version.contains('/') { "apis" } else { "api" };
        Watch {
            cluster,
            path: format!("/{root}/{api_version}/{plural}"),
            version: None,
            listing: None,
            stream: None,
        }
    }

    /// The next event. After an error, the next call tries again.
    pub(super) async fn next(&mut self) -> Result<Event, Stopped> {
        let told = self.step().await;
        if let Err(stopped) = &told {
            self.stream = None;
            self.listing = None;
            if let Stopped::TooOld | Stopped::Unknown = stopped {
                self.version = None;
            }
        }
        told
    }

    async fn step(&mut self) -> Result<Event, Stopped> {
        loop {
            let Some(version) = &self.version else {
                return self.list().await;
            };
            let stream = match &mut self.stream {
                Some(stream) => stream,
                none => none.insert(Lines::open(&self.cluster, &self.path, version).await?),
            };
            let line = tokio::time::timeout(PATIENCE, stream.next()).await;
            match line.map_err(|_| Stopped::Failed("the watch is silent".to_owned()))?? {
                Some(line) => {
                    if let Some(event) = self.told(line)? {
                        return Ok(event);
                    }
                }
                None if stream.is_young() => {
                    return Err(Stopped::Failed("the watch ends at once".to_owned()));
                }
                // The server has ended it in time.
                None => self.stream = None,
            }
        }
    }

    /// What an event of the server tells.
    fn told(&mut self, line: Line) -> Result<Option<Event>, Stopped> {
        let Line { kind, object } = line;
        let metadata = object.metadata;
        if !metadata.resource_version.is_empty() {
            self.version = Some(metadata.resource_version.clone());
        }
        Ok(match kind.as_str() {
            "ADDED" | "MODIFIED" => Some(Event::Changed(metadata)),
            "DELETED" => Some(Event::Deleted(metadata)),
            "ERROR" if object.code == 410 => return Err(Stopped::TooOld),
            "ERROR" => {
                let message = object.message.unwrap_or_else(|| "the watch failed".to_owned());
                return Err(Stopped::Failed(message));
            }
            _ => None,
        })
    }

    async fn list(&mut self) -> Result<Event, Stopped> {
        loop {
            let next = match &mut self.listing {
                None => String::new(),
                Some(listing) => match (listing.items.next(), listing.next.take()) {
                    (Some(item), next) => {
                        listing.next = next;
                        return Ok(Event::Found(item.metadata));
                    }
                    (None, Some(next)) => next,
                    (None, None) => {
                        self.version = Some(std::mem::take(&mut listing.version));
                        self.listing = None;
                        return Ok(Event::AllFound);
                    }
                },
            };
            let path = format!("{}?limit={PAGE}{next}", self.path);
            let bytes = self.cluster.read_bytes(&path, LIST).await?;
            let page = serde_json::from_slice(&bytes)
                .map_err(|error| Stopped::Failed(format!("a list cannot be read: {error}")))?;
            self.listing = Some(Listing::of(page));
        }
    }
}

impl Listing {
    fn of(page: Page) -> Self {
        let Page { metadata, items } = page;
        Listing {
            version: metadata.resource_version,
            next: (!metadata.token.is_empty()).then(|| format!("&continue={}", metadata.token)),
            items: items.unwrap_or_default().into_iter(),
        }
    }
}

/// A page of a list as the server writes it.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Page {
    metadata: PageMetadata,
    items: Option<Vec<Item>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct PageMetadata {
    resource_version: String,
    #[serde(rename = "continue")]
    token: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Item {
    metadata: Metadata,
}

/// An event as the server writes it; in place of the object an error has a `Status`.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    object: Told,
}

#[derive(Deserialize, Default)]
struct Told {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    code: u16,
    message: Option<String>,
}

/// The lines of a response, each a JSON object.
struct Lines {
    body: Incoming,
    since: Instant,
    text: Vec<u8>,
    /// How much of the text has no end of a line.
    searched: usize,
}

impl Lines {
    async fn open(cluster: &KubeCluster, path: &str, version: &str) -> Result<Self, Stopped> {
        let path = format!(
            "{path}?watch=true&allowWatchBookmarks=true&timeoutSeconds={SECONDS}&resourceVersion={version}"
        );
        Ok(Lines {
            body: cluster.open(&path, OBJECT).await?,
            since: Instant::now(),
            text: Vec::new(),
            searched: 0,
        })
    }

    fn is_young(&self) -> bool {
        self.since.elapsed() < Duration::from_secs(1)
    }

    async fn next(&mut self) -> Result<Option<Line>, Stopped> {
        loop {
            let end = self.text[self.searched..].iter().position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let end = self.searched + end;
                let event = serde_json::from_slice(&self.text[..end]);
                self.text.drain(..=end);
                self.searched = 0;
                return event
                    .map(Some)
                    .map_err(|error| Stopped::Failed(format!("an event cannot be read: {error}")));
            }
            self.searched = self.text.len();
            if self.text.len() > MAX_BODY {
                return Err(Stopped::Failed("an event is too large".to_owned()));
            }
            match self.body.frame().await {
                None => return Ok(None),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.text.extend_from_slice(&data);
                    }
                }
                Some(Err(error)) => return Err(Stopped::Failed(error.to_string())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn of_a_page_only_names_and_what_controllers_act_on_are_read() {
        let page = |items: serde_json::Value| {
            let page = json!({ "metadata": { "resourceVersion": "7", "continue": "c" }, "items": items });
            Listing::of(serde_json::from_value(page).expect("it is a page"))
        };
        let item = |annotations: serde_json::Value, more: serde_json::Value| {
            let mut metadata = json!({
                "namespace": "park", "name": "lion", "uid": "u", "generation": 2, "creationTimestamp": null,
                "labels": { "a": "x" }, "annotations": annotations, "managedFields": [{ "fieldsV1": {} }],
            });
            let members = more.as_object().into_iter().flatten();
            members.for_each(|(key, value)| metadata[key] = value.clone());
            json!({ "metadata": metadata })
        };
        let own = json!({ crate::memory::ANNOTATION: "{}" });
        let mut listing = page(json!([
            item(json!(null), json!({})),
            item(own, json!({ "resourceVersion": "9" })),
            item(json!({ "b": "y" }), json!({})),
            item(
                json!(null),
                json!({ "deletionTimestamp": "2026-01-02T03:04:05Z" })
            ),
            item(json!(null), json!({ "labels": null })),
            item(json!(null), json!({ "generation": 3 })),
        ]));
        assert_eq!(
            (&*listing.version, listing.next.as_deref()),
            ("7", Some("&continue=c"))
        );
        let first = listing.items.next().expect("there is one").metadata;
        assert_eq!(first.key(), ("park".to_owned(), "lion".to_owned()));
        let same: Vec<bool> = listing
            .items
            .map(|item| item.metadata.fingerprint() == first.fingerprint())
            .collect();
        assert_eq!(same, [true, false, false, false, false]);
        assert_eq!(page(json!(null)).items.len(), 0);
    }
}
