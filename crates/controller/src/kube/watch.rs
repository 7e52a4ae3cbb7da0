//! Watches: the metadata of all objects of a resource, first those that are there, then what changes.

use std::fmt;
use std::time::{Duration, Instant};

use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{KubeCluster, Refused};
use crate::Json;
use crate::http::MAX_BODY;

/// How many objects a page of a list has.
const PAGE: usize = 500;
/// After how many seconds the server ends a watch, which then goes on where it was.
const SECONDS: u64 = 290;
/// How long to wait for a server that no longer answers.
const PATIENCE: Duration = Duration::from_secs(SECONDS + 30);
const LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
const OBJECT: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

/// What is seen; objects are their metadata.
pub(super) enum Event {
    /// Something that is there at the start.
    Found(Json),
    /// All that is there has been told; what was not among it is gone.
    AllFound,
    /// Something is new or has changed.
    Changed(Json),
    /// Something was deleted.
    Deleted(Json),
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
    items: std::vec::IntoIter<Json>,
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
        let metadata = Json::Object(object.metadata.0);
        if let Some(version) = metadata["resourceVersion"].as_str() {
            self.version = Some(version.to_owned());
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
                    (Some(mut item), next) => {
                        listing.next = next;
                        return Ok(Event::Found(item["metadata"].take()));
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
            self.listing = Some(Listing::of(self.cluster.read(&path, LIST).await?));
        }
    }
}

impl Listing {
    fn of(mut list: Json) -> Self {
        let text = |list: &Json, key: &str| list["metadata"][key].as_str().unwrap_or_default().to_owned();
        let token = text(&list, "continue");
        let items = match list["items"].take() {
            Json::Array(items) => items,
            _ => Vec::new(),
        };
        Listing {
            version: text(&list, "resourceVersion"),
            next: (!token.is_empty()).then(|| format!("&continue={token}")),
            items: items.into_iter(),
        }
    }
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

/// Metadata without `managedFields`: nobody here needs them, and they are most of what a watch sends.
#[derive(Default)]
struct Metadata(serde_json::Map<String, Json>);

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Metadata;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("metadata")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Metadata, A::Error> {
        let mut members = serde_json::Map::new();
        while let Some(key) = access.next_key::<String>()? {
            if key == "managedFields" {
                access.next_value::<IgnoredAny>()?;
            } else {
                members.insert(key, access.next_value()?);
            }
        }
        Ok(Metadata(members))
    }
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
