//! The published schemas of a custom resource and its list: the CRD's schema plus the fields that every object has.

use kindsmith_json::{Arena, Entry, Object, Value};

use super::built_in::Models;
use super::shared::{KINDS, META, Schemas, described, kinds_in_schema, reference};
use crate::Served;
use kindsmith_json::object_of;

const API_VERSION: &str = "Group and version of the object.";
const KIND: &str = "Kind of the object.";
const METADATA: &str = "Name, labels and the like.";
const LIST_METADATA: &str = "What is known about the list.";

/// Adds the schemas of a resource.
pub(super) fn models<'a>(
    arena: &'a Arena,
    served: &'a Served,
    schemas: &mut Schemas<'a>,
) -> Option<Models<'a>> {
    schemas.describe();
    let name = |kind: &str| -> &'a str {
        let mut group: Vec<&str> = served.group.split('.').collect();
        group.reverse();
        arena.alloc_str(&format!("{}.{}.{kind}", group.join("."), served.version))
    };
    let models = Models {
        object: name(&served.kind),
        list: name(&served.list_kind),
    };
    schemas.add(models.object, object(arena, served));
    schemas.add(models.list, list(arena, served, models.object));
    Some(models)
}

fn object<'a>(arena: &'a Arena, served: &'a Served) -> Value<'a> {
    let published = served.resource.schema(&served.version);
    let base = match published {
        Some(schema) => {
            let written = kindsmith_openapi::schema::write(schema, arena);
            let written = publish(arena, written, 0);
            with_meta(arena, written.as_object().unwrap_or_default())
        }
        None => object_of(arena, &[("type", "object".into())])
            .as_object()
            .unwrap_or_default(),
    };
    let mut edit = base.edit(arena);
    for (key, value) in extensions(arena, served) {
        edit.insert(key, value);
    }
    Value::Object(edit.finish())
}

/// What schemas of kinds say beyond the schema.
pub(super) fn extensions<'a>(arena: &'a Arena, served: &'a Served) -> Vec<(&'static str, Value<'a>)> {
    let mut extensions = vec![(KINDS, group_version_kind(arena, served, &served.kind))];
    extensions
        .extend(selectable_fields(arena, served).map(|fields| ("x-kubernetes-selectable-fields", fields)));
    extensions
}

/// What publishing makes of a schema: the two types of an int-or-string are spelled out, and embedded objects have the
/// fields that every object has.
fn publish<'a>(arena: &'a Arena, schema: Value<'a>, depth: usize) -> Value<'a> {
    let Some(object) = schema.as_object().filter(|_| depth < 512) else {
        return schema;
    };
    let mut edit = object.edit(arena);
    if let Some(properties) = object.get("properties").and_then(Value::as_object) {
        let entries = properties.iter().map(|(key, value)| Entry {
            key,
            value: publish(arena, value, depth + 1),
        });
        let entries = arena.alloc_slice_fill_iter(entries.collect::<Vec<_>>());
        edit.insert("properties", Object::from_entries(arena, entries).into());
    }
    for key in ["items", "additionalProperties"] {
        if let Some(child) = object.get(key) {
            edit.insert(key, publish(arena, child, depth + 1));
        }
    }
    if object.get("x-kubernetes-int-or-string") == Some(Value::Bool(true)) {
        spell_out(arena, &mut edit, object);
    }
    let object = edit.finish();
    if object.get("x-kubernetes-embedded-resource") == Some(Value::Bool(true)) {
        return Value::Object(with_required(arena, with_meta(arena, object)));
    }
    Value::Object(object)
}

fn spell_out<'a>(arena: &'a Arena, edit: &mut kindsmith_json::ObjectEdit<'a>, object: Object<'a>) {
    let types = ["integer", "string"].map(|ty| object_of(arena, &[("type", ty.into())]));
    let both = Value::Array(arena.alloc_slice_copy(&types));
    let first = object.get("allOf").and_then(|all| all.at(0));
    if object.get("anyOf") == Some(both) || first.and_then(|first| first.get("anyOf")) == Some(both) {
        return;
    }
    if object.get("anyOf").is_none() {
        edit.insert("anyOf", both);
        return;
    }
    let mut all = vec![object_of(arena, &[("anyOf", both)])];
    all.extend_from_slice(object.get("allOf").and_then(Value::as_array).unwrap_or_default());
    edit.insert("allOf", Value::Array(arena.alloc_slice_copy(&all)));
}

/// With `apiVersion`, `kind` and `metadata` as every object has them.
pub(super) fn with_meta<'a>(arena: &'a Arena, schema: Object<'a>) -> Object<'a> {
    let text = |description: &'a str| {
        object_of(
            arena,
            &[("description", description.into()), ("type", "string".into())],
        )
    };
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or_default();
    let mut edit = properties.edit(arena);
    edit.insert("apiVersion", text(API_VERSION));
    edit.insert("kind", text(KIND));
    edit.insert(
        "metadata",
        described(arena, &format!("{META}ObjectMeta"), METADATA),
    );
    let mut schema = schema;
    schema.insert(arena, "properties", Value::Object(edit.finish()));
    schema
}

pub(super) fn with_required<'a>(arena: &'a Arena, schema: Object<'a>) -> Object<'a> {
    let required = schema
        .get("required")
        .and_then(Value::as_array)
        .unwrap_or_default();
    let mut required = required.to_vec();
    for key in ["kind", "apiVersion"] {
        if !required.contains(&Value::Str(key)) {
            required.push(Value::Str(key));
        }
    }
    let mut schema = schema;
    schema.insert(arena, "required", Value::Array(arena.alloc_slice_copy(&required)));
    schema
}

fn list<'a>(arena: &'a Arena, served: &'a Served, object: &str) -> Value<'a> {
    let description = arena.alloc_str(&format!("{} is a list of {}", served.list_kind, served.kind));
    let items = object_of(
        arena,
        &[
            (
                "description",
                Value::Str(arena.alloc_str(&format!("List of {}.", served.plural))),
            ),
            ("type", "array".into()),
            ("items", reference(arena, object)),
        ],
    );
    let text = |description: &'a str| {
        object_of(
            arena,
            &[("description", description.into()), ("type", "string".into())],
        )
    };
    let properties = [
        ("apiVersion", text(API_VERSION)),
        ("items", items),
        ("kind", text(KIND)),
        (
            "metadata",
            described(arena, &format!("{META}ListMeta"), LIST_METADATA),
        ),
    ];
    let mut members = vec![
        ("description", Value::Str(description)),
        ("type", "object".into()),
        (
            "required",
            Value::Array(arena.alloc_slice_copy(&["items".into()])),
        ),
        ("properties", object_of(arena, &properties)),
        (KINDS, group_version_kind(arena, served, &served.list_kind)),
    ];
    members.extend(selectable_fields(arena, served).map(|fields| ("x-kubernetes-selectable-fields", fields)));
    object_of(arena, &members)
}

/// The fields that selectors may name besides metadata, if any.
fn selectable_fields<'a>(arena: &'a Arena, served: &'a Served) -> Option<Value<'a>> {
    let fields = served
        .resource
        .selectable_fields(&served.version)
        .iter()
        .map(|field| {
            let path = field.json_path.strip_prefix('.').unwrap_or(&field.json_path);
            object_of(arena, &[("fieldPath", Value::Str(path))])
        });
    let fields: Vec<Value<'a>> = fields.collect();
    (!fields.is_empty()).then(|| Value::Array(arena.alloc_slice_copy(&fields)))
}

fn group_version_kind<'a>(arena: &'a Arena, served: &'a Served, kind: &'a str) -> Value<'a> {
    kinds_in_schema(arena, [(&*served.group, &*served.version, kind)])
}
