//! The object's labels, which are also the resource's.

use std::borrow::Cow;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_merge::effective::{Change, FieldPath, Step};
use serde_json::Map;

use crate::Json;
use crate::kind::Kind;
use crate::memory::Memory;

/// Labels with a prefix are for Kubernetes' tools.
fn is_sent(key: &str) -> bool {
    !key.contains('/')
}

/// The object with its own labels in the spec, if the spec has a field for the labels of the resource and does not set it.
pub(super) fn labeled<'o>(kind: &Kind, object: &'o Json) -> Cow<'o, Json> {
    let own = object["metadata"]["labels"].as_object();
    let (Some(path), Some(own)) = (kind.labels_field(), own) else {
        return Cow::Borrowed(object);
    };
    let sent = own.iter().filter(|(key, _)| is_sent(key));
    let sent: Map<String, Json> = sent.map(|(key, value)| (key.clone(), value.clone())).collect();
    let given = path.iter().fold(&object["spec"], |value, key| &value[*key]);
    if sent.is_empty() || !given.is_null() {
        return Cow::Borrowed(object);
    }
    let mut object = object.clone();
    let place = path
        .iter()
        .fold(&mut object["spec"], |value, key| &mut value[*key]);
    *place = Json::Object(sent);
    Cow::Owned(object)
}

/// Labels of the object that are also sent to the service: those without a prefix.
pub(super) struct Labels<'a> {
    pub(super) wanted: Object<'a>,
    /// Below `metadata.labels`.
    pub(super) changes: Vec<Change<'a>>,
    pub(super) specified: Vec<String>,
}

impl<'a> Labels<'a> {
    pub(super) fn of(
        arena: &'a Arena,
        kind: &Kind,
        object: Value<'a>,
        raw: Option<Value<'a>>,
        memory: &Memory,
    ) -> Self {
        let none = Labels {
            wanted: Object::EMPTY,
            changes: Vec::new(),
            specified: Vec::new(),
        };
        let Some(path) = kind.rest.labels.filter(|_| kind.labels_field().is_none()) else {
            return none;
        };
        let all = object.lookup(&["metadata", "labels"]).and_then(Value::as_object);
        let mut wanted = all.unwrap_or_default().edit(arena);
        wanted.retain(|key, _| is_sent(key));
        let wanted = wanted.finish();
        let there = raw
            .and_then(|raw| raw.lookup(path))
            .and_then(Value::as_object)
            .unwrap_or_default();
        let place = |key: &str| {
            FieldPath::new(
                ["metadata", "labels", key]
                    .map(|name| Step::Field(name.into()))
                    .to_vec(),
            )
        };
        let mut changes: Vec<Change<'a>> = wanted
            .iter()
            .filter(|(key, value)| raw.is_some() && there.get(key) != Some(*value))
            .map(|(key, value)| Change {
                path: place(key),
                value: Some(value),
            })
            .collect();
        // Only keys that this object set are removed again.
        let gone = there.keys().filter(|key| !wanted.contains_key(key));
        let gone = gone.filter(|key| memory.applied.contains(&place(key).to_string()));
        changes.extend(gone.map(|key| Change {
            path: place(key),
            value: None,
        }));
        Labels {
            specified: wanted.keys().map(|key| place(key).to_string()).collect(),
            wanted,
            changes,
        }
    }

    pub(super) fn api_changes(&self, kind: &Kind) -> Vec<Change<'a>> {
        let path = kind.rest.labels.unwrap_or_default();
        let api = |change: &Change<'a>| {
            let steps = path.iter().map(|name| Step::Field((*name).into()));
            Change {
                path: FieldPath::new(steps.chain(change.path.steps()[2..].iter().cloned()).collect()),
                value: change.value,
            }
        };
        self.changes.iter().map(api).collect()
    }
}
