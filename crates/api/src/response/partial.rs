//! Objects with nothing but their metadata (`PartialObjectMetadata`). Knows the order of metadata's fields, no kind.

use kindsmith_json::{Arena, Entry, Object, Value};

use crate::response::negotiate::MetaVersion;

/// The fields of metadata in the order of `metav1.ObjectMeta`.
const META: &[&str] = &[
    "name",
    "generateName",
    "namespace",
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
];
const OWNER: &[&str] = &[
    "apiVersion",
    "kind",
    "name",
    "uid",
    "controller",
    "blockOwnerDeletion",
];
const MANAGED: &[&str] = &[
    "manager",
    "operation",
    "apiVersion",
    "time",
    "fieldsType",
    "fieldsV1",
    "subresource",
];

/// Only the metadata of an object.
pub(crate) fn partial<'a>(arena: &'a Arena, object: Value<'a>, version: MetaVersion) -> Value<'a> {
    let metadata = object.get("metadata").unwrap_or_default();
    let mut metadata = in_order(arena, metadata, META);
    for (key, order) in [("ownerReferences", OWNER), ("managedFields", MANAGED)] {
        let Some(items) = metadata.get(key).and_then(Value::as_array) else {
            continue;
        };
        let items: &[Value<'a>] = arena.alloc_slice_fill_iter(
            items
                .iter()
                .map(|&item| Value::Object(in_order(arena, item, order))),
        );
        metadata.insert(arena, key, items.into());
    }
    let entries = [
        ("kind", "PartialObjectMetadata".into()),
        ("apiVersion", version.api_version().into()),
        ("metadata", Value::Object(metadata)),
    ];
    object_of(arena, &entries)
}

/// An object of some members.
pub(crate) fn object_of<'a>(arena: &'a Arena, members: &[(&'a str, Value<'a>)]) -> Value<'a> {
    let entries = members.iter().map(|&(key, value)| Entry { key, value });
    Value::Object(Object::from_entries(
        arena,
        arena.alloc_slice_fill_iter(entries.collect::<Vec<_>>()),
    ))
}

/// The members of a value that are in a list, in its order.
fn in_order<'a>(arena: &'a Arena, value: Value<'a>, order: &[&'a str]) -> Object<'a> {
    let object = value.as_object().unwrap_or_default();
    let entries: Vec<Entry<'a>> = order
        .iter()
        .filter_map(|&key| object.get(key).map(|value| Entry { key, value }))
        .collect();
    Object::from_entries(arena, arena.alloc_slice_copy(&entries))
}
