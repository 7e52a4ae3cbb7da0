//! Objects reduced to their metadata (`PartialObjectMetadata`), in the field order of the Go structs. Knows no kind
//! but those whose conversion takes an annotation away.

use kindsmith_json::{Arena, Entry, Object, Value, object_of};
use kindsmith_object::meta::fields::{FieldType, OBJECT_META};

use crate::response::negotiate::MetaVersion;

/// The object with only its metadata.
pub(crate) fn partial<'a>(arena: &'a Arena, object: Value<'a>, version: MetaVersion) -> Value<'a> {
    let metadata = object.get("metadata").unwrap_or_default();
    let mut metadata = in_order(arena, metadata, OBJECT_META.iter().map(|known| known.field.name));
    for known in &OBJECT_META {
        let FieldType::Structs(structure) = known.field.ty else {
            continue;
        };
        let Some(items) = metadata.get(known.field.name).and_then(Value::as_array) else {
            continue;
        };
        let names = structure.fields.iter().map(|field| field.name);
        let items = items
            .iter()
            .map(|&item| Value::Object(in_order(arena, item, names.clone())));
        let items: &[Value<'a>] = arena.alloc_slice_fill_iter(items);
        metadata.insert(arena, known.field.name, items.into());
    }
    if let Some(key) = kindsmith_builtin::converted_annotation(object) {
        let mut annotations = metadata
            .get("annotations")
            .and_then(Value::as_object)
            .unwrap_or_default();
        annotations.remove(arena, key);
        if annotations.is_empty() {
            metadata.remove(arena, "annotations");
        } else {
            metadata.insert(arena, "annotations", Value::Object(annotations));
        }
    }
    let entries = [
        ("kind", "PartialObjectMetadata".into()),
        ("apiVersion", version.api_version().into()),
        ("metadata", Value::Object(metadata)),
    ];
    object_of(arena, &entries)
}

/// What an object with only its metadata begins with, as JSON: all before the metadata.
pub(crate) fn partial_head(version: MetaVersion) -> String {
    let api_version = version.api_version();
    format!("{{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"{api_version}\",\"metadata\":")
}

/// The members with these names, in the order of the names.
fn in_order<'a>(arena: &'a Arena, value: Value<'a>, names: impl Iterator<Item = &'a str>) -> Object<'a> {
    let object = value.as_object().unwrap_or_default();
    let entries: Vec<Entry<'a>> = names
        .filter_map(|key| object.get(key).map(|value| Entry { key, value }))
        .collect();
    Object::from_entries(arena, arena.alloc_slice_copy(&entries))
}

/// The only value of `dryRun`.
pub(crate) fn all(arena: &Arena) -> Value<'_> {
    Value::Array(arena.alloc_slice_copy(&[Value::Str("All")]))
}
