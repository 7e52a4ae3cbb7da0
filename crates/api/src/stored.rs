//! Stored objects, and errors of the store as `Status`.

use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Entry as Member, Object, Value};
use kindsmith_object::Release;
use kindsmith_request::{Cause, Details, Status};
use kindsmith_store::{Bytes, Entry, Error, Store};

use crate::unreadable::{corrupt, names_corrupt};
use crate::{Served, Unreadable};

/// Objects of a list that could not be read (`corruptObjErrAggregator` in corrupt_obj_deleter.go).
#[derive(Debug, Default)]
pub(crate) struct CorruptObjects(Vec<(String, String)>);

/// The number of such objects after which a list fails.
const MOST_CORRUPT: usize = 100;

impl CorruptObjects {
    /// Records an object; an error ends the list.
    pub(crate) fn note(&mut self, release: Release, entry: &Entry, error: Unreadable) -> Result<(), Status> {
        match error {
            Unreadable::Status(status) => Err(status),
            Unreadable::Corrupt(why) if !names_corrupt(release) => Err(Status::unforeseen(why)),
            Unreadable::Corrupt(why) => {
                let key = String::from_utf8_lossy(&entry.key).into_owned();
                let text = corrupt(&key, entry.modified, &why);
                self.0.push((key, text));
                Ok(())
            }
        }
    }

    /// Whether the rest of the list does not matter any more.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MOST_CORRUPT
    }

    /// The answer to the list, if there are any.
    pub(crate) fn check(&self, served: &Served) -> Result<(), Status> {
        let Some((_, first)) = self.0.first() else {
            return Ok(());
        };
        let (group, plural) = (&served.group, &served.plural);
        let mut message = format!("failed to read one or more {plural}.{group} from the storage: {first}");
        if self.0.len() > 1 {
            message.push_str(&format!(" (and {} more)", self.0.len() - 1));
        }
        let cause = |reason: &'static str, field: &str, message: &str| Cause {
            reason: reason.into(),
            message: message.to_owned(),
            field: field.to_owned(),
        };
        let mut causes: Vec<Cause> = self
            .0
            .iter()
            .map(|(key, text)| cause("UnexpectedServerResponse", key, text))
            .collect();
        if self.is_full() {
            causes.push(cause(
                "FieldValueTooMany",
                "",
                "too many errors, the list is truncated",
            ));
        }
        Err(Status {
            code: 500,
            reason: "StorageReadError".into(),
            message,
            details: Some(Box::new(Details {
                name: "list".to_owned(),
                group: group.to_string(),
                kind: plural.to_string(),
                causes,
                ..Details::default()
            })),
        })
    }
}

/// Reads a stored object in the version that is served, with the revision it was stored at.
pub(crate) fn read<'a>(arena: &'a Arena, served: &'a Served, entry: &'a Entry) -> Result<Value<'a>, Status> {
    read_as(arena, served, entry, Freshness::Asked)
        .map_err(|error| error.of_read(served.resource.release(), entry))
}

/// Whether a webhook is asked about an object that it converted before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// It is.
    Asked,
    /// It is not, if the object is still known: as the reference reads from its watch cache.
    Kept,
}

/// The same, as told; the error says what is wrong.
pub(crate) fn read_as<'a>(
    arena: &'a Arena,
    served: &'a Served,
    entry: &'a Entry,
    freshness: Freshness,
) -> Result<Value<'a>, Unreadable> {
    let value = parse(arena, &entry.value)?;
    let (resource, version) = (&served.resource, &*served.version);
    let object = match freshness {
        Freshness::Asked => resource.read(arena, value, version)?,
        Freshness::Kept => resource.read_kept(arena, value, version, entry.modified)?,
    };
    Ok(with_revision(arena, object, entry.modified))
}

/// Reads an entry from memory, as the reference reads from its informers, and looks again if it is not there.
pub(crate) fn seen(store: &dyn Store, key: &[u8]) -> Result<Option<Entry>, Error> {
    match store.get_seen(key)? {
        None if store.is_remote() => store.get(key, None),
        entry => Ok(entry),
    }
}

/// Copies an entry's value into the arena. An arena drops nothing, so an entry that was moved into one would never be
/// freed.
pub(crate) fn copy<'a>(arena: &'a Arena, entry: &Entry) -> Result<Value<'a>, Status> {
    parse(arena, arena.alloc_slice_copy(&entry.value)).map_err(|error| error.of_read(Release::NEWEST, entry))
}

/// Whether an entry is an object at all.
pub(crate) fn is_json(entry: &Entry) -> bool {
    parse(&Arena::new(), &entry.value).is_ok()
}

fn parse<'a>(arena: &'a Arena, bytes: &'a [u8]) -> Result<Value<'a>, Unreadable> {
    kindsmith_json::parse(arena, bytes).map_err(|error| Unreadable::Corrupt(error.to_string()))
}

/// The bytes to store for an object: as it is answered, so that it can be copied.
pub(crate) fn bytes(value: Value<'_>, order: Order) -> Bytes {
    text(value, order).into_bytes().into()
}

/// The JSON of an object in an answer.
pub(crate) fn text(value: Value<'_>, order: Order) -> String {
    Format::GO.order(order).to_string(value)
}

/// The field order of a resource's objects: custom resources are sorted by name, built-in kinds keep their Go order.
pub(crate) fn order(served: &Served) -> Order {
    if served.resource.is_custom() {
        Order::Sorted
    } else {
        Order::Kept
    }
}

/// The name of an object.
pub(crate) fn name(object: Value<'_>) -> &str {
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
        Error::Full(why) => Status {
            code: 507,
            reason: "InsufficientStorage".into(),
            message: why.to_string(),
            details: None,
        },
        error => Status::internal(&error.to_string()),
    }
}
