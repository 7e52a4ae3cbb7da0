//! Stored objects, and errors of the store as `Status`.

use kindsmith_json::{Arena, Entry as Member, Object, Value};
use kindsmith_request::Status;
use kindsmith_store::{Bytes, Entry, Error};

use crate::Served;

/// Reads a stored object in the served version, with its revision as resource version.
pub(crate) fn read<'a>(arena: &'a Arena, served: &'a Served, entry: &'a Entry) -> Result<Value<'a>, Status> {
    let value = parse(arena, entry, &entry.value)?;
    let object = served.resource.read(arena, value, &served.version)?;
    Ok(with_revision(arena, object, entry.modified))
}

/// Copies an entry's value into the arena. An arena drops nothing, so an entry that was moved into one would never be
/// freed.
pub(crate) fn copy<'a>(arena: &'a Arena, entry: &Entry) -> Result<Value<'a>, Status> {
    parse(arena, entry, arena.alloc_slice_copy(&entry.value))
}

fn parse<'a>(arena: &'a Arena, entry: &Entry, bytes: &'a [u8]) -> Result<Value<'a>, Status> {
    kindsmith_json::parse(arena, bytes)
        .map_err(|error| Status::internal(&format!("{}: {error}", String::from_utf8_lossy(&entry.key))))
}

/// The bytes to store for an object.
pub(crate) fn bytes(value: Value<'_>) -> Bytes {
    kindsmith_json::to_string(value).into_bytes().into()
}

/// The name of an object.
pub(crate) fn name<'a>(object: Value<'a>) -> &'a str {
    let name = object.lookup(&["metadata", "name"]);
    name.and_then(Value::as_str).unwrap_or_default()
}

/// The object with its resource version, placed after the uid; zero removes it.
pub(crate) fn with_revision<'a>(arena: &'a Arena, mut object: Value<'a>, revision: u64) -> Value<'a> {
    let metadata = object.get("metadata").and_then(Value::as_object);
    let mut members: Vec<Member<'a>> = metadata.unwrap_or_default().entries().to_vec();
    members.retain(|member| member.key != "resourceVersion");
    if revision != 0 {
        let uid = members.iter().position(|member| member.key == "uid");
        let member = Member {
            key: "resourceVersion",
            value: Value::Str(arena.alloc_str(&revision.to_string())),
        };
        members.insert(uid.map_or(members.len(), |position| position + 1), member);
    }
    let metadata = Object::from_entries(arena, arena.alloc_slice_copy(&members));
    object.set(arena, &["metadata"], metadata.into());
    object
}

/// The `Status` for an error of the store.
pub(crate) fn failure(error: Error) -> Status {
    match error {
        Error::TooLarge { .. } => Status::unforeseen("etcdserver: request is too large"),
        error => Status::internal(&error.to_string()),
    }
}
