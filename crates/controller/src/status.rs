//! The status of an object: what users read about its resource. Nothing is remembered in it. Written only when it changes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, json};

use crate::Json;
use crate::condition::Condition;
use crate::kind::Kind;
use crate::plan::Plan;

/// A status being updated.
#[derive(Debug, Clone)]
pub(crate) struct Status {
    old: Json,
    pub(crate) new: Json,
}

/// Fields of the status that the CRD of the cluster does not have, at any depth (`a.b`, `list[].c`), so that they are not written
/// again and again. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Pruned(Arc<Mutex<BTreeSet<String>>>);

impl Pruned {
    /// Learns from the response to a patch of the status.
    pub(crate) fn learn(&self, patch: &Json, stored: &Json) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        dropped(&patch["status"], &stored["status"], "", &mut known);
    }

    /// What is stored of a status.
    fn kept(&self, status: &Json) -> Json {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = status.clone();
        if !known.is_empty() {
            remove(&mut kept, "", &known);
        }
        kept
    }
}

/// Adds the paths of what was sent and is not there.
fn dropped(sent: &Json, stored: &Json, path: &str, known: &mut BTreeSet<String>) {
    match (sent, stored) {
        (Json::Object(sent), Json::Object(stored)) => {
            for (key, value) in sent.iter().filter(|(_, value)| !value.is_null()) {
                let path = format!("{path}{key}");
                match stored.get(key) {
                    Some(stored) => dropped(value, stored, &format!("{path}."), known),
                    None => drop(known.insert(path)),
                }
            }
        }
        (Json::Array(sent), Json::Array(stored)) => {
            let path = format!("{}[].", path.trim_end_matches('.'));
            for (sent, stored) in sent.iter().zip(stored) {
                dropped(sent, stored, &path, known);
            }
        }
        _ => {}
    }
}

fn remove(value: &mut Json, path: &str, known: &BTreeSet<String>) {
    match value {
        Json::Object(members) => {
            members.retain(|key, _| !known.contains(&format!("{path}{key}")));
            for (key, member) in members {
                remove(member, &format!("{path}{key}."), known);
            }
        }
        Json::Array(items) => {
            let path = format!("{}[].", path.trim_end_matches('.'));
            items.iter_mut().for_each(|item| remove(item, &path, known));
        }
        _ => {}
    }
}

impl Status {
    pub(crate) fn of(object: &Json) -> Self {
        let old = match object.get("status") {
            Some(Json::Object(status)) => Json::Object(status.clone()),
            _ => Json::Object(Map::new()),
        };
        Status {
            new: old.clone(),
            old,
        }
    }

    /// The patch to write; `None` if nothing changed.
    pub(crate) fn patch(&self, pruned: &Pruned) -> Option<Json> {
        let patch = difference(&self.old, &pruned.kept(&self.new));
        (!patch.as_object().is_none_or(Map::is_empty)).then(|| json!({ "status": patch }))
    }

    pub(crate) fn set_external(&mut self, identity: &str) {
        self.set("externalRef", Some(identity.into()));
    }

    /// Shows the fields that are kept, and what has no effect.
    pub(crate) fn set_fields(&mut self, plan: &Plan) {
        let kept = plan
            .kept
            .iter()
            .map(|kept| json!({ "path": kept.path, "value": kept.value.to_string() }));
        self.set("preservedFields", list(kept.collect()));
        let ignored = plan.ignored.iter().chain(&plan.refused);
        let ignored = ignored.map(|note| json!({ "path": note.path, "reason": note.reason }));
        self.set("ignoredFields", list(ignored.collect()));
    }

    /// Paths without effect, with their reasons: all, and those that the last pass did not show.
    pub(crate) fn ignored(&self) -> (Vec<String>, Vec<String>) {
        let notes = |status: &Json| -> Vec<String> {
            let notes = status["ignoredFields"].as_array().map(Vec::as_slice);
            let text = |note: &Json, key: &str| note[key].as_str().unwrap_or_default().to_owned();
            let notes = notes.unwrap_or_default().iter();
            notes
                .map(|note| format!("{}: {}", text(note, "path"), text(note, "reason")))
                .collect()
        };
        let (old, all) = (notes(&self.old), notes(&self.new));
        let new = all.iter().filter(|note| !old.contains(note)).cloned().collect();
        (all, new)
    }

    /// Shows the fields that the kind has for it from its live resource.
    pub(crate) fn set_outputs(&mut self, kind: &Kind, live: &Json) {
        for (api, name) in kind.rest.outputs {
            let value = select(live, api).filter(|value| !value.is_null());
            let value = value.map(|value| shown(kind, name, value));
            let mut parts = name.splitn(2, '.');
            let (first, rest) = (parts.next().unwrap_or_default(), parts.next());
            match rest {
                None => self.set(first, value),
                Some(rest) => self.set_below(first, rest, value),
            }
        }
    }

    /// Sets a member of an object in the status.
    fn set_below(&mut self, first: &str, rest: &str, value: Option<Json>) {
        let mut object = self.new[first].as_object().cloned().unwrap_or_default();
        match (rest.split_once('.'), value) {
            (None, Some(value)) => drop(object.insert(rest.to_owned(), value)),
            (None, None) => drop(object.remove(rest)),
            (Some((middle, last)), value) => {
                let mut inner = object
                    .get(middle)
                    .and_then(Json::as_object)
                    .cloned()
                    .unwrap_or_default();
                match value {
                    Some(value) => drop(inner.insert(last.to_owned(), value)),
                    None => drop(inner.remove(last)),
                }
                if inner.is_empty() {
                    drop(object.remove(middle));
                } else {
                    drop(object.insert(middle.to_owned(), Json::Object(inner)));
                }
            }
        }
        self.set(first, (!object.is_empty()).then_some(Json::Object(object)));
    }

    /// Sets the condition; returns whether it changed.
    pub(crate) fn set_condition(&mut self, condition: &Condition, generation: i64, now: &str) -> bool {
        let old = &self.old["conditions"][0];
        let since = if old["status"] == condition.status() {
            old["lastTransitionTime"].as_str().unwrap_or(now)
        } else {
            now
        };
        let new = json!({
            "type": "Ready",
            "status": condition.status(),
            "reason": condition.reason.name(),
            "message": condition.message,
            "lastTransitionTime": since,
        });
        let news = old["reason"] != new["reason"] || old["message"] != new["message"];
        self.set("conditions", Some(json!([new])));
        self.set("observedGeneration", Some(generation.into()));
        news
    }

    fn set(&mut self, key: &str, value: Option<Json>) {
        let Json::Object(status) = &mut self.new else {
            return;
        };
        match value {
            Some(value) => drop(status.insert(key.to_owned(), value)),
            None => drop(status.remove(key)),
        }
    }
}

/// A value as the status has it: APIs write large numbers as texts.
fn shown(kind: &Kind, path: &str, value: &Json) -> Json {
    let status = kind.schema.property("status");
    let schema = path
        .split('.')
        .fold(status, |schema, name| schema?.property(name));
    let is_number = schema.is_some_and(|schema| &*schema.ty == "integer");
    let number = value.as_str().filter(|_| is_number);
    match number.and_then(|text| text.parse::<i64>().ok()) {
        Some(number) => number.into(),
        None => value.clone(),
    }
}

/// The value at a path of a live resource: `a.b`, `list[0].a`, `list[type=PRIMARY].a`.
pub(crate) fn select<'j>(live: &'j Json, path: &str) -> Option<&'j Json> {
    path.split('.').try_fold(live, |value, part| {
        let (name, selector) = match part.split_once('[') {
            Some((name, rest)) => (name, Some(rest.trim_end_matches(']'))),
            None => (part, None),
        };
        let value = value.get(name)?;
        match selector.map(|selector| (selector, selector.split_once('='))) {
            None => Some(value),
            Some((_, Some((key, wanted)))) => value.as_array()?.iter().find(|item| item[key] == wanted),
            Some((index, None)) => value.get(index.parse::<usize>().ok()?),
        }
    })
}

fn list(items: Vec<Json>) -> Option<Json> {
    (!items.is_empty()).then_some(Json::Array(items))
}

/// A merge patch from `old` to `new`.
fn difference(old: &Json, new: &Json) -> Json {
    let (Json::Object(old), Json::Object(new)) = (old, new) else {
        return new.clone();
    };
    let mut patch = Map::new();
    for (key, value) in new {
        match old.get(key) {
            Some(before) if before == value => {}
            Some(before) => drop(patch.insert(key.clone(), difference(before, value))),
            None => drop(patch.insert(key.clone(), value.clone())),
        }
    }
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        patch.insert(key.clone(), Json::Null);
    }
    Json::Object(patch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_selected_by_name_key_and_position() {
        let live = json!({ "a": { "b": 1 }, "l": [{ "t": "X", "v": 2 }, { "t": "Y", "v": 3 }] });
        let check = |path: &str, expected: Option<u64>| {
            assert_eq!(select(&live, path).and_then(Json::as_u64), expected, "{path}");
        };
        check("a.b", Some(1));
        check("l[0].v", Some(2));
        check("l[t=Y].v", Some(3));
        for none in ["a.c", "l[2].v", "l[t=Z].v", "a.b.c", "l[x].v", "a[0]"] {
            check(none, None);
        }
    }

    #[test]
    fn what_a_crd_drops_is_not_written_again() {
        let object = |status: Json| json!({ "status": status });
        let sent = object(json!({
            "a": 1, "gone": { "x": 1 }, "deep": { "kept": 1, "gone": 2 }, "list": [{ "kept": 1, "gone": 2 }],
        }));
        let stored = object(json!({ "a": 1, "deep": { "kept": 1 }, "list": [{ "kept": 1 }] }));
        let patch = |pruned: &Pruned, a: u64| {
            let mut status = Status::of(&stored);
            status.new = sent["status"].clone();
            status.new["a"] = a.into();
            status.patch(pruned)
        };
        let pruned = Pruned::default();
        assert!(patch(&pruned, 1).is_some());
        pruned.learn(&sent, &stored);
        assert_eq!(patch(&pruned, 1), None);
        assert_eq!(patch(&pruned, 2), Some(object(json!({ "a": 2 }))));
    }

    #[test]
    fn nested_fields_are_set_and_removed() {
        let mut status = Status::of(&json!({}));
        status.set_below("observedState", "cluster.host", Some(json!("h")));
        assert_eq!(
            status.new,
            json!({ "observedState": { "cluster": { "host": "h" } } })
        );
        status.set_below("observedState", "cluster.host", None);
        assert_eq!(status.new, json!({}));
    }
}
