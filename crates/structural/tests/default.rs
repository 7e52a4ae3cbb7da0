//! Null removal and defaults of custom resources, case by case.

use crate::published::structure;
use kindsmith_json::{Arena, parse_str, to_string};
use kindsmith_object::{Event, NoTrace};
use kindsmith_structural::StructuralSchema;

/// Removes nulls, then fills in defaults. One combined walk must give the same result.
#[track_caller]
fn check(schema: &str, object: &str, expected: &str) {
    let (structure, arena) = (structure(schema), Arena::new());
    let object = parse_str(&arena, object).expect("JSON");
    let filled = structure.default(&arena, structure.remove_nulls(&arena, object));
    assert_eq!(to_string(filled), expected, "{schema} {object:?}");
    let told = structure.default_traced(&arena, structure.remove_nulls(&arena, object), &mut |_: Event<
        '_,
    >| {});
    assert_eq!(to_string(told), expected, "traced: {schema} {object:?}");
    let pruned = structure.prune(&arena, object, true);
    let stepwise = structure.default(&arena, structure.remove_nulls(&arena, pruned));
    let settled = structure.settle(&arena, object, true, &mut NoTrace);
    assert_eq!(to_string(settled), to_string(stepwise), "{schema} {object:?}");
}

/// Runs a single pass.
#[track_caller]
fn check_pass(
    pass: for<'a> fn(&'a StructuralSchema, &'a Arena, kindsmith_json::Value<'a>) -> kindsmith_json::Value<'a>,
    schema: &str,
    object: &str,
    expected: &str,
) {
    let (structure, arena) = (structure(schema), Arena::new());
    let object = parse_str(&arena, object).expect("JSON");
    assert_eq!(
        to_string(pass(&structure, &arena, object)),
        expected,
        "{schema} {object:?}"
    );
}

fn field(schema: &str) -> String {
    format!(r#"{{"properties": {{"a": {schema}}}}}"#)
}

#[test]
fn absent_and_null() {
    let cases = [
        (r#"{"default": "A"}"#, "{}", r#"{"a":"A"}"#),
        (r#"{"default": [1]}"#, "{}", r#"{"a":[1]}"#),
        (r#"{"default": "A"}"#, r#"{"a":null}"#, r#"{"a":"A"}"#),
        (
            r#"{"default": "A", "nullable": true}"#,
            r#"{"a":null}"#,
            r#"{"a":null}"#,
        ),
        (r#"{"default": "A", "nullable": true}"#, "{}", r#"{"a":"A"}"#),
        ("{}", r#"{"a":null}"#, "{}"),
        (r#"{"nullable": true}"#, r#"{"a":null}"#, r#"{"a":null}"#),
        (
            r#"{"items": {"default": "A"}}"#,
            r#"{"a":[null]}"#,
            r#"{"a":["A"]}"#,
        ),
        (
            r#"{"items": {"default": "A", "nullable": true}}"#,
            r#"{"a":[null]}"#,
            r#"{"a":[null]}"#,
        ),
        (r#"{"items": {}}"#, r#"{"a":[null]}"#, r#"{"a":[null]}"#),
        (
            r#"{"additionalProperties": {"default": "B"}}"#,
            r#"{"a":{"k":null}}"#,
            r#"{"a":{"k":"B"}}"#,
        ),
        (
            r#"{"additionalProperties": {"default": "B", "nullable": true}}"#,
            r#"{"a":{"k":null}}"#,
            r#"{"a":{"k":null}}"#,
        ),
        (
            r#"{"additionalProperties": {}}"#,
            r#"{"a":{"k":null}}"#,
            r#"{"a":{}}"#,
        ),
        (
            r#"{"additionalProperties": true}"#,
            r#"{"a":{"k":null}}"#,
            r#"{"a":{"k":null}}"#,
        ),
        (r#"{"default": null}"#, "{}", "{}"),
    ];
    for (schema, object, expected) in cases {
        check(&field(schema), object, expected);
    }
}

#[test]
fn present_values_stay() {
    for value in ["{}", "[]", r#""""#, "0", "false", r#"{"b":1}"#] {
        let object = format!(r#"{{"a":{value}}}"#);
        check(
            &field(r#"{"default": "A", "x-kubernetes-preserve-unknown-fields": true}"#),
            &object,
            &object,
        );
    }
}

#[test]
fn elements_and_keys_are_not_added() {
    check(
        &field(r#"{"items": {"default": 1}}"#),
        r#"{"a":[]}"#,
        r#"{"a":[]}"#,
    );
    check(
        &field(r#"{"additionalProperties": {"default": 1}}"#),
        r#"{"a":{}}"#,
        r#"{"a":{}}"#,
    );
}

#[test]
fn a_default_is_itself_filled() {
    let schema = r#"{"properties": {"a": {"default": {}, "properties": {"b": {"default": {"x": null}, "properties":
        {"c": {"default": 1}, "x": {"default": 2}}}}}}}"#;
    check(schema, "{}", r#"{"a":{"b":{"x":2,"c":1}}}"#);
    check(schema, r#"{"a":{"b":{"c":5}}}"#, r#"{"a":{"b":{"c":5,"x":2}}}"#);
    let listed = field(
        r#"{"default": [null, {}], "items": {"default": {"n": 1}, "properties": {"m": {"default": 2}}}}"#,
    );
    check(&listed, "{}", r#"{"a":[{"n":1,"m":2},{"m":2}]}"#);
}

#[test]
fn nulls_inside_a_default_are_not_removed() {
    check(
        &field(r#"{"default": {"b": null}, "properties": {"b": {}}}"#),
        "{}",
        r#"{"a":{"b":null}}"#,
    );
}

#[test]
fn nothing_is_filled_below_an_absent_object() {
    check(&field(r#"{"properties": {"b": {"default": 1}}}"#), "{}", "{}");
    check(
        &field(r#"{"properties": {"b": {"default": 1}}}"#),
        r#"{"a":{}}"#,
        r#"{"a":{"b":1}}"#,
    );
    check(
        &field(r#"{"properties": {"b": {"default": 1}}}"#),
        r#"{"a":"text"}"#,
        r#"{"a":"text"}"#,
    );
    check(r#"{"default": {"a": 1}, "properties": {"a": {}}}"#, "{}", "{}");
}

#[test]
fn lists_and_maps_are_followed() {
    let inner = r#"{"properties": {"b": {"default": 1}}}"#;
    check(
        &field(&format!(r#"{{"items": {inner}}}"#)),
        r#"{"a":[{},{"b":2},null,3]}"#,
        r#"{"a":[{"b":1},{"b":2},null,3]}"#,
    );
    check(
        &field(&format!(r#"{{"additionalProperties": {inner}}}"#)),
        r#"{"a":{"x":{},"y":{"b":null}}}"#,
        r#"{"a":{"x":{"b":1},"y":{"b":1}}}"#,
    );
}

#[test]
fn preserved_objects_get_the_defaults_of_what_is_specified() {
    let schema =
        field(r#"{"x-kubernetes-preserve-unknown-fields": true, "properties": {"b": {"default": 1}}}"#);
    check(
        &schema,
        r#"{"a":{"u":{"v":null},"w":null}}"#,
        r#"{"a":{"u":{"v":null},"w":null,"b":1}}"#,
    );
}

#[test]
fn metadata_of_resources_gets_defaults_and_loses_nulls_though_it_is_not_pruned() {
    let schema = r#"{"properties": {"metadata": {"properties": {"name": {}, "x": {"default": 1}}}}}"#;
    check(
        schema,
        r#"{"metadata":{"name":null,"u":null}}"#,
        r#"{"metadata":{"u":null,"x":1}}"#,
    );
}

#[test]
fn many_properties_get_their_defaults() {
    let properties: Vec<String> = (0..80)
        .map(|number| format!(r#""n{number:02}": {{"default": {number}}}"#))
        .collect();
    let filled: Vec<String> = (1..80)
        .map(|number| format!(r#""n{number:02}":{number}"#))
        .collect();
    let schema = format!(r#"{{"properties": {{{}}}}}"#, properties.join(","));
    check(
        &schema,
        r#"{"n00":"x"}"#,
        &format!(r#"{{"n00":"x",{}}}"#, filled.join(",")),
    );
    let full = format!(r#"{{"n00":0,{}}}"#, filled.join(","));
    check(&schema, &full, &full);
}

#[test]
fn removal_of_nulls_keeps_those_with_a_default() {
    let schema = r#"{"properties": {"a": {"default": 1}, "b": {}, "c": {"items": {}}}}"#;
    check_pass(
        StructuralSchema::remove_nulls,
        schema,
        r#"{"a":null,"b":null,"c":[null],"d":null}"#,
        r#"{"a":null,"c":[null],"d":null}"#,
    );
}

#[test]
fn defaults_leave_other_nulls() {
    let schema =
        r#"{"properties": {"a": {"default": 1}, "b": {}, "c": {"items": {}}}, "additionalProperties": {}}"#;
    check_pass(
        StructuralSchema::default,
        schema,
        r#"{"a":null,"b":null,"c":[null],"d":null}"#,
        r#"{"a":1,"b":null,"c":[null],"d":null}"#,
    );
}

#[test]
fn big_integers_in_defaults_are_floats() {
    check(
        &field(r#"{"default": 18446744073709551615}"#),
        "{}",
        r#"{"a":18446744073709552000}"#,
    );
}

#[test]
fn passes_report_events() {
    let schema = r#"{"properties": {"a": {"default": {}, "properties": {"b": {"default": 1}}}, "c": {},
        "m": {"additionalProperties": {"default": 2}}, "l": {"items": {"properties": {"x": {"default": 3}}}}}}"#;
    let (structure, arena) = (structure(schema), Arena::new());
    let object = parse_str(&arena, r#"{"c":null,"m":{"k":null},"l":[{"u":1}]}"#).expect("JSON");
    let mut told = Vec::new();
    let mut note = |event: Event<'_>| {
        told.push(match event {
            Event::Pruned { path } => format!("pruned {path}"),
            Event::NullRemoved { path } => format!("null {path}"),
            Event::Defaulted { path, value, .. } => format!("default {path} {value:?}"),
            other => format!("{other:?}"),
        });
    };
    let _ = structure.settle(&arena, object, true, &mut note);
    assert_eq!(
        told,
        [
            "null c",
            "default m[k] 2",
            "pruned l[0].u",
            "default l[0].x 3",
            r#"default a {"b":1}"#,
        ]
    );
}
