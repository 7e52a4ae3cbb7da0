//! `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`.

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_openapi::crd::print_schema;
use kindsmith_schema::{Items, JsonSchema, Str};

use super::super::demands::Demands;
use super::super::faults::{Faults, json_list};

const KNOWN: [&str; 3] = ["atomic", "set", "map"];

pub(super) fn check(schema: &JsonSchema, path: &Path<'_>, demands: &Demands, faults: &mut Faults) {
    let list_type = schema.list_type.as_deref();
    if let Some(list_type) = list_type {
        on_an_array(schema, path, demands, faults);
        if !KNOWN.contains(&list_type) {
            faults.not_supported(&path.child("x-kubernetes-list-type"), list_type, &KNOWN);
        }
    }
    if !schema.list_map_keys.is_empty() && list_type != Some("map") {
        let at = path.child("x-kubernetes-list-type");
        let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
        match list_type {
            None => faults.required(&at, detail),
            Some(list_type) => faults.invalid(&at, list_type, detail),
        }
    }
    if list_type == Some("map") {
        map(schema, path, faults);
    }
    if demands.map_keys {
        present_keys(schema, path, faults);
    }
}

fn on_an_array(schema: &JsonSchema, path: &Path<'_>, demands: &Demands, faults: &mut Faults) {
    if &*schema.ty != "array" {
        let (at, detail) = (
            path.child("type"),
            "must be array if x-kubernetes-list-type is specified",
        );
        if schema.ty.is_empty() {
            faults.required(&at, detail);
        } else {
            faults.invalid(&at, &*schema.ty, detail);
        }
    } else if demands.atomic_sets
        && let Some(keyword) = non_atomic_items(schema)
    {
        let items = path.child("items");
        let item_list_type = schema.item().and_then(|item| item.list_type.as_deref());
        faults.invalid(
            &items.child(keyword),
            // Upstream shows the list type of the items, even if their map type is wrong.
            item_list_type.map_or(BadValue::Nil, BadValue::json_text),
            "must be atomic as item of a list with x-kubernetes-list-type=set",
        );
    }
}

/// The keyword that makes the items of a set non-atomic.
fn non_atomic_items(schema: &JsonSchema) -> Option<&'static str> {
    let item = schema
        .item()
        .filter(|_| schema.list_type.as_deref() == Some("set"))?;
    match &*item.ty {
        "array" => item
            .list_type
            .as_deref()
            .is_some_and(|ty| ty != "atomic")
            .then_some("x-kubernetes-list-type"),
        "object" => (item.map_type.as_deref() != Some("atomic")).then_some("x-kubernetes-map-type"),
        _ => None,
    }
}

/// Whether a node is a set of items that are not atomic.
pub(in crate::definition) fn has_non_atomic_items(schema: &JsonSchema) -> bool {
    non_atomic_items(schema).is_some()
}

fn map(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    let keys_at = path.child("x-kubernetes-list-map-keys");
    if schema.list_map_keys.is_empty() {
        faults.required(&keys_at, "must not be empty if x-kubernetes-list-type is map");
    }
    let items = path.child("items");
    let Some(item) = schema.item() else {
        match schema.items.as_deref() {
            None => faults.required(&items, "must have a schema if x-kubernetes-list-type is map"),
            Some(positional) => faults.invalid(
                &items,
                BadValue::Json(print_items(positional).into()),
                "must only have a single schema if x-kubernetes-list-type is map",
            ),
        }
        return;
    };
    if &*item.ty != "object" {
        let detail = "must be object if parent array's x-kubernetes-list-type is map";
        faults.invalid(&items.child("type"), &*item.ty, detail);
        return;
    }
    let mut seen: Vec<&Str> = Vec::with_capacity(schema.list_map_keys.len());
    for key in &schema.list_map_keys {
        match item.property(key) {
            Some(property) if matches!(&*property.ty, "array" | "object") => {
                let properties = items.child("properties");
                let detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
                // Upstream shows the type of the items, not of the key.
                faults.invalid(&properties.key(key).child("type"), &*item.ty, detail);
            }
            Some(_) => {}
            None => faults.invalid(
                &keys_at,
                json_list(&schema.list_map_keys),
                "entries must all be names of item properties",
            ),
        }
        if seen.contains(&key) {
            let keys = json_list(&schema.list_map_keys);
            faults.invalid(&keys_at, keys, "must not contain duplicate entries");
        }
        seen.push(key);
    }
}

/// `items` by position, as Go prints the internal type.
fn print_items(items: &Items) -> String {
    let schemas = match items {
        Items::Positional(schemas) if !schemas.is_empty() => {
            let texts: Vec<String> = schemas.iter().map(print_schema).collect();
            format!("[{}]", texts.join(","))
        }
        _ => "null".to_owned(),
    };
    format!("{{\"Schema\":null,\"JSONSchemas\":{schemas}}}")
}

/// Items of sets and maps must not be nullable, and keys of maps must be required or have a default.
fn present_keys(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    let (Some(item), Some(list_type @ ("set" | "map"))) = (schema.item(), schema.list_type.as_deref()) else {
        return;
    };
    let items = path.child("items");
    if item.nullable {
        let detail = format!("cannot be nullable when x-kubernetes-list-type is {list_type}");
        faults.forbidden(&items.child("nullable"), &detail);
    }
    if list_type == "set" {
        return;
    }
    let properties = items.child("properties");
    for key in &schema.list_map_keys {
        let Some(property) = item.property(key) else {
            continue;
        };
        let at = properties.key(key);
        if !item.required.contains(key) && property.default.is_none() {
            faults.required(
                &at.child("default"),
                "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
            );
        }
        if property.nullable {
            faults.forbidden(
                &at.child("nullable"),
                "this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
            );
        }
    }
}

/// Whether a node is a set or map that violates this.
pub(in crate::definition) fn has_bad_keys(schema: &JsonSchema) -> bool {
    let mut faults = Faults::default();
    present_keys(schema, &Path::NIL, &mut faults);
    !faults.is_empty()
}
