//! `DELETE` of one object (`Store.Delete` in apiserver's pkg/registry/generic/registry/store.go): immediate, or in two
//! steps if the object has finalizers.

mod finalizers;
mod grace;
mod unreadable;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::{self, Malformed, ObjectMeta, UnknownFields};
use kindsmith_request::Status;
use kindsmith_store::{Entry, Error};

use crate::context::Call;
use crate::request::delete_options::DeleteOptions;
use crate::response::status_response;
use crate::{Response, environment, stored, write};

use grace::Grace;

/// Deletes the object in the path.
pub(crate) fn delete(call: &Call<'_>) -> Result<Response, Status> {
    let accepted = status_response::accepted(call)?;
    let release = call.served.resource.release();
    let options = DeleteOptions::read(call.request, call.query, release)?;
    let arena = Arena::new();
    let name = call.info.path_name();
    if options.ignores_read_errors {
        if !call.served.resource.has_unsafe_deleter() {
            return Err(Status::internal(NO_UNSAFE_DELETER));
        }
        unreadable::delete(call, name, options.is_dry_run)?;
        call.wrote(options.is_dry_run, name, None);
        return Ok(status_response::success(call, accepted, 200, name, None));
    }
    warn(call, &options);
    let response = match remove(call, &arena, name, &options, Asked::ForOne)? {
        Removed::Held(object) => {
            let code = match options.orphan_dependents {
                Some(false) => 202,
                _ => 200,
            };
            status_response::object(call, accepted, code, object)
        }
        Removed::Gone(object) if call.served.resource.returns_deleted_object() => {
            status_response::object(call, accepted, 200, object)
        }
        Removed::Gone(object) => {
            let uid = object.lookup(&["metadata", "uid"]).and_then(Value::as_str);
            status_response::success(call, accepted, 200, name, uid)
        }
    };
    call.wrote(options.is_dry_run, name, None);
    Ok(response)
}

/// Says that the storage of a kind cannot delete what it cannot read.
const NO_UNSAFE_DELETER: &str =
    "no unsafe deleter provided, can not honor ignoreStoreReadErrorWithClusterBreakingPotential";

/// Warns who leaves it to the kind what happens to dependents, where that surprises.
pub(crate) fn warn(call: &Call<'_>, options: &DeleteOptions) {
    if options.orphan_dependents.is_none() && options.propagation.is_none() {
        let warning = call.served.resource.deletion_warning();
        call.warn(warning.map(|text| text.to_owned().into()));
    }
}

/// The origin of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A request to delete this object.
    ForOne,
    /// A request to delete a collection; webhooks do not get the names.
    ForMany,
    /// The server itself; no webhooks are called.
    ByServer,
}

/// The result of a deletion.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Removed<'a> {
    /// The object still exists and waits for its finalizers.
    Held(Value<'a>),
    /// The object is deleted; this was its last state.
    Gone(Value<'a>),
}

/// Deletes an object, or marks it for deletion. Starts again if somebody else changes it meanwhile.
pub(crate) fn remove<'a>(
    call: &Call<'a>,
    arena: &'a Arena,
    name: &str,
    options: &DeleteOptions,
    asked: Asked,
) -> Result<Removed<'a>, Status> {
    let key = call.key_of(name)?;
    let mut current = call.store.get(key.as_bytes(), None).map_err(stored::failure)?;
    loop {
        let Some(entry) = current else {
            return Err(Status::not_found(&call.served.group, &call.served.plural, name));
        };
        // Nobody can read the finalizers of what is lost, and its CRD must be able to go.
        let attempted = if asked == Asked::ByServer && !stored::is_json(&entry) {
            vanish(call, arena, &key, (&entry, Value::Object(Object::EMPTY)), false)
        } else {
            attempt(call, arena, &key, &entry, (options, asked))
        };
        match attempted? {
            Ok(removed) => return Ok(removed),
            Err(now) => current = now,
        }
    }
}

type Attempt<'a> = Result<Removed<'a>, Option<Entry>>;

/// Tries to delete this state; the error is the current state if it has changed.
fn attempt<'a>(
    call: &Call<'a>,
    arena: &'a Arena,
    key: &str,
    entry: &Entry,
    (options, asked): (&DeleteOptions, Asked),
) -> Result<Attempt<'a>, Status> {
    let resource = &call.served.resource;
    let value = stored::copy(arena, entry)?;
    let is_shown = asked != Asked::ByServer;
    let read = |version: &str| {
        resource
            .read(arena, value, version)
            .map_err(|error| error.of_read(resource.release(), entry))
    };
    // A webhook sees what is deleted as the request does.
    let object = if is_shown && resource.may_wait() {
        read(&call.served.version)?
    } else {
        let stored = resource.read_stored(arena, value);
        stored.map_err(|error| error.of_read(resource.release(), entry))?
    };
    let meta = meta_of(arena, object)?;
    check_conditions(call, &meta, entry, options)?;
    let grace = grace::of(call, object, &meta, options);
    if matches!(grace, Some(Grace::Pending)) {
        let shown = read(&call.served.version)?;
        let shown = stored::with_revision(arena, shown, entry.modified);
        return Ok(Ok(Removed::Held(shown)));
    }
    if is_shown {
        let shown = if resource.may_wait() {
            object
        } else {
            read(&call.served.version)?
        };
        let shown = stored::with_revision(arena, shown, entry.modified);
        let name = if asked == Asked::ForOne { meta.name } else { "" };
        write::admit::admit_deletion(call, arena, name, shown, options)?;
    }
    let now = arena.alloc_str(&environment::now(call.environment));
    let policy = resource.garbage_collection();
    let finalizers = finalizers::after(policy, options, &meta);
    if let Some(first) = resource.begin_deletion(arena, object, now, &finalizers) {
        let kept = keep(call, arena, key, entry, first, options.is_dry_run)?;
        return Ok(kept.map(Removed::Held));
    }
    if let Some(Grace::Set { moment, seconds }) = &grace {
        let marked = grace::mark(arena, object, meta, (moment, *seconds), finalizers.clone());
        let kept = keep(call, arena, key, entry, marked, options.is_dry_run)?;
        let is_over = finalizers.is_empty() && *seconds == 0;
        return match kept {
            Ok(shown) if is_over && options.is_dry_run => Ok(Ok(Removed::Gone(shown))),
            Ok(shown) if is_over => {
                // Watchers have seen that it goes, and may act on that; then it does.
                if asked == Asked::ForOne {
                    call.environment.pause();
                }
                match call.store.get(key.as_bytes(), None).map_err(stored::failure)? {
                    Some(entry) => vanish(call, arena, key, (&entry, shown), false),
                    None => Ok(Ok(Removed::Gone(shown))),
                }
            }
            kept => Ok(kept.map(Removed::Held)),
        };
    }
    if finalizers.is_empty() {
        let shown = if resource.may_wait() {
            object
        } else {
            read(&call.served.version)?
        };
        return vanish(call, arena, key, (entry, shown), options.is_dry_run);
    }
    let marked = mark(arena, call, object, meta, finalizers, now);
    let kept = keep(call, arena, key, entry, marked, options.is_dry_run)?;
    Ok(kept.map(Removed::Held))
}

/// Marks an object for deletion (`markAsDeleting`).
fn mark<'a>(
    arena: &'a Arena,
    call: &Call<'a>,
    mut object: Value<'a>,
    mut meta: ObjectMeta<'a>,
    finalizers: Vec<&'a str>,
    now: &'a str,
) -> Value<'a> {
    if meta.deletion_timestamp.is_none() {
        if meta.generation > 0 {
            meta.generation += 1;
        }
        meta.deletion_timestamp = Some(now);
    }
    meta.deletion_grace_period_seconds = Some(0);
    let finalizers = finalizers.into_iter().map(Value::Str);
    meta.finalizers = arena.alloc_slice_fill_iter(finalizers.collect::<Vec<_>>());
    let metadata = if call.served.resource.is_custom() {
        meta.encode(arena)
    } else {
        meta.encode_built_in(arena)
    };
    object.set(arena, &["metadata"], metadata.into());
    object
}

/// Stores an object that is kept for now, and returns it in the requested version.
fn keep<'a>(
    call: &Call<'a>,
    arena: &'a Arena,
    key: &str,
    entry: &Entry,
    object: Value<'a>,
    is_dry_run: bool,
) -> Result<Result<Value<'a>, Option<Entry>>, Status> {
    let resource = &call.served.resource;
    let object = if resource.may_wait() {
        resource.to_storage(arena, object)?
    } else {
        object
    };
    let bytes = stored::bytes(object, stored::order(call.served));
    let revision = if is_dry_run || bytes == entry.value {
        Ok(entry.modified)
    } else {
        call.store.update(key.as_bytes(), bytes, entry.modified)
    };
    let revision = match revision {
        Ok(revision) => revision,
        Err(Error::Conflict(now)) => return Ok(Err(now)),
        Err(error) => return Err(stored::failure(error)),
    };
    if !is_dry_run {
        write::convert_later(call, object, revision);
    }
    let shown = resource.read(arena, object, &call.served.version);
    let shown = shown.map_err(|error| error.of_write(resource.release(), revision))?;
    Ok(Ok(stored::with_revision(arena, shown, revision)))
}

/// Removes an object without finalizers.
fn vanish<'a>(
    call: &Call<'a>,
    arena: &'a Arena,
    key: &str,
    (entry, shown): (&Entry, Value<'a>),
    is_dry_run: bool,
) -> Result<Attempt<'a>, Status> {
    let shown = stored::with_revision(arena, shown, entry.modified);
    if is_dry_run {
        return Ok(Ok(Removed::Gone(shown)));
    }
    match call.store.delete(key.as_bytes(), entry.modified) {
        Ok(revision) => Ok(Ok(Removed::Gone(stored::with_revision(arena, shown, revision)))),
        Err(Error::Conflict(now)) => Ok(Err(now)),
        Err(error) => Err(stored::failure(error)),
    }
}

pub(crate) fn meta_of<'a>(arena: &'a Arena, object: Value<'a>) -> Result<ObjectMeta<'a>, Status> {
    let metadata = object.get("metadata").unwrap_or_default();
    meta::decode(arena, metadata, Malformed::Drop, UnknownFields::Ignore)
        .map(|decoded| decoded.meta)
        .map_err(|error| Status::internal(&error.to_string()))
}

/// Checks the preconditions on uid and resource version (`BeforeDelete` in apiserver's pkg/registry/rest/delete.go,
/// which names the kind where other errors name the resource).
pub(crate) fn check_conditions(
    call: &Call<'_>,
    meta: &ObjectMeta<'_>,
    entry: &Entry,
    options: &DeleteOptions,
) -> Result<(), Status> {
    let current = entry.modified.to_string();
    if let Some(refusal) = call.served.resource.precondition_refusal() {
        return check_own_conditions(call, meta, &current, options, refusal);
    }
    let refuse = |why: String| {
        Err(Status::conflict(
            &call.served.group,
            &call.served.kind,
            meta.name,
            &why,
        ))
    };
    if let Some(uid) = options.uid.as_deref().filter(|uid| *uid != meta.uid) {
        return refuse(format!(
            "the UID in the precondition ({uid}) does not match the UID in record ({}). The object might have been \
             deleted and then recreated",
            meta.uid
        ));
    }
    match options.resource_version.as_deref() {
        Some(version) if version != current => refuse(format!(
            "the ResourceVersion in the precondition ({version}) does not match the ResourceVersion in record \
             ({current}). The object might have been modified"
        )),
        _ => Ok(()),
    }
}

/// The preconditions of kinds that check them before they begin (`REST.Delete` of namespaces and CRDs).
fn check_own_conditions(
    call: &Call<'_>,
    meta: &ObjectMeta<'_>,
    current: &str,
    options: &DeleteOptions,
    refusal: &str,
) -> Result<(), Status> {
    let conditions = [
        ("UID", options.uid.as_deref(), meta.uid),
        ("ResourceVersion", options.resource_version.as_deref(), current),
    ];
    for (what, wanted, found) in conditions {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != found) {
            let why = format!("{refusal}: {what} in precondition: {wanted}, {what} in object meta: {found}");
            return Err(Status::conflict(
                &call.served.group,
                &call.served.plural,
                meta.name,
                &why,
            ));
        }
    }
    Ok(())
}
