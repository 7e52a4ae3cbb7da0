//! The lifecycle of CRDs: after each write their status is set and the catalog is updated; deleting a CRD first deletes
//! its objects.

use std::cmp::max;
use std::sync::PoisonError;

use kindsmith_crd::definition::{self, Deletion, FINALIZER, conditions, terminate};
use kindsmith_gostd::time::{Layout, Time as GoTime};
use kindsmith_json::{Arena, Value};
use kindsmith_openapi::crd::Definition;
use kindsmith_store::{Bytes, Entry, Event, List};

use crate::bootstrap::api_services;
use crate::catalog::DEFINITIONS;
use crate::handle::Notes;
use crate::request::query::Query;
use crate::resource::read_definition;
use crate::verb::Call;
use crate::verb::delete::{Asked, DeleteOptions, Removed, remove};
use crate::write::managed_fields::Endpoint;
use crate::{Api, Request, RequestInfo, Served, User, route, stored, write};

/// The field manager of CRD status.
const OWN_MANAGER: &str = "kube-apiserver";

/// The time to record for a write to a CRD. Kubernetes sets the status some time after a write, so the next write is
/// later still; here all of them can happen within one second. A later writer gets a later time, so that managed fields
/// stay in the order of the writes.
pub(crate) fn moment<'a>(
    arena: &'a Arena,
    old: Option<Value<'a>>,
    (manager, subresource): (&str, &str),
    now: &'a str,
) -> &'a str {
    let others = old.into_iter().flat_map(entries);
    let others = others.filter(|entry| entry.manager != manager || entry.subresource != subresource);
    match others.map(|entry| entry.time).max() {
        Some(time) if time >= now => {
            let time = GoTime::parse(Layout::Rfc3339, time).ok();
            let after = time.and_then(|time| GoTime::from_unix(time.unix_seconds() + 1, 0));
            after.map_or(now, |after| arena.alloc_str(&after.format(Layout::Rfc3339)))
        }
        _ => now,
    }
}

/// When a manager last wrote an object.
struct Written<'a> {
    manager: &'a str,
    subresource: &'a str,
    time: &'a str,
}

/// The managers of an object with the times of their last writes.
fn entries<'a>(object: Value<'a>) -> impl Iterator<Item = Written<'a>> {
    let entries = object
        .lookup(&["metadata", "managedFields"])
        .and_then(Value::as_array);
    entries.unwrap_or_default().iter().map(|entry| {
        let text = |key| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        Written {
            manager: text("manager"),
            subresource: text("subresource"),
            time: text("time"),
        }
    })
}

impl Api {
    /// The key prefix of CRDs. A server that shares its store with others watches it.
    #[must_use]
    pub fn definitions() -> &'static [u8] {
        DEFINITIONS.as_bytes()
    }

    /// Takes over a CRD change made by another server: an event of a watch on [`Api::definitions`].
    pub fn refresh(&self, event: &Event) {
        let _guard = self.defining.lock().unwrap_or_else(PoisonError::into_inner);
        let key = std::str::from_utf8(&event.key).ok();
        if let Some(name) = key.and_then(|key| key.strip_prefix(DEFINITIONS)) {
            self.serve(self.catalog().with(name, event.value.as_ref()));
        }
    }

    /// Updates the catalog after a CRD was written or deleted. The request has been answered by then, so no error can
    /// be reported: whatever fails is tried again at the next write.
    pub(crate) fn follow_definition(&self, name: &str) {
        let _guard = self.defining.lock().unwrap_or_else(PoisonError::into_inner);
        let group = name.split_once('.').map_or("", |(_, group)| group);
        let before = api_services::served(&self.catalog(), Some(group));
        self.settle(name);
        // Another CRD may be waiting for a name that is now free.
        for other in self.catalog().unsettled(Some(group)) {
            if *other != *name {
                self.settle(&other);
            }
        }
        self.register_changes(group, &before);
    }

    /// Finishes CRD deletions and status updates that a previous run left half done.
    pub(crate) fn settle_all(&self) {
        let _guard = self.defining.lock().unwrap_or_else(PoisonError::into_inner);
        for name in self.catalog().unsettled(None) {
            self.settle(&name);
        }
    }

    /// Repeats [`Self::settle_entry`] until the CRD needs no more changes.
    fn settle(&self, name: &str) {
        let key = format!("{DEFINITIONS}{name}");
        // Retry on conflicts, but not forever.
        for _ in 0..100 {
            let Ok(entry) = self.store.get(key.as_bytes(), None) else {
                return;
            };
            let done = match entry {
                None => {
                    self.serve(self.catalog().with(name, None));
                    true
                }
                Some(entry) => self.settle_entry(name, &key, &entry),
            };
            if done {
                return;
            }
        }
    }

    /// Updates or finishes one CRD; `false` if somebody else wrote it first.
    fn settle_entry(&self, name: &str, key: &str, entry: &Entry) -> bool {
        let Some(definition) = read_definition(&entry.value) else {
            return true;
        };
        let arena = Arena::new();
        let metadata = definition.metadata.value(&arena);
        if metadata.get("deletionTimestamp").is_some() {
            self.serve(self.catalog().with(name, Some(&entry.value)));
            return self.finish(key, entry, &definition);
        }
        let others = self.catalog().other_names(&definition.spec.group, name);
        let now = write::now(&*self.environment);
        let status = conditions(&definition, &others, &now);
        if status == definition.status {
            self.serve(self.catalog().with(name, Some(&entry.value)));
            return true;
        }
        let settled = Definition {
            status,
            ..definition.clone()
        };
        let (old, new) = (definition.to_value(&arena), settled.to_value(&arena));
        let bytes = stored::bytes(self.as_own(&arena, old, new, &now));
        match self.store.update(key.as_bytes(), bytes.clone(), entry.modified) {
            Ok(_) => {
                self.serve(self.catalog().with(name, Some(&bytes)));
                true
            }
            Err(_) => false,
        }
    }

    /// The CRD with managed fields for a status change by the server itself.
    fn as_own<'a>(&self, arena: &'a Arena, old: Value<'a>, new: Value<'a>, now: &'a str) -> Value<'a> {
        let catalog = self.catalog();
        // The last write may be dated in the future (see `moment`); the status must not be older.
        let now = entries(old).map(|entry| entry.time).fold(now, max);
        match catalog.find(definition::GROUP, "v1", "customresourcedefinitions") {
            Some(served) => {
                Endpoint::new(served, "status")
                    .manager()
                    .update(arena, old, new, OWN_MANAGER, now)
            }
            None => new,
        }
    }

    /// Deletes the objects of a CRD that is being deleted, then the CRD itself.
    fn finish(&self, key: &str, entry: &Entry, definition: &Definition) -> bool {
        let arena = Arena::new();
        let metadata = definition.metadata.value(&arena);
        let finalizers = metadata.get("finalizers").and_then(Value::as_array);
        let finalizers = finalizers.unwrap_or_default();
        if !finalizers.contains(&Value::Str(FINALIZER)) {
            return true;
        }
        let group = &definition.spec.group;
        if let Some(served) = route::served_of(self, group, &definition.spec.names.plural)
            && !self.delete_all(&served)
        {
            return self.note_progress(key, entry, definition);
        }
        let rest: Vec<Value<'_>> = finalizers
            .iter()
            .copied()
            .filter(|&name| name != Value::Str(FINALIZER))
            .collect();
        let done = match rest.is_empty() {
            true => self.store.delete(key.as_bytes(), entry.modified).map(|_| None),
            false => {
                let rest = Value::Array(arena.alloc_slice_copy(&rest));
                let bytes = self.terminating(definition, &Deletion::Completed, Some(rest));
                let updated = self.store.update(key.as_bytes(), bytes.clone(), entry.modified);
                updated.map(|_| Some(bytes))
            }
        };
        match done {
            Ok(bytes) => {
                let name = key.strip_prefix(DEFINITIONS).unwrap_or_default();
                self.serve(self.catalog().with(name, bytes.as_ref()));
                true
            }
            Err(_) => false,
        }
    }

    /// Says in a CRD that objects of it are left, unless it says so already; `false` if somebody else wrote it first.
    fn note_progress(&self, key: &str, entry: &Entry, definition: &Definition) -> bool {
        let now = write::now(&*self.environment);
        if terminate(definition, &Deletion::InProgress, &now) == definition.status {
            return true;
        }
        let bytes = self.terminating(definition, &Deletion::InProgress, None);
        let name = key.strip_prefix(DEFINITIONS).unwrap_or_default();
        let written = self.store.update(key.as_bytes(), bytes.clone(), entry.modified);
        if written.is_ok() {
            self.serve(self.catalog().with(name, Some(&bytes)));
        }
        written.is_ok()
    }

    /// The bytes of a CRD that is being deleted, with how far that is, and with the finalizers that are left.
    fn terminating(&self, definition: &Definition, deletion: &Deletion, left: Option<Value<'_>>) -> Bytes {
        let (arena, now) = (Arena::new(), write::now(&*self.environment));
        let noted = Definition {
            status: terminate(definition, deletion, &now),
            ..definition.clone()
        };
        let (old, new) = (definition.to_value(&arena), noted.to_value(&arena));
        let mut noted = self.as_own(&arena, old, new, &now);
        if let Some(left) = left {
            noted.set(&arena, &["metadata", "finalizers"], left);
        }
        stored::bytes(noted)
    }

    /// Deletes all objects of a resource; `true` if none is left.
    fn delete_all(&self, served: &std::sync::Arc<Served>) -> bool {
        let Ok(page) = self.store.list(&List::of(served.key_prefix.as_bytes())) else {
            return false;
        };
        let mut is_empty = true;
        for entry in page.entries {
            let key = String::from_utf8_lossy(&entry.key).into_owned();
            let rest = key.strip_prefix(&*served.key_prefix).unwrap_or_default();
            let (namespace, name) = rest.rsplit_once('/').unwrap_or(("", rest));
            is_empty &= self.delete_one(served, namespace, name);
        }
        is_empty
    }

    fn delete_one(&self, served: &std::sync::Arc<Served>, namespace: &str, name: &str) -> bool {
        let user = User::default();
        let request = Request {
            method: "DELETE",
            path: "",
            query: "",
            headers: &[],
            body: b"",
            user: &user,
        };
        let info = RequestInfo {
            namespace: namespace.to_owned(),
            ..RequestInfo::default()
        };
        let (query, notes) = (Query::default(), Notes::default());
        let arena = Arena::new();
        let call = Call {
            api: self,
            store: &*self.store,
            environment: &*self.environment,
            request: &request,
            info: &info,
            query: &query,
            served,
            warnings: &notes.warnings,
            annotations: &notes.annotations,
        };
        match remove(&call, &arena, name, &DeleteOptions::default(), Asked::ByServer) {
            Ok(Removed::Gone(_)) => true,
            Ok(Removed::Held(_)) => false,
            Err(status) => status.code == 404,
        }
    }
}
