//! The steps of a write, from the options to the store, for all changes: a body, a patch, an apply, a scale.
//!
//! Knows no verb and no media type: a [`Change`] makes the new object from the old one.

pub(crate) mod admit;
pub(crate) mod lookup;
pub(crate) mod managed_fields;
pub(crate) mod moment;
mod param_access;
pub(crate) mod pools;
pub(crate) mod unstored_creation;

use std::sync::Arc;

use kindsmith_gostd::budget;
use kindsmith_json::{Arena, Value};
use kindsmith_object::store_key::EVENTS;
use kindsmith_request::{Admission, Operation, Outcome, Status, Write, Written};
use kindsmith_store::{Bytes, Entry, Error, Ttl};

use crate::context::{Call, Created};
use crate::environment::stamp;
use crate::request::write_options::WriteOptions;
use crate::stored::Freshness;
use crate::verbatim::{Settled, Verbatim};
use crate::write::admit::Admit;
use crate::{Served, Unreadable, stored};

/// How often a generated name is tried before giving up.
const NAME_ATTEMPTS: usize = 8;

/// A change to an object. Called again if somebody else writes the object first.
pub(crate) trait Change {
    /// Makes the new object: decodes or merges, defaults, admits, prepares and validates it.
    fn make<'a>(
        &'a self,
        arena: &'a Arena,
        write: &Write<'a>,
        admission: &mut dyn Admission<'a>,
    ) -> Outcome<'a>;

    /// Whether a missing object is created.
    fn creation(&self) -> Creation {
        Creation::Never
    }

    /// Whether it sets managed fields itself.
    fn is_apply(&self) -> bool {
        false
    }
}

/// What an update does if the object does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Creation {
    /// Fails with 404.
    Never,
    /// The kind decides.
    ByKind,
    /// Creates it.
    Always,
}

/// A finished write.
pub(crate) struct Done<R> {
    /// The response made from the object.
    pub(crate) answer: R,
    /// Whether the object is new.
    pub(crate) is_created: bool,
}

/// Creates an object. `answer` makes the response while the object can still be borrowed.
pub(crate) fn create<R>(
    call: &Call<'_>,
    options: &WriteOptions,
    change: &dyn Change,
    answer: impl Fn(Settled<'_>) -> Result<R, Status>,
) -> Result<R, Status> {
    let mut attempt = 1;
    loop {
        let arena = Arena::new();
        let write = Write {
            version: &call.served.version,
            operation: Operation::Create,
            namespace: call.namespace(),
            name: "",
            field_validation: options.field_validation,
            is_dry_run: options.is_dry_run,
            stamp: stamp(&arena, call.environment),
        };
        let manager = (!change.is_apply()).then_some(options.manager.as_str());
        let mut admission = Admit::new(call, manager, &arena, &write);
        let Outcome { result, warnings } = change.make(&arena, &write, &mut admission);
        call.warn(warnings);
        let written = result?;
        let name = stored::name(written.object);
        let key = call.key_of(name)?;
        let bytes = bytes_of(call.served, &written);
        match insert(call, options, &key, &bytes)? {
            Ok(revision) => {
                let revised = (options.is_dry_run, revision);
                let object = settle(call, &arena, &written, revised, name, Some(&bytes))?;
                let stored = (!options.is_dry_run).then_some((&bytes, revision));
                return answer(Settled { object, stored });
            }
            Err(_) if admission.is_generated && attempt < NAME_ATTEMPTS => attempt += 1,
            Err(holder) => return Err(already_exists(call, written.object, &holder)),
        }
    }
}

/// Stores a new object; the error is the existing one.
fn insert(
    call: &Call<'_>,
    options: &WriteOptions,
    key: &str,
    bytes: &Bytes,
) -> Result<Result<u64, Entry>, Status> {
    if options.is_dry_run {
        let holder = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
        return Ok(holder.map_or(Ok(0), Err));
    }
    match put(call, key, bytes.clone(), 0) {
        Ok(revision) => Ok(Ok(revision)),
        Err(Error::Conflict(Some(holder))) => Ok(Err(holder)),
        Err(error) => Err(stored::failure(error)),
    }
}

/// Why an object is not created (`Store.create` and `CheckGeneratedNameError` in apiserver's pkg/registry): a sent
/// `generateName` counts even if the name was sent too.
fn already_exists(call: &Call<'_>, object: Value<'_>, holder: &Entry) -> Status {
    let generate_name = object.lookup(&["metadata", "generateName"]);
    let is_generated = generate_name
        .and_then(Value::as_str)
        .is_some_and(|prefix| !prefix.is_empty());
    // The group is then that of the internal type, which events of both groups share.
    let group = if is_generated && holder.key.starts_with(EVENTS.as_bytes()) {
        ""
    } else {
        &*call.served.group
    };
    let mut status = Status::already_exists(group, &call.served.plural, stored::name(object));
    if is_generated {
        let more = ", the server was not able to generate a unique name for the object";
        status.message.push_str(more);
        if let Some(details) = &mut status.details {
            details.retry_after_seconds = 1;
        }
    }
    let arena = Arena::new();
    let holder = kindsmith_json::parse(&arena, &holder.value).unwrap_or_default();
    if holder.lookup(&["metadata", "deletionTimestamp"]).is_some() {
        status.message.insert_str(0, "object is being deleted: ");
    }
    status
}

/// Changes the object in the path, or a subresource. Starts again if another write comes first.
pub(crate) fn update<R>(
    call: &Call<'_>,
    options: &WriteOptions,
    change: &dyn Change,
    answer: impl Fn(Settled<'_>) -> Result<R, Status>,
) -> Result<Done<R>, Status> {
    let key = call.key_of(call.info.path_name())?;
    let mut current = call.store.get_seen(key.as_bytes()).map_err(stored::failure)?;
    // Another server may have written it. If so the write fails and starts again; otherwise a round trip is saved
    // (`GuaranteedUpdate` in apiserver's pkg/storage/etcd3/store.go).
    let mut is_current = !call.store.is_remote();
    loop {
        let outcome = attempt(call, options, change, &key, current.as_ref(), &answer);
        let found = match outcome {
            Ok(Attempt::Lost(now)) => now,
            Ok(Attempt::Done(done)) => return done,
            Ok(Attempt::Unchanged(done)) if is_current => return done,
            Err(status) if is_current => return Err(status),
            outcome => {
                let found = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
                let modified = |entry: &Option<Entry>| entry.as_ref().map(|entry| entry.modified);
                if modified(&found) == modified(&current) {
                    match outcome? {
                        Attempt::Done(done) | Attempt::Unchanged(done) => return done,
                        Attempt::Lost(_) => {}
                    }
                }
                found
            }
        };
        (current, is_current) = (found, true);
    }
}

/// What became of an attempt to write.
enum Attempt<R> {
    /// It is written; perhaps it cannot be shown.
    Done(Result<Done<R>, Status>),
    /// There was nothing to write.
    Unchanged(Result<Done<R>, Status>),
    /// Another write came first and left this.
    Lost(Option<Entry>),
}

/// Tries to change an object from a state that may be out of date.
fn attempt<R>(
    call: &Call<'_>,
    options: &WriteOptions,
    change: &dyn Change,
    key: &str,
    current: Option<&Entry>,
    answer: &impl Fn(Settled<'_>) -> Result<R, Status>,
) -> Result<Attempt<R>, Status> {
    let name = call.info.path_name();
    if current.is_none() && change.creation() == Creation::Never {
        return Err(call.not_found());
    }
    let arena = Arena::new();
    let old = match current {
        Some(entry) => {
            let old = stored::read_as(&arena, call.served, entry, Freshness::Kept);
            let release = call.served.resource.release();
            Some(old.map_err(|error| error.of_write(release, entry.modified))?)
        }
        None => None,
    };
    let write = Write {
        version: &call.served.version,
        operation: match (old, change.creation()) {
            (None, Creation::Always) => Operation::Create,
            _ => operation(call, old),
        },
        namespace: call.namespace(),
        name,
        field_validation: options.field_validation,
        is_dry_run: options.is_dry_run,
        stamp: stamp(&arena, call.environment),
    };
    let manager = (!change.is_apply()).then_some(options.manager.as_str());
    let mut admission = Admit::new(call, manager, &arena, &write);
    let Outcome { result, warnings } = change.make(&arena, &write, &mut admission);
    call.warn(warnings);
    let mut written = result?;
    if let Some(old) = old {
        keep_times(&arena, old, &mut written);
    }
    let bytes = bytes_of(call.served, &written);
    let revision = match commit(call, options, key, current, (&bytes, written.is_removed))? {
        Ok(revision) => revision,
        Err(now) => return Ok(Attempt::Lost(now)),
    };
    let revised = (options.is_dry_run, revision);
    let settled = settle(call, &arena, &written, revised, name, None);
    let done = settled
        .and_then(|object| {
            let stored = (!options.is_dry_run).then_some((&bytes, revision));
            answer(Settled { object, stored })
        })
        .map(|answer| Done {
            answer,
            is_created: current.is_none(),
        });
    let is_unchanged = !written.is_removed && current.is_some_and(|entry| entry.modified == revision);
    Ok(if is_unchanged || options.is_dry_run {
        Attempt::Unchanged(done)
    } else {
        Attempt::Done(done)
    })
}

/// Follows a write that is done; gives the object with its revision. `created` is what was stored for a new object.
fn settle<'a>(
    call: &Call<'_>,
    arena: &'a Arena,
    written: &Written<'a>,
    (is_dry_run, revision): (bool, u64),
    name: &str,
    created: Option<&Bytes>,
) -> Result<Value<'a>, Status> {
    let created = created.map(|bytes| Created {
        value: written.stored,
        bytes,
        revision,
    });
    budget::finish(|| follow(call, written, (is_dry_run, revision), name, created));
    match written.unreadable {
        Some(why) if is_dry_run => Err(Status::unforeseen(why)),
        Some(why) => {
            let release = call.served.resource.release();
            Err(Unreadable::Corrupt(why.to_owned()).of_write(release, revision))
        }
        // A dry run of a create has no revision; it may have what admission set.
        None if is_dry_run && revision == 0 => Ok(written.object),
        None => Ok(stored::with_revision(arena, written.object, revision)),
    }
}

fn follow(
    call: &Call<'_>,
    written: &Written<'_>,
    (is_dry_run, revision): (bool, u64),
    name: &str,
    created: Option<Created<'_>>,
) {
    if !is_dry_run {
        let is_scale = call.info.subresource == "scale";
        if !is_scale && written.unreadable.is_none() {
            call.served
                .resource
                .keep(&call.served.version, revision, written.object);
        }
        if !written.is_removed {
            convert_later(call, written.stored, revision);
        }
    }
    call.wrote(is_dry_run, name, created);
}

/// Lets the webhook convert what was written to all versions, for updates and watches to come.
pub(crate) fn convert_later(call: &Call<'_>, stored: Value<'_>, revision: u64) {
    let served = call.served;
    let Some(caller) = &call.core.webhooks.caller else {
        return;
    };
    if !served.resource.may_wait() {
        return;
    }
    let catalog = call.core.catalog();
    let is_other = |other: &&Arc<Served>| {
        other.plural == served.plural && *other.version != *served.resource.storage_version()
    };
    let others: Vec<Arc<Served>> = catalog
        .group(&served.group)
        .iter()
        .filter(is_other)
        .cloned()
        .collect();
    let bytes = stored::bytes(stored, stored::order(served));
    caller.later(Box::new(move || {
        for other in &others {
            let arena = Arena::new();
            let stored = kindsmith_json::parse(&arena, &bytes).unwrap_or_default();
            // Whoever needs the object will be told what is wrong.
            let _ = other.resource.read_kept(&arena, stored, &other.version, revision);
        }
    }));
}

fn operation<'a>(call: &Call<'a>, old: Option<Value<'a>>) -> Operation<'a> {
    match call.info.subresource.as_str() {
        "" | "scale" => Operation::Update { old },
        // Kinds that an update creates are created by an update of their status, too.
        "status" if old.is_none() && call.served.resource.creates_on_update() => Operation::Update { old },
        "status" => Operation::UpdateStatus { old },
        subresource => Operation::UpdateSubresource { subresource, old },
    }
}

/// Stores a new state; the error is the current state if it has changed. Writes nothing if the state is unchanged.
fn commit(
    call: &Call<'_>,
    options: &WriteOptions,
    key: &str,
    current: Option<&Entry>,
    (bytes, is_removed): (&Bytes, bool),
) -> Result<Result<u64, Option<Entry>>, Status> {
    let expected = current.map_or(0, |entry| entry.modified);
    if options.is_dry_run || (!is_removed && current.is_some_and(|entry| is_same(&entry.value, bytes))) {
        return Ok(Ok(expected));
    }
    let result = if is_removed {
        call.store.delete(key.as_bytes(), expected).map(|_| expected)
    } else {
        put(call, key, bytes.clone(), expected)
    };
    match result {
        Ok(revision) => Ok(Ok(revision)),
        Err(Error::Conflict(now)) => Ok(Err(now)),
        Err(error) => Err(stored::failure(error)),
    }
}

/// The bytes to store; they know if they are what is answered.
fn bytes_of(served: &Served, written: &Written<'_>) -> Bytes {
    let order = stored::order(served);
    let bytes = stored::bytes(written.stored, order);
    if is_identical(written)
        && let Some(verbatim) = Verbatim::of(served)
    {
        verbatim.foresee(&bytes, order);
    }
    bytes
}

/// Whether what is stored is what is answered.
fn is_identical(written: &Written<'_>) -> bool {
    match (written.object, written.stored) {
        (Value::Object(object), Value::Object(stored)) => {
            written.unreadable.is_none() && std::ptr::eq(object.entries(), stored.entries())
        }
        _ => false,
    }
}

/// Whether two stored states are the same but for the order of members, which the reference sorts.
fn is_same(old: &[u8], new: &[u8]) -> bool {
    if old.len() != new.len() || old == new {
        return old == new;
    }
    let arena = Arena::new();
    let parse = |bytes| kindsmith_json::parse(&arena, bytes).ok();
    parse(old).is_some_and(|old| parse(new) == Some(old))
}

/// Stores a state, for as long as its kind is kept.
fn put(call: &Call<'_>, key: &str, bytes: Bytes, expected: u64) -> Result<u64, Error> {
    let kind = call.served.resource.built_in();
    let Some(seconds) = kind.and_then(|kind| kind.strategy.lifetime_seconds()) else {
        return call.store.update(key.as_bytes(), bytes, expected);
    };
    let ttl = Ttl {
        now: u64::try_from(call.environment.steady().seconds).unwrap_or_default(),
        seconds: call.core.writes.event_ttl_seconds.unwrap_or(seconds),
    };
    call.store.update_with_ttl(key.as_bytes(), bytes, expected, ttl)
}

/// If only the times of managed fields would change, keeps the old times, so that nothing is written.
fn keep_times<'a>(arena: &'a Arena, old: Value<'a>, written: &mut Written<'a>) {
    let path = ["metadata", "managedFields"];
    let old = stored::with_revision(arena, old, 0);
    let new = stored::with_revision(arena, written.object, 0);
    let kept = kindsmith_merge::keep_times(arena, old, new);
    if let Some(managed) = kept.lookup(&path)
        && Some(managed) != written.object.lookup(&path)
    {
        let is_identical = is_identical(written);
        written.object.set(arena, &path, managed);
        if is_identical {
            written.stored = written.object;
        } else {
            written.stored.set(arena, &path, managed);
        }
    }
}
