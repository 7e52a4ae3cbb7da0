//! Protobuf of what all kinds share: the envelope, `Status`, metadata, lists and events, as gogo/protobuf writes them:
//! fields in order, texts and numbers also when they are empty. Messages of kinds themselves come from their resource.

use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Object, Value};

/// What every object begins with.
const MAGIC: &[u8] = b"k8s\0";

/// Appends the envelope of an object's message (`runtime.Unknown`).
pub(crate) fn append_envelope(out: &mut Vec<u8>, api_version: &str, kind: &str, message: &[u8]) {
    out.extend_from_slice(MAGIC);
    append_nested(out, 1, |type_meta| {
        append_text(type_meta, 1, api_version);
        append_text(type_meta, 2, kind);
    });
    append_bytes(out, 2, message);
    append_text(out, 3, "");
    append_text(out, 4, "");
}

/// Appends a message as a field of another.
pub(crate) fn append_message(out: &mut Vec<u8>, number: u32, message: &[u8]) {
    append_bytes(out, number, message);
}

/// Appends a list of messages: every list has its metadata first and its items second.
pub(crate) fn append_list(out: &mut Vec<u8>, metadata: Value<'_>, items: &[Vec<u8>]) {
    append_nested(out, 1, |list_meta| append_list_meta(list_meta, metadata));
    for item in items {
        append_bytes(out, 2, item);
    }
}

/// Appends an event as it is framed: its length, its type and an object in its envelope.
pub(crate) fn append_watch_event(out: &mut Vec<u8>, ty: &str, object: &[u8]) {
    let mut event = Vec::with_capacity(object.len() + 32);
    append_text(&mut event, 1, ty);
    append_nested(&mut event, 2, |extension| append_bytes(extension, 1, object));
    out.extend_from_slice(&u32::try_from(event.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend_from_slice(&event);
}

/// Appends a `Status`.
pub(super) fn append_status(out: &mut Vec<u8>, status: Value<'_>) {
    let metadata = status.get("metadata").unwrap_or_default();
    append_nested(out, 1, |list_meta| append_list_meta(list_meta, metadata));
    for (number, key) in [(2, "status"), (3, "message"), (4, "reason")] {
        append_text(out, number, text(status, key));
    }
    if let Some(details) = status.get("details") {
        append_nested(out, 5, |out| append_details(out, details));
    }
    append_integer(out, 6, integer(status, "code"));
}

fn append_details(out: &mut Vec<u8>, details: Value<'_>) {
    for (number, key) in [(1, "name"), (2, "group"), (3, "kind")] {
        append_text(out, number, text(details, key));
    }
    for &cause in array(details, "causes") {
        append_nested(out, 4, |out| {
            for (number, key) in [(1, "reason"), (2, "message"), (3, "field")] {
                append_text(out, number, text(cause, key));
            }
        });
    }
    append_integer(out, 5, integer(details, "retryAfterSeconds"));
    append_text(out, 6, text(details, "uid"));
}

fn append_list_meta(out: &mut Vec<u8>, meta: Value<'_>) {
    for (number, key) in [(1, "selfLink"), (2, "resourceVersion"), (3, "continue")] {
        append_text(out, number, text(meta, key));
    }
    if let Some(Value::Int(count)) = meta.get("remainingItemCount") {
        append_integer(out, 4, count);
    }
}

/// Appends the metadata of an object.
pub(crate) fn append_object_meta(out: &mut Vec<u8>, meta: Value<'_>) {
    let texts = [
        (1, "name"),
        (2, "generateName"),
        (3, "namespace"),
        (4, "selfLink"),
        (5, "uid"),
        (6, "resourceVersion"),
    ];
    for (number, key) in texts {
        append_text(out, number, text(meta, key));
    }
    append_integer(out, 7, integer(meta, "generation"));
    append_nested(out, 8, |out| append_time(out, meta.get("creationTimestamp")));
    if let Some(time) = meta.get("deletionTimestamp") {
        append_nested(out, 9, |out| append_time(out, Some(time)));
    }
    if let Some(Value::Int(seconds)) = meta.get("deletionGracePeriodSeconds") {
        append_integer(out, 10, seconds);
    }
    append_map(out, 11, meta.get("labels"));
    append_map(out, 12, meta.get("annotations"));
    for &owner in array(meta, "ownerReferences") {
        append_nested(out, 13, |out| append_owner(out, owner));
    }
    for finalizer in array(meta, "finalizers") {
        append_text(out, 14, finalizer.as_str().unwrap_or_default());
    }
    for &entry in array(meta, "managedFields") {
        append_nested(out, 17, |out| append_managed_fields(out, entry));
    }
}

fn append_owner(out: &mut Vec<u8>, owner: Value<'_>) {
    for (number, key) in [(1, "kind"), (3, "name"), (4, "uid"), (5, "apiVersion")] {
        append_text(out, number, text(owner, key));
    }
    for (number, key) in [(6, "controller"), (7, "blockOwnerDeletion")] {
        if let Some(Value::Bool(truth)) = owner.get(key) {
            append_integer(out, number, truth.into());
        }
    }
}

fn append_managed_fields(out: &mut Vec<u8>, entry: Value<'_>) {
    for (number, key) in [(1, "manager"), (2, "operation"), (3, "apiVersion")] {
        append_text(out, number, text(entry, key));
    }
    if let Some(time) = entry.get("time") {
        append_nested(out, 4, |out| append_time(out, Some(time)));
    }
    append_text(out, 6, text(entry, "fieldsType"));
    if let Some(fields) = entry.get("fieldsV1") {
        let raw = kindsmith_json::to_string(fields);
        append_nested(out, 7, |out| append_text(out, 1, &raw));
    }
    append_text(out, 8, text(entry, "subresource"));
}

/// Seconds and nanoseconds; an absent time is the empty message.
fn append_time(out: &mut Vec<u8>, time: Option<Value<'_>>) {
    let text = time.and_then(Value::as_str).unwrap_or_default();
    if let Ok(time) = Time::parse(Layout::Rfc3339, text) {
        append_integer(out, 1, time.unix_seconds());
        append_integer(out, 2, 0);
    }
}

/// Entries by key, as deterministic writers have them.
fn append_map(out: &mut Vec<u8>, number: u32, map: Option<Value<'_>>) {
    let entries = map.and_then(Value::as_object).map(Object::sorted);
    for entry in entries.unwrap_or_default() {
        append_nested(out, number, |out| {
            append_text(out, 1, entry.key);
            append_text(out, 2, entry.value.as_str().unwrap_or_default());
        });
    }
}

fn text<'v>(value: Value<'v>, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn integer(value: Value<'_>, key: &str) -> i64 {
    value.get(key).and_then(Value::as_i64).unwrap_or_default()
}

fn array<'v>(value: Value<'v>, key: &str) -> &'v [Value<'v>] {
    value.get(key).and_then(Value::as_array).unwrap_or_default()
}

fn append_text(out: &mut Vec<u8>, number: u32, text: &str) {
    append_bytes(out, number, text.as_bytes());
}

fn append_bytes(out: &mut Vec<u8>, number: u32, bytes: &[u8]) {
    append_varint(out, u64::from(number << 3 | 2));
    append_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn append_integer(out: &mut Vec<u8>, number: u32, value: i64) {
    append_varint(out, u64::from(number << 3));
    append_varint(out, value.cast_unsigned());
}

fn append_nested(out: &mut Vec<u8>, number: u32, write: impl FnOnce(&mut Vec<u8>)) {
    let mut nested = Vec::new();
    write(&mut nested);
    append_bytes(out, number, &nested);
}

fn append_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
