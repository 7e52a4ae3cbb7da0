//! The identity of an object: its namespace, name, uid and resource version compared with those of the URL and of the
//! stored object, and the metadata that the server itself sets.

use kindsmith_gostd::strconv;
use kindsmith_json::Arena;
use kindsmith_object::meta::{ObjectMeta, Scope};

use crate::{Stamp, Status};

/// The maximum length of a generated name; the suffix has five characters (apiserver's pkg/storage/names/generate.go).
const NAME_LIMIT: usize = 63;

/// Clears what a client cannot set (`WipeObjectMetaSystemFields` in apiserver's pkg/registry/rest/meta.go).
pub(crate) fn wipe(meta: &mut ObjectMeta<'_>) {
    meta.creation_timestamp = None;
    meta.uid = "";
    meta.deletion_timestamp = None;
    meta.deletion_grace_period_seconds = None;
    meta.self_link = "";
}

/// Sets creation time and uid of a new object, and generates its name if `generateName` is set.
pub fn fill<'a>(arena: &'a Arena, meta: &mut ObjectMeta<'a>, stamp: &Stamp<'a>) {
    meta.creation_timestamp = Some(stamp.now);
    meta.uid = stamp.uid;
    if meta.name.is_empty() && !meta.generate_name.is_empty() {
        meta.name = match stamp.name_suffix {
            "" => meta.generate_name,
            suffix => {
                let base = prefix(meta.generate_name, NAME_LIMIT.saturating_sub(suffix.len()));
                arena.alloc_str(&format!("{base}{suffix}"))
            }
        };
    }
}

/// At most `limit` bytes of a text, cut between characters.
fn prefix(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Sets the namespace to that of the request (`EnsureObjectNamespaceMatchesRequestNamespace`). The namespace of a
/// cluster-scoped object is removed.
///
/// # Errors
///
/// If the object names another namespace.
pub(crate) fn settle_namespace<'a>(
    meta: &mut ObjectMeta<'a>,
    scope: Scope,
    namespace: &'a str,
) -> Result<(), Status> {
    let expected = match scope {
        Scope::Namespaced => namespace,
        Scope::Cluster => "",
    };
    if !meta.namespace.is_empty() && !expected.is_empty() && meta.namespace != expected {
        return Err(Status::other_namespace());
    }
    meta.namespace = expected;
    Ok(())
}

/// Rejects a name other than that of the URL (`checkName` in apiserver's pkg/endpoints/handlers/rest.go).
///
/// # Errors
///
/// If it is missing or different.
pub fn check_name(meta: &ObjectMeta<'_>, name: &str) -> Result<(), Status> {
    if meta.name.is_empty() {
        return Err(Status::bad_request(format!(
            "the name of the object ({name} based on URL) was undeterminable: name must be provided"
        )));
    }
    if meta.name != name {
        return Err(Status::bad_request(format!(
            "the name of the object ({}) does not match the name on the URL ({name})",
            meta.name
        )));
    }
    Ok(())
}

/// Rejects an update meant for another object of the same name (`Preconditions.Check` in apiserver's
/// pkg/storage/interfaces.go). `key` is where the object is stored; an empty uid matches every object.
///
/// # Errors
///
/// If the stored object has another uid.
pub fn check_uid(
    (group, resource): (&str, &str),
    name: &str,
    key: impl FnOnce() -> String,
    expected: &str,
    stored: &str,
) -> Result<(), Status> {
    if expected.is_empty() || expected == stored {
        return Ok(());
    }
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: {}, ResourceVersion: 0, AdditionalErrorMsg: \
         Precondition failed: UID in precondition: {expected}, UID in object meta: {stored}",
        key()
    );
    Err(Status::conflict(group, resource, name, &why))
}

/// The last part of the key of an object: namespace, if there is one, and name.
#[must_use]
pub fn place(meta: &ObjectMeta<'_>) -> String {
    match meta.namespace {
        "" => meta.name.to_owned(),
        namespace => format!("{namespace}/{}", meta.name),
    }
}

/// Puts back what an update leaves out or cannot change (`BeforeUpdate` in apiserver's pkg/registry/rest/update.go).
pub(crate) fn keep_system_fields<'a>(new: &mut ObjectMeta<'a>, old: &ObjectMeta<'a>) {
    if new.uid.is_empty() {
        new.uid = old.uid;
    }
    if old.creation_timestamp.is_some() {
        new.creation_timestamp = old.creation_timestamp;
    }
    if old.deletion_timestamp.is_some() {
        new.deletion_timestamp = old.deletion_timestamp;
    }
    if new.deletion_grace_period_seconds.is_none() {
        new.deletion_grace_period_seconds = old.deletion_grace_period_seconds;
    }
}

/// Rejects an update of another revision than the stored one (`Store.Update` in apiserver's
/// pkg/registry/generic/registry/store.go). The store names the resource where validation would name the kind.
///
/// # Errors
///
/// If it is missing or different.
pub(crate) fn check_resource_version(
    (group, resource): (&str, &str),
    new: &ObjectMeta<'_>,
    old: &ObjectMeta<'_>,
) -> Result<(), Status> {
    let given = resource_version(new)?;
    if given == 0 {
        return Err(Status::missing_resource_version(group, resource, old.name));
    }
    if given == resource_version(old)? {
        return Ok(());
    }
    let why = "the object has been modified; please apply your changes to the latest version and try again";
    Err(Status::conflict(group, resource, old.name, why))
}

/// Whether an update removes the last finalizer of an object that is being deleted (`ShouldDeleteDuringUpdate` in
/// apiserver's pkg/registry/generic/registry/store.go).
#[must_use]
pub fn is_finished(new: &ObjectMeta<'_>, old: &ObjectMeta<'_>) -> bool {
    new.finalizers.is_empty()
        && old.deletion_timestamp.is_some()
        && old.deletion_grace_period_seconds.unwrap_or_default() == 0
}

/// The resource version as a number; zero if it is missing.
fn resource_version(meta: &ObjectMeta<'_>) -> Result<u64, Status> {
    match meta.resource_version {
        "" => Ok(0),
        text => strconv::parse_uint(text, 10, 64).map_err(|error| Status::unforeseen(error.to_string())),
    }
}

/// Rejects a resource version on create. One that is not a number is ignored
/// (`store.Create` in apiserver's pkg/storage/etcd3/store.go).
///
/// # Errors
///
/// If there is one.
pub(crate) fn check_new_resource_version(meta: &ObjectMeta<'_>) -> Result<(), Status> {
    match resource_version(meta) {
        Ok(0) | Err(_) => Ok(()),
        Ok(_) => Err(Status::unforeseen(
            "resourceVersion should not be set on objects to be created",
        )),
    }
}
