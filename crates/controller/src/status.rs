//! The status of an object: what is known about its resource, and the state kept between passes. Written only when it
//! changes.

use kindsmith_merge::effective::ANNOTATIONS;
use serde_json::{Map, json};

use crate::Json;
use crate::condition::Condition;
use crate::kind::Kind;
use crate::plan::{Memory, Plan};

/// A status being updated.
#[derive(Debug, Clone)]
pub(crate) struct Status {
    old: Json,
    pub(crate) new: Json,
}

/// What an operation does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) deletes: bool,
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
    pub(crate) fn patch(&self) -> Option<Json> {
        let patch = difference(&self.old, &self.new);
        (!patch.as_object().is_none_or(Map::is_empty)).then(|| json!({ "status": patch }))
    }

    pub(crate) fn memory(&self, secrets: &[(String, String)]) -> Memory {
        let applied = self.old["appliedFields"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let sent = &self.old["secretHashes"];
        // An adopted resource already has a secret: only later changes are sent.
        let changed = secrets.iter().filter(|(path, hash)| {
            let known = sent.get(path).and_then(Json::as_str);
            known.is_some_and(|known| known != hash)
        });
        Memory {
            applied: applied
                .iter()
                .filter_map(|path| path.as_str().map(str::to_owned))
                .collect(),
            resend: changed.map(|(path, _)| path.clone()).collect(),
        }
    }

    pub(crate) fn operation(&self) -> Option<Operation> {
        Some(Operation {
            name: self.old["operation"]["name"].as_str()?.to_owned(),
            deletes: self.old["operation"]["deletes"] == true,
        })
    }

    pub(crate) fn set_operation(&mut self, operation: Option<&Operation>) {
        self.set(
            "operation",
            operation.map(|operation| json!({ "name": operation.name, "deletes": operation.deletes })),
        );
    }

    /// How often in a row this change was made for this state of the object.
    pub(crate) fn writes_of(&self, digest: &str, generation: i64) -> u64 {
        let last = &self.old["lastWrite"];
        match last["digest"] == digest && last["generation"] == generation {
            true => last["times"].as_u64().unwrap_or_default(),
            false => 0,
        }
    }

    pub(crate) fn wrote(&mut self, digest: &str, generation: i64) {
        let times = self.writes_of(digest, generation) + 1;
        self.set(
            "lastWrite",
            Some(json!({ "digest": digest, "generation": generation, "times": times })),
        );
    }

    /// Records the annotations that determine the fields.
    pub(crate) fn set_listing(&mut self, object: &Json) {
        self.set("observedListing", listing(object).map(Json::from));
    }

    pub(crate) fn is_of_listing(&self, object: &Json) -> bool {
        self.old["observedListing"].as_str().map(str::to_owned) == listing(object)
    }

    pub(crate) fn forget_write(&mut self) {
        self.set("lastWrite", None);
    }

    pub(crate) fn set_external(&mut self, identity: &str) {
        self.set("externalRef", Some(identity.into()));
    }

    /// Records the fields. `settled`: nothing is left to write.
    pub(crate) fn set_fields(&mut self, plan: &Plan, settled: bool) {
        let mut applied = plan.specified.clone();
        if !settled {
            // A field counts as set until it is certain that it was removed.
            let before = self.old["appliedFields"]
                .as_array()
                .map(Vec::as_slice)
                .unwrap_or_default();
            applied.extend(before.iter().filter_map(|path| path.as_str().map(str::to_owned)));
        }
        applied.sort();
        applied.dedup();
        self.set(
            "appliedFields",
            list(applied.into_iter().map(Json::from).collect()),
        );
        let kept = plan
            .kept
            .iter()
            .map(|(path, value)| json!({ "path": path, "value": value.to_string() }));
        self.set("preservedFields", list(kept.collect()));
        let ignored = plan.ignored.iter().chain(&plan.refused);
        let ignored = ignored.map(|note| json!({ "path": note.path, "reason": note.reason }));
        self.set("ignoredFields", list(ignored.collect()));
    }

    /// Paths that this pass ignores and the last one did not, with their reasons.
    pub(crate) fn newly_ignored(&self) -> Vec<String> {
        let notes = |status: &Json| status["ignoredFields"].as_array().cloned().unwrap_or_default();
        let old = notes(&self.old);
        let new = notes(&self.new).into_iter().filter(|note| !old.contains(note));
        let text = |note: &Json, key: &str| note[key].as_str().unwrap_or_default().to_owned();
        new.map(|note| format!("{}: {}", text(&note, "path"), text(&note, "reason")))
            .collect()
    }

    pub(crate) fn set_secrets(&mut self, secrets: &[(String, String)]) {
        let hashes: Map<String, Json> = secrets
            .iter()
            .map(|(path, hash)| (path.clone(), hash.as_str().into()))
            .collect();
        self.set(
            "secretHashes",
            (!hashes.is_empty()).then_some(Json::Object(hashes)),
        );
    }

    /// Records the fields that the kind shows from its live resource.
    pub(crate) fn set_outputs(&mut self, kind: &Kind, live: &Json) {
        for (api, name) in kind.rest.outputs {
            let value = api.iter().try_fold(live, |value, key| value.get(key));
            self.set(name, value.cloned());
        }
    }

    /// Sets the condition; returns whether it changed.
    pub(crate) fn set_condition(&mut self, condition: &Condition, generation: i64, now: &str) -> bool {
        let old = &self.old["conditions"][0];
        let since = match old["status"] == condition.status() {
            true => old["lastTransitionTime"].as_str().unwrap_or(now),
            false => now,
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

fn listing(object: &Json) -> Option<String> {
    let texts = ANNOTATIONS
        .iter()
        .filter_map(|name| object["metadata"]["annotations"][*name].as_str());
    let texts: Vec<&str> = texts.collect();
    (!texts.is_empty()).then(|| texts.join(","))
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
