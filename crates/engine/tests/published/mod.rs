//! Published schemas from short JSON texts, and what passes make of objects: what tests of the structural dialect share.

#![allow(dead_code, reason = "each test binary uses its part")]

use kindsmith_engine::{PrunedPaths, Structure};
use kindsmith_json::{Arena, Object, Value, parse_str, to_string};
use kindsmith_schema::{Items, Json, JsonSchema, SchemaOrBool, ValidationRule};

/// Reads a schema. Keywords that no pass of these tests looks at are not known.
pub(crate) fn schema(json: &str) -> JsonSchema {
    let arena = Arena::new();
    read(parse_str(&arena, json).unwrap_or_else(|error| panic!("{json}: {error}")))
}

pub(crate) fn structure(json: &str) -> Structure {
    Structure::compile(&schema(json)).expect("structural")
}

fn read(value: Value<'_>) -> JsonSchema {
    let object = value.as_object().expect("a schema is an object");
    let mut schema = JsonSchema::default();
    for (key, value) in object {
        keyword(&mut schema, key, value);
    }
    schema
}

fn keyword(schema: &mut JsonSchema, key: &str, value: Value<'_>) {
    let text = || value.as_str().expect("text").into();
    let texts = || {
        let items = value.as_array().expect("texts").iter();
        items.map(|item| item.as_str().expect("text").into()).collect()
    };
    let truth = || value.as_bool().expect("true or false");
    match key {
        "type" => schema.ty = text(),
        "format" => schema.format = text(),
        "description" => schema.description = text(),
        "pattern" => schema.pattern = text(),
        "default" => schema.default = (!value.is_null()).then(|| Json::from(value)),
        "nullable" => schema.nullable = truth(),
        "maxLength" => schema.max_length = value.as_i64(),
        "minLength" => schema.min_length = value.as_i64(),
        "maxItems" => schema.max_items = value.as_i64(),
        "minItems" => schema.min_items = value.as_i64(),
        "minimum" => schema.minimum = value.as_f64(),
        "maximum" => schema.maximum = value.as_f64(),
        "required" => schema.required = texts(),
        "enum" => schema.enum_values = each(value, Json::from),
        "properties" => schema.properties = named(value.as_object().expect("properties")),
        "items" => schema.items = Some(Box::new(Items::Each(read(value)))),
        "anyOf" => schema.any_of = each(value, read),
        "additionalProperties" => {
            schema.additional_properties = Some(Box::new(match value {
                Value::Bool(allowed) => SchemaOrBool::Allowed(allowed),
                schema => SchemaOrBool::Schema(read(schema)),
            }));
        }
        "x-kubernetes-preserve-unknown-fields" => schema.preserve_unknown_fields = Some(truth()),
        "x-kubernetes-embedded-resource" => schema.embedded_resource = truth(),
        "x-kubernetes-int-or-string" => schema.int_or_string = truth(),
        "x-kubernetes-list-type" => schema.list_type = Some(text()),
        "x-kubernetes-list-map-keys" => schema.list_map_keys = texts(),
        "x-kubernetes-map-type" => schema.map_type = Some(text()),
        "x-kubernetes-validations" => schema.validations = each(value, rule),
        other => panic!("keyword {other}"),
    }
}

fn each<'v, T>(list: Value<'v>, read: impl Fn(Value<'v>) -> T) -> Vec<T> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|&item| read(item))
        .collect()
}

fn named(object: Object<'_>) -> Vec<(kindsmith_schema::Str, JsonSchema)> {
    object
        .iter()
        .map(|(name, schema)| (name.into(), read(schema)))
        .collect()
}

fn rule(value: Value<'_>) -> ValidationRule {
    let text = |key| value.get(key).and_then(Value::as_str).unwrap_or_default();
    ValidationRule {
        rule: text("rule").into(),
        message: text("message").into(),
        ..ValidationRule::default()
    }
}

/// What pruning makes of an object, and the paths it reports.
pub(crate) fn prune(schema: &str, object: &str, resource: bool) -> (String, Vec<String>) {
    let (structure, arena) = (structure(schema), Arena::new());
    let object = parse_str(&arena, object).expect("JSON");
    let mut unknown = PrunedPaths::default();
    let pruned = structure.prune_traced(&arena, object, resource, &mut unknown);
    (to_string(pruned), unknown.finish())
}
