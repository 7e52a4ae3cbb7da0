//! Rules for every node of a structural schema outside junctors (`validateStructuralInvariants`).

use kindsmith_json::Path;
use kindsmith_object::BadValue;
use kindsmith_schema::JsonSchema;

use super::super::faults::Faults;
use super::super::known::{Check, Known};
use super::level::Level;
use super::pattern::pattern;
use super::{embedded, nested};

pub(super) fn check(schema: &JsonSchema, level: Level, path: &Path<'_>, known: &Known, faults: &mut Faults) {
    children(schema, level, path, known, faults);
    extensions(schema, path, faults);
    nested::junctors(schema, nested::exempt(schema), path, known, faults);
    pattern(schema, path, known, faults);
    ty(schema, level, path, faults);
    embedded::check(schema, level, path, faults);
}

fn children(schema: &JsonSchema, level: Level, path: &Path<'_>, known: &Known, faults: &mut Faults) {
    let items = path.child("items");
    match schema.item() {
        Some(item) => check(item, Level::Item, &items, known, faults),
        None if &*schema.ty == "array" => faults.required(&items, "must be specified"),
        None => {}
    }
    let properties = path.child("properties");
    known.once(Check::StructuralSchema, &schema.properties, || {
        let before = faults.len();
        for (name, property) in &schema.properties {
            check(property, Level::Field, &properties.key(name), known, faults);
        }
        faults.len() == before
    });
    let additional = path.child("additionalProperties");
    if schema.additional_properties.is_some() && level == Level::Root {
        faults.forbidden(&additional, "must not be used at the root");
    }
    if let Some(values) = schema.additional() {
        check(values, Level::Field, &additional, known, faults);
    }
}

fn extensions(schema: &JsonSchema, path: &Path<'_>, faults: &mut Faults) {
    if !schema.int_or_string {
        return;
    }
    let detail = "must be false if x-kubernetes-int-or-string is true";
    if schema.preserves_unknown_fields() {
        let at = path.child("x-kubernetes-preserve-unknown-fields");
        faults.invalid(&at, BadValue::Bool(true), detail);
    }
    if schema.embedded_resource {
        let at = path.child("x-kubernetes-embedded-resource");
        faults.invalid(&at, BadValue::Bool(true), detail);
    }
}

fn ty(schema: &JsonSchema, level: Level, path: &Path<'_>, faults: &mut Faults) {
    let at = path.child("type");
    if schema.embedded_resource && &*schema.ty != "object" {
        let detail = "must be object if x-kubernetes-embedded-resource is true";
        if schema.ty.is_empty() {
            faults.required(&at, detail);
        } else {
            faults.invalid(&at, &*schema.ty, detail);
        }
    } else if schema.ty.is_empty() && !schema.int_or_string && !schema.preserves_unknown_fields() {
        faults.required(
            &at,
            match level {
                Level::Root => "must not be empty at the root",
                Level::Item => "must not be empty for specified array items",
                Level::Field => "must not be empty for specified object fields",
            },
        );
    }
    if level == Level::Root && !schema.ty.is_empty() && &*schema.ty != "object" {
        faults.invalid(&at, &*schema.ty, "must be object at the root");
    }
}
