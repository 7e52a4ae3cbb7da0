//! Rules of a schema as attributes.

use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Json, JsonSchema, ValidationRule};

use super::names::quoted;

/// The attributes of a field or type for the rules of its schema; rules of values below are not among them.
pub(super) fn rules(schema: &JsonSchema) -> Vec<String> {
    let schema = &fitting(schema);
    let mut found = limits(schema);
    if schema.exclusive_minimum {
        found.push("exclusive_minimum".to_owned());
    }
    if schema.exclusive_maximum {
        found.push("exclusive_maximum".to_owned());
    }
    found.extend(
        schema
            .multiple_of
            .map(|value| format!("multiple_of = {}", number(value))),
    );
    if schema.unique_items {
        found.push("unique_items".to_owned());
    }
    // Beside the name of its type, which is not looked up, a pattern must know what it is for.
    if schema.int_or_string && !schema.pattern.is_empty() {
        found.push("int_or_string".to_owned());
    }
    if !schema.pattern.is_empty() {
        found.push(format!("pattern = {}", quoted(&schema.pattern)));
    }
    if schema.nullable {
        found.push("nullable".to_owned());
    }
    if schema.embedded_resource {
        found.push("embedded_resource".to_owned());
    }
    if let Some(list_type) = &schema.list_type {
        found.push(format!("list_type = {}", quoted(list_type)));
    }
    found.extend(
        schema
            .list_map_keys
            .iter()
            .map(|key| format!("list_map_key = {}", quoted(key))),
    );
    if let Some(map_type) = &schema.map_type {
        let is_struct = !schema.properties.is_empty();
        let name = if is_struct { "struct_type" } else { "map_type" };
        found.push(format!("{name} = {}", quoted(map_type)));
    }
    // A list with a default is never empty, by the rules of tags; an absent one is read as empty anyway.
    let default = schema.default.as_ref();
    found.extend(
        default
            .filter(|default| default.as_str() != "[]")
            .map(default_value),
    );
    found.extend(
        schema
            .validations
            .iter()
            .map(|validation| rule("rule", validation)),
    );
    found
}

/// A schema without keywords for values of other types: they say nothing, and attributes for them are mistakes.
fn fitting(schema: &JsonSchema) -> JsonSchema {
    let mut own = schema.clone();
    if &*schema.ty != "string" && !schema.int_or_string {
        (own.min_length, own.max_length) = (None, None);
        own.pattern = "".into();
    }
    if !matches!(&*schema.ty, "integer" | "number") {
        (own.minimum, own.maximum, own.multiple_of) = (None, None, None);
        (own.exclusive_minimum, own.exclusive_maximum) = (false, false);
    }
    if &*schema.ty != "array" {
        (own.min_items, own.max_items, own.unique_items) = (None, None, false);
        own.list_type = None;
        own.list_map_keys = Vec::new().into();
    }
    if &*schema.ty != "object" {
        (own.min_properties, own.max_properties, own.map_type) = (None, None, None);
    }
    own
}

/// Rules of a kind's objects, on the type of their spec.
pub(super) fn root_rules(schema: &JsonSchema) -> Vec<String> {
    let rules = schema.validations.iter();
    rules.map(|validation| rule("root_rule", validation)).collect()
}

/// Rules that `each_val` can have inside: lengths and limits.
pub(super) fn limits(schema: &JsonSchema) -> Vec<String> {
    let schema = &fitting(schema);
    let numbers = [
        ("min_length", schema.min_length),
        ("max_length", schema.max_length),
        ("min_items", schema.min_items),
        ("max_items", schema.max_items),
        ("min_properties", schema.min_properties),
        ("max_properties", schema.max_properties),
    ];
    let lengths = numbers
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name} = {}", value?)));
    let bounds = [("minimum", schema.minimum), ("maximum", schema.maximum)];
    let bounds = bounds
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name} = {}", number(value?))));
    lengths.chain(bounds).collect()
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        value.to_string()
    }
}

fn default_value(default: &Json) -> String {
    let arena = Arena::new();
    match default.value(&arena) {
        Value::Str(text) => format!("default = {}", quoted(text)),
        // Escapes of JSON are not those of Rust.
        _ if default.as_str().contains('\\') => format!("tag = {}", quoted(&format!("+default={default}"))),
        _ => format!("default = {default}"),
    }
}

fn rule(name: &str, rule: &ValidationRule) -> String {
    let mut parts = vec![quoted(&rule.rule)];
    let mut add = |name: &str, text: &str| {
        if !text.is_empty() {
            parts.push(format!("{name} = {}", quoted(text)));
        }
    };
    add("message", &rule.message);
    add("message_expression", &rule.message_expression);
    add("reason", rule.reason.as_deref().unwrap_or_default());
    add("field_path", &rule.field_path);
    if let Some(optional) = rule.optional_old_self {
        parts.push(format!("optional_old_self = {optional}"));
    }
    format!("{name}({})", parts.join(", "))
}
