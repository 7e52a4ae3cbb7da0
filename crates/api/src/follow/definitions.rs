//! The lifecycle of CRDs: after each write their status is set and the catalog is updated; deleting a CRD first deletes
//! its objects.

use std::cmp::max;
use std::sync::PoisonError;

use kindsmith_crd::definition::{self, Deletion, FINALIZER, conditions, terminate};
use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Value, span};
use kindsmith_object::store_key::CUSTOM_RESOURCE_DEFINITIONS as DEFINITIONS;
use kindsmith_openapi::crd::{self, Definition, Values};
use kindsmith_store::{Bytes, Entry, Event, List};

use super::Follower;
use crate::bootstrap::api_services;
use crate::context::{Call, Created, Notes};
use crate::request::delete_options::DeleteOptions;
use crate::request::query::Query;
use crate::resource::read_definition;
use crate::verb::delete::{Asked, Removed, remove};
use crate::write::managed_fields::Endpoint;
use crate::write::moment;
use crate::{Request, RequestInfo, Served, User, environment, stored};

/// The field manager of CRD status.
const OWN_MANAGER: &str = "kube-apiserver";

impl Follower<'_> {
    /// Takes over a CRD change made by another server: an event of a watch on [`crate::Api::definitions`].
    pub(crate) fn refresh(&self, event: &Event) {
        let _guard = self.turns.defining.lock().unwrap_or_else(PoisonError::into_inner);
        let key = std::str::from_utf8(&event.key).ok();
        if let Some(name) = key.and_then(|key| key.strip_prefix(&*DEFINITIONS)) {
            self.core.define(name, event.value.as_ref());
        }
    }

    /// Updates the catalog after a CRD was written or deleted. The request has been answered by then, so no error can
    /// be reported: whatever fails is tried again at the next write.
    pub(crate) fn follow_definition(&self, name: &str, created: Option<Created<'_>>) {
        let _guard = self.turns.defining.lock().unwrap_or_else(PoisonError::into_inner);
        let group = name.split_once('.').map_or("", |(_, group)| group);
        let before = api_services::served(&self.core.catalog(), Some(group));
        let begun = created.and_then(|created| self.begin(name, created));
        if begun.is_none() {
            self.settle(name);
        }
        // Another CRD may be waiting for a name that is now free.
        for other in self.core.catalog().unsettled_of(group) {
            if *other != *name {
                self.settle(&other);
            }
        }
        let server = (&*self.core.store, &*self.core.environment);
        api_services::register_changes(server, &self.core.catalog(), group, &before);
    }

    /// Finishes CRD deletions and status updates that a previous run left half done.
    pub(crate) fn settle_all(&self) {
        let _guard = self.turns.defining.lock().unwrap_or_else(PoisonError::into_inner);
        for name in self.core.catalog().unsettled() {
            self.settle(&name);
        }
    }

    /// Sets the first status of a CRD that was just created; `None` if it has to be read for that, or somebody else wrote it
    /// first.
    ///
    /// Validation found its schemas to be structural, and no condition says more about them. So they are neither decoded nor
    /// written again, but copied: with the large CRDs of Config Connector that saves two fifths of a create.
    fn begin(&self, name: &str, created: Created<'_>) -> Option<()> {
        let arena = Arena::new();
        let outline = crd::read(without_schemas(&arena, created.value), crd::Source::Unknown);
        let definition = outline.ok()?.definition;
        let others = self.core.catalog().other_names(&definition.spec.group, name);
        let now = environment::now(&*self.core.environment);
        let status = conditions(&definition, &others, &now);
        let settled = Definition {
            status,
            ..definition.clone()
        };
        let values = Values::new(&arena);
        let (old, new) = (values.of(&definition), values.of(&settled));
        let own = self.as_own(&arena, old, new, &now);
        let bytes = with_spec_of(created, own)?;
        let mut whole = own;
        whole.set(&arena, &["spec"], created.value.get("spec")?);
        let key = DEFINITIONS.key("", name);
        let written = self
            .core
            .store
            .update(key.as_bytes(), bytes.clone(), created.revision);
        written.ok()?;
        self.core.define_value(name, &bytes, whole);
        Some(())
    }

    /// Repeats [`Self::settle_entry`] until the CRD needs no more changes.
    fn settle(&self, name: &str) {
        let key = DEFINITIONS.key("", name);
        // Retry on conflicts, but not forever.
        for _ in 0..100 {
            let Ok(entry) = self.core.store.get(key.as_bytes(), None) else {
                return;
            };
            let done = match entry {
                None => {
                    self.core.define(name, None);
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
            self.core.define(name, Some(&entry.value));
            return self.finish(key, entry, &definition);
        }
        let others = self.core.catalog().other_names(&definition.spec.group, name);
        let now = environment::now(&*self.core.environment);
        let status = conditions(&definition, &others, &now);
        if status == definition.status {
            self.core.define(name, Some(&entry.value));
            return true;
        }
        let settled = Definition {
            status,
            ..definition.clone()
        };
        // What both have in common is made once, and not compared.
        let values = Values::new(&arena);
        let (old, new) = (values.of(&definition), values.of(&settled));
        let bytes = stored::bytes(self.as_own(&arena, old, new, &now), Order::Kept);
        match self
            .core
            .store
            .update(key.as_bytes(), bytes.clone(), entry.modified)
        {
            Ok(_) => {
                self.core.define_value(name, &bytes, new);
                true
            }
            Err(_) => false,
        }
    }

    /// The CRD with managed fields for a status change by the server itself.
    fn as_own<'a>(&self, arena: &'a Arena, old: Value<'a>, new: Value<'a>, now: &'a str) -> Value<'a> {
        let catalog = self.core.catalog();
        // The last write may be dated in the future (see `moment`); the status must not be older.
        let now = moment::entries(old).map(|entry| entry.time).fold(now, max);
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
        if let Some(served) = self.core.catalog().first(group, &definition.spec.names.plural)
            && !self.delete_all(&served)
        {
            return self.note_progress(key, entry, definition);
        }
        let rest: Vec<Value<'_>> = finalizers
            .iter()
            .copied()
            .filter(|&name| name != Value::Str(FINALIZER))
            .collect();
        let done = if rest.is_empty() {
            self.core
                .store
                .delete(key.as_bytes(), entry.modified)
                .map(|_| None)
        } else {
            let rest = Value::Array(arena.alloc_slice_copy(&rest));
            let bytes = self.terminating(definition, &Deletion::Completed, Some(rest));
            let updated = self
                .core
                .store
                .update(key.as_bytes(), bytes.clone(), entry.modified);
            updated.map(|_| Some(bytes))
        };
        match done {
            Ok(bytes) => {
                let name = key.strip_prefix(&*DEFINITIONS).unwrap_or_default();
                self.core.define(name, bytes.as_ref());
                true
            }
            Err(_) => false,
        }
    }

    /// Says in a CRD that objects of it are left, unless it says so already; `false` if somebody else wrote it first.
    fn note_progress(&self, key: &str, entry: &Entry, definition: &Definition) -> bool {
        let now = environment::now(&*self.core.environment);
        if terminate(definition, &Deletion::InProgress, &now) == definition.status {
            return true;
        }
        let bytes = self.terminating(definition, &Deletion::InProgress, None);
        let name = key.strip_prefix(&*DEFINITIONS).unwrap_or_default();
        let written = self
            .core
            .store
            .update(key.as_bytes(), bytes.clone(), entry.modified);
        if written.is_ok() {
            self.core.define(name, Some(&bytes));
        }
        written.is_ok()
    }

    /// The bytes of a CRD that is being deleted, with how far that is, and with the finalizers that are left.
    fn terminating(&self, definition: &Definition, deletion: &Deletion, left: Option<Value<'_>>) -> Bytes {
        let (arena, now) = (Arena::new(), environment::now(&*self.core.environment));
        let noted = Definition {
            status: terminate(definition, deletion, &now),
            ..definition.clone()
        };
        let values = Values::new(&arena);
        let (old, new) = (values.of(definition), values.of(&noted));
        let mut noted = self.as_own(&arena, old, new, &now);
        if let Some(left) = left {
            noted.set(&arena, &["metadata", "finalizers"], left);
        }
        stored::bytes(noted, Order::Kept)
    }

    /// Deletes all objects of a resource; `true` if none is left.
    fn delete_all(&self, served: &std::sync::Arc<Served>) -> bool {
        let Ok(page) = self.core.store.list(&List::of(served.key_prefix.as_bytes())) else {
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
            core: self.core,
            above: self.above,
            store: &*self.core.store,
            environment: &*self.core.environment,
            request: &request,
            info: &info,
            query: &query,
            caught_up: None,
            served,
            notes: &notes,
        };
        match remove(&call, &arena, name, &DeleteOptions::default(), Asked::ByServer) {
            Ok(Removed::Gone(_)) => true,
            Ok(Removed::Held(_)) => false,
            Err(status) => status.code == 404,
        }
    }
}

/// A CRD whose versions have no schemas.
fn without_schemas<'a>(arena: &'a Arena, definition: Value<'a>) -> Value<'a> {
    const VERSIONS: [&str; 2] = ["spec", "versions"];
    let mut outline = definition;
    if let Some(versions) = definition.lookup(&VERSIONS).and_then(Value::as_array) {
        let bare = versions.iter().map(|&version| {
            let mut version = version;
            version.unset(arena, &["schema"]);
            version
        });
        let bare = Value::Array(arena.alloc_slice_fill_iter(bare));
        outline.set(arena, &VERSIONS, bare);
    }
    outline
}

/// The bytes of a CRD with the spec of one that was created.
fn with_spec_of(created: Created<'_>, definition: Value<'_>) -> Option<Bytes> {
    let spec = spec_of(created)?;
    let bytes = stored::bytes(definition, Order::Kept);
    let place = span(&bytes, "spec")?;
    let parts = [&bytes[..place.start], spec, &bytes[place.end..]];
    Some(parts.concat().into())
}

/// The text of the spec, which is between metadata and status: it is long, so it is not looked through for its end.
fn spec_of(created: Created<'_>) -> Option<&[u8]> {
    let metadata = span(created.bytes, "metadata")?;
    let status = stored::text(created.value.get("status")?, Order::Kept);
    let rest = created.bytes[metadata.end..].strip_prefix(b",\"spec\":")?;
    let rest = rest.strip_suffix(b"}")?.strip_suffix(status.as_bytes())?;
    rest.strip_suffix(b",\"status\":")
}
