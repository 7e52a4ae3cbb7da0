//! Metadata that only servers set: manifests need not have it.

use kindsmith_crd::Stamp;
use kindsmith_json::{Arena, Value};

/// What a server would set; none of it is shown.
pub(crate) const STAMP: Stamp<'_> = Stamp {
    uid: "00000000-0000-0000-0000-000000000000",
    now: "1970-01-01T00:00:00Z",
    name_suffix: "xxxxx",
};

/// Metadata fields that the server sets. They are shown only if the author wrote them.
const SERVER_SET: [&str; 6] = [
    "uid",
    "creationTimestamp",
    "generation",
    "resourceVersion",
    "managedFields",
    "selfLink",
];

/// The new object with the system fields of the old one, so that manifests need not have them.
pub(crate) fn with_system_fields<'a>(arena: &'a Arena, new: Value<'a>, old: Value<'a>) -> Value<'a> {
    let mut new = new;
    for member in ["resourceVersion", "uid", "creationTimestamp", "namespace"] {
        let path = ["metadata", member];
        if new.lookup(&path).is_none()
            && let Some(kept) = old.lookup(&path)
        {
            new.set(arena, &path, kept);
        }
    }
    new
}

/// The object without fields that only the server sets, unless the author set them.
pub(crate) fn without_system_fields<'a>(arena: &'a Arena, object: Value<'a>, sent: Value<'a>) -> Value<'a> {
    let mut object = object;
    for member in SERVER_SET.into_iter().chain(["namespace"]) {
        let path = ["metadata", member];
        if sent.lookup(&path).is_none() {
            object.unset(arena, &path);
        }
    }
    object
}
