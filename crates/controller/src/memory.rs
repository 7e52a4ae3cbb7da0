//! What a controller remembers about an object between passes, in an annotation of the object: no schema prunes it, unlike
//! the status. Small and with a version; written only when it changes.

use std::collections::BTreeMap;

use serde_json::{Map, json};

use crate::Json;

/// The annotation.
pub const ANNOTATION: &str = "kindsmith.dev/controller-state";
/// The form that this version reads and writes.
const VERSION: u64 = 1;
/// The most bytes of paths that are remembered. All annotations of an object together have at most 256 KiB.
const MAX_PATHS: usize = 64 << 10;

/// What is remembered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// Fields that were set from the object, and that the service has accepted.
    pub applied: Vec<String>,
    /// Lists with a hash of the value that was sent last.
    pub sent: BTreeMap<String, String>,
    /// Secrets with a hash of the value that was sent last.
    pub(crate) secrets: BTreeMap<String, String>,
    /// What the service is doing.
    pub(crate) operation: Option<Operation>,
    /// The last change that was sent.
    pub(crate) last_write: Option<LastWrite>,
    /// A hash of the annotations with fields to keep, as the last pass saw them.
    pub(crate) listing: Option<String>,
    /// A hash of the paths without effect that events have told of.
    pub(crate) told: Option<String>,
    /// The name of the resource in the service.
    pub(crate) identity: Option<String>,
}

/// Something the service does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) deletes: bool,
    /// What becomes true when it succeeds.
    pub(crate) then: Ownership,
}

/// How a write changes what is remembered about fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ownership {
    pub(crate) adds: Vec<String>,
    pub(crate) frees: Vec<String>,
    pub(crate) sends: BTreeMap<String, String>,
}

/// A change that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LastWrite {
    digest: String,
    generation: i64,
    times: u64,
}

/// The annotation was written by a version that remembers more than this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TooNew(pub(crate) u64);

impl Memory {
    /// Reads the annotation. A text that cannot be read is nothing remembered: then no field is removed.
    pub(crate) fn of(object: &Json) -> Result<Self, TooNew> {
        let text = object["metadata"]["annotations"][ANNOTATION].as_str();
        let json: Json = text
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default();
        if let Some(version) = json["v"].as_u64().filter(|version| *version > VERSION) {
            return Err(TooNew(version));
        }
        let operation = json["op"]["name"].as_str().map(|name| Operation {
            name: name.to_owned(),
            deletes: json["op"]["deletes"] == true,
            then: Ownership {
                adds: texts(&json["op"]["adds"]),
                frees: texts(&json["op"]["frees"]),
                sends: pairs(&json["op"]["sends"]),
            },
        });
        let last_write = json["write"]["digest"].as_str().map(|digest| LastWrite {
            digest: digest.to_owned(),
            generation: json["write"]["generation"].as_i64().unwrap_or_default(),
            times: json["write"]["times"].as_u64().unwrap_or_default(),
        });
        let text = |key: &str| json[key].as_str().map(str::to_owned);
        Ok(Memory {
            applied: texts(&json["own"]),
            sent: pairs(&json["sent"]),
            secrets: pairs(&json["secrets"]),
            operation,
            last_write,
            listing: text("listing"),
            told: text("told"),
            identity: text("id"),
        })
    }

    /// The fields that an object's annotation says were set from it.
    #[must_use]
    pub fn of_annotation(object: &Json) -> Self {
        Self::of(object).unwrap_or_default()
    }

    /// The text of the annotation.
    pub(crate) fn text(&self) -> String {
        let mut json = Map::new();
        let mut put = |key: &str, value: Json| {
            let is_empty = match &value {
                Json::Null => true,
                Json::Array(items) => items.is_empty(),
                Json::Object(members) => members.is_empty(),
                _ => false,
            };
            if !is_empty {
                json.insert(key.to_owned(), value);
            }
        };
        put("v", VERSION.into());
        put("id", json!(self.identity));
        put("own", json!(within_bounds(&self.applied)));
        put("sent", json!(self.sent));
        put("secrets", json!(self.secrets));
        if let Some(Operation { name, deletes, then }) = &self.operation {
            let Ownership { adds, frees, sends } = then;
            put(
                "op",
                json!({ "name": name, "deletes": deletes, "adds": adds, "frees": frees, "sends": sends }),
            );
        }
        if let Some(write) = &self.last_write {
            let LastWrite {
                digest,
                generation,
                times,
            } = write;
            put(
                "write",
                json!({ "digest": digest, "generation": generation, "times": times }),
            );
        }
        put("listing", json!(self.listing));
        put("told", json!(self.told));
        Json::Object(json).to_string()
    }

    /// Records what a write that the service has carried out means for fields.
    pub(crate) fn own(&mut self, ownership: &Ownership) {
        self.applied.retain(|path| !ownership.frees.contains(path));
        self.applied.extend(ownership.adds.iter().cloned());
        self.applied.sort();
        self.applied.dedup();
        self.sent.extend(ownership.sends.clone());
    }

    /// How often in a row this change was made for this state of the object.
    pub(crate) fn writes_of(&self, digest: &str, generation: i64) -> u64 {
        match &self.last_write {
            Some(last) if last.digest == digest && last.generation == generation => last.times,
            _ => 0,
        }
    }

    pub(crate) fn wrote(&mut self, digest: &str, generation: i64) {
        self.last_write = Some(LastWrite {
            times: self.writes_of(digest, generation) + 1,
            digest: digest.to_owned(),
            generation,
        });
    }

    /// Secrets that have changed since they were sent. An adopted resource already has a secret: only later changes are
    /// sent.
    pub(crate) fn changed_secrets(&self, secrets: &[(String, String)]) -> Vec<String> {
        let changed = secrets
            .iter()
            .filter(|(path, hash)| self.secrets.get(path).is_some_and(|known| known != hash));
        changed.map(|(path, _)| path.clone()).collect()
    }
}

/// A short hash of texts; `None` if there are none.
pub(crate) fn hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<String> {
    let mut texts = texts.into_iter().peekable();
    texts.peek()?;
    Some(crate::hash::hash(texts.flat_map(|text| [text, "\0"])))
}

/// The shortest paths, up to the bound. A field that is not remembered is left alone once the spec no longer sets it.
fn within_bounds(paths: &[String]) -> Vec<&str> {
    let mut kept: Vec<&str> = paths.iter().map(|path| &**path).collect();
    kept.sort_by_key(|path| path.len());
    let mut bytes = 0;
    kept.retain(|path| {
        bytes += path.len();
        bytes <= MAX_PATHS
    });
    kept.sort_unstable();
    kept
}

fn texts(json: &Json) -> Vec<String> {
    let items = json.as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

fn pairs(json: &Json) -> BTreeMap<String, String> {
    let members = json.as_object().into_iter().flatten();
    members
        .filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> Json {
        json!({ "metadata": { "annotations": { ANNOTATION: text } } })
    }

    #[test]
    fn the_text_reads_back() {
        let mut memory = Memory {
            applied: vec!["spec.a".to_owned(), "spec.b[name=x].c".to_owned()],
            identity: Some("projects/p/things/t".to_owned()),
            operation: Some(Operation {
                name: "op-1".to_owned(),
                deletes: false,
                then: Ownership {
                    adds: vec!["spec.c".to_owned()],
                    frees: vec!["spec.a".to_owned()],
                    sends: BTreeMap::new(),
                },
            }),
            ..Memory::default()
        };
        memory.wrote("d", 3);
        memory.wrote("d", 3);
        assert_eq!(memory.writes_of("d", 3), 2);
        assert_eq!(Memory::of(&with(&memory.text())), Ok(memory.clone()));
        assert_eq!(Memory::default().text(), "{\"v\":1}");
    }

    #[test]
    fn anything_else_is_nothing_remembered_and_a_newer_form_is_refused() {
        for text in ["", "{", "[]", "7", "{\"own\":7,\"op\":[]}"] {
            assert_eq!(Memory::of(&with(text)), Ok(Memory::default()), "{text}");
        }
        assert_eq!(Memory::of(&with("{\"v\":2}")), Err(TooNew(2)));
    }

    #[test]
    fn too_many_paths_are_forgotten_from_the_longest() {
        let memory = Memory {
            applied: (0..100_000)
                .map(|number| format!("spec.labels.k{number}"))
                .collect(),
            ..Memory::default()
        };
        let text = memory.text();
        assert!(
            text.len() < 100 << 10 && text.contains("spec.labels.k0"),
            "{}",
            text.len()
        );
    }
}
