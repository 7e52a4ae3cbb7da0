//! Definitions: schemas as version 2 and its readers can take them.

use kindsmith_json::{Arena, Entry, Object, Value};

use super::super::shared::KINDS;
use super::PREFIX;
use crate::Served;
use crate::openapi::{custom, shared};
use kindsmith_json::object_of;

/// How deep schemas are followed.
const DEPTH: usize = 512;

/// The definition of a custom resource.
pub(super) fn of_custom<'a>(arena: &'a Arena, served: &'a Served, publishes_defaults: bool) -> Value<'a> {
    let published = served.resource.schema(&served.version);
    let written = published.map(|schema| kindsmith_openapi::schema::write(schema, arena));
    let untyped = || object_of(arena, &[("type", "object".into())]);
    let mut object = match written {
        // Readers of version 2 cannot combine known and unknown fields.
        Some(schema) if is_true(schema, "x-kubernetes-preserve-unknown-fields") => untyped(),
        Some(schema) => {
            let schema = simplified(arena, schema, publishes_defaults, 0);
            of_v3(arena, with_meta(arena, schema))
        }
        None => untyped(),
    };
    for (key, value) in custom::extensions(arena, served) {
        object.set(arena, &[key], value);
    }
    object
}

fn is_true(schema: Value<'_>, key: &str) -> bool {
    schema.get(key) == Some(Value::Bool(true))
}

fn with_meta<'a>(arena: &'a Arena, schema: Value<'a>) -> Value<'a> {
    let object = schema.as_object().unwrap_or_default();
    Value::Object(custom::with_meta(arena, object))
}

/// A schema without what readers of version 2 reject (`ToStructuralOpenAPIV2`).
fn simplified<'a>(arena: &'a Arena, schema: Value<'a>, publishes_defaults: bool, depth: usize) -> Value<'a> {
    let Some(object) = schema.as_object().filter(|_| depth < DEPTH) else {
        return schema;
    };
    let mut gone = vec!["allOf", "oneOf", "anyOf", "not", "nullable"];
    if !publishes_defaults {
        gone.push("default");
    }
    let is_nullable = is_true(schema, "nullable");
    let preserves = is_true(schema, "x-kubernetes-preserve-unknown-fields");
    if is_nullable || preserves {
        gone.extend(["items", "properties"]);
    }
    let ty = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let has_items = schema.get("items").is_some() && !gone.contains(&"items");
    if is_nullable || (ty == "array" && !has_items) || (ty == "object" && preserves) {
        gone.push("type");
    }
    let mut out = Vec::new();
    for (key, value) in object.iter().filter(|(key, _)| !gone.contains(key)) {
        let value = match key {
            "properties" => {
                let members = value.as_object().unwrap_or_default();
                let members = members.iter().map(|(key, value)| Entry {
                    key,
                    value: simplified(arena, value, publishes_defaults, depth + 1),
                });
                let members = arena.alloc_slice_fill_iter(members.collect::<Vec<_>>());
                Value::Object(Object::from_entries(arena, members))
            }
            "items" | "additionalProperties" => simplified(arena, value, publishes_defaults, depth + 1),
            "required" => match required(arena, schema, value, is_nullable || preserves) {
                Some(names) => names,
                None => continue,
            },
            _ => value,
        };
        out.push((key, value));
    }
    let simple = object_of(arena, &out);
    if is_true(schema, "x-kubernetes-embedded-resource") && !preserves {
        let object = with_meta(arena, simple).as_object().unwrap_or_default();
        return Value::Object(custom::with_required(arena, object));
    }
    simple
}

/// The names that must be there, without those that may be null.
fn required<'a>(
    arena: &'a Arena,
    schema: Value<'a>,
    names: Value<'a>,
    has_no_properties: bool,
) -> Option<Value<'a>> {
    let more = schema.get("additionalProperties");
    if more.is_some_and(|more| is_true(more, "nullable")) {
        return None;
    }
    let may_be_null = |name: &&Value<'a>| {
        let property = schema.lookup(&["properties", name.as_str().unwrap_or_default()]);
        !has_no_properties && property.is_some_and(|property| is_true(property, "nullable"))
    };
    let names = names.as_array().unwrap_or_default();
    let kept: Vec<Value<'a>> = names.iter().filter(|name| !may_be_null(name)).copied().collect();
    (!kept.is_empty()).then(|| Value::Array(arena.alloc_slice_copy(&kept)))
}

/// A definition with the extensions of the same schema in version 3: the kinds that it is of.
pub(super) fn with_extensions<'a>(arena: &'a Arena, own: Value<'a>, v3: Value<'a>) -> Value<'a> {
    let mut own = own;
    if let Some(kinds) = v3.get(KINDS) {
        own.set(arena, &[KINDS], kinds);
    }
    own
}

/// A schema of version 3 with references as version 2 has them.
pub(super) fn of_v3<'a>(arena: &'a Arena, schema: Value<'a>) -> Value<'a> {
    convert(arena, schema, 0)
}

fn convert<'a>(arena: &'a Arena, value: Value<'a>, depth: usize) -> Value<'a> {
    if depth > DEPTH {
        return value;
    }
    match value {
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items
                .iter()
                .map(|&item| convert(arena, item, depth + 1))
                .collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        Value::Object(object) => {
            let mut members = Vec::new();
            for (key, value) in object {
                match (key, value) {
                    ("$ref", Value::Str(target)) => members.push((key, reference(arena, target))),
                    // A reference with a description beside it.
                    ("allOf", Value::Array([only])) if only.get("$ref").is_some() => {
                        let target = only.get("$ref").and_then(Value::as_str).unwrap_or_default();
                        members.push(("$ref", reference(arena, target)));
                    }
                    (key, value) => members.push((key, convert(arena, value, depth + 1))),
                }
            }
            object_of(arena, &members)
        }
        scalar => scalar,
    }
}

/// Where version 2 has what a reference points to.
pub(super) fn reference<'a>(arena: &'a Arena, target: &str) -> Value<'a> {
    let name = target.strip_prefix(shared::PREFIX).unwrap_or(target);
    Value::Str(arena.alloc_str(&format!("{PREFIX}{name}")))
}
