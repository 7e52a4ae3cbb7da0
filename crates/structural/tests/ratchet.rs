//! Ratcheting of custom resources: which errors an update tolerates, case by case.

use crate::published;
use kindsmith_json::{Arena, Value, parse_str, yaml};
use kindsmith_object::FieldError;
use kindsmith_structural::{StructuralChange, StructuralSchema};

fn read<'a>(arena: &'a Arena, text: &'a str) -> Value<'a> {
    if let Ok(value) = parse_str(arena, text) {
        return value;
    }
    yaml::parse(arena, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn structure(text: &str) -> StructuralSchema {
    let arena = Arena::new();
    published::structure(&kindsmith_json::to_string(read(&arena, text)))
}

fn shown(errors: &[FieldError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

/// Updates an object whose only member is `s`, with a change elsewhere too.
#[track_caller]
fn check(member: &str, old: &str, new: &str, expected: &[&str]) {
    let structure = structure(&format!("{{type: object, properties: {{s: {member}}}}}"));
    let arena = Arena::new();
    let (old, new) = (format!("{{\"s\": {old}}}"), format!("{{\"s\": {new}}}"));
    let change = StructuralChange::update(read(&arena, &new), read(&arena, &old));
    assert_eq!(
        shown(&structure.validate(&change).errors),
        expected,
        "{member}\n{old}\n{new}"
    );
}

/// A member with an invalid value.
const WRONG: &str = "a: {type: string, maxLength: 1}";
const TOO_LONG: &str = "s.a: Too long: may not be more than 1 byte";

#[test]
fn unchanged_values_are_accepted() {
    let object = format!("{{type: object, properties: {{{WRONG}, b: {{type: integer}}}}}}");
    check(&object, "{a: xx, b: 1}", "{a: xx, b: 1}", &[]);
    check(&object, "{a: xx, b: 1}", "{a: xx, b: 2}", &[]);
    check(&object, "{a: xx}", "{a: xy}", &[TOO_LONG]);
    check(&object, "{}", "{a: xx}", &[TOO_LONG]);
    check(&object, "null", "{a: xx}", &[TOO_LONG]);
    check(&object, "{a: {}}", "{a: xx}", &[TOO_LONG]);
    check("{type: string}", "3", "3", &[]);
    check(
        "{type: string}",
        "3",
        "3.0",
        &[r#"s: Invalid value: "number": s in body must be of type string: "number""#],
    );
    check("{type: string}", "null", "null", &[]);
}

#[test]
fn errors_belong_to_the_node_that_reports_them() {
    let required = "{type: object, required: [q], properties: {b: {type: integer}}}";
    check(required, "{b: 1}", "{b: 1}", &[]);
    check(required, "{b: 1}", "{b: 2}", &["s.q: Required value"]);
    let counted = "{type: object, maxProperties: 1, additionalProperties: {type: integer}}";
    check(counted, "{b: 1, c: 1}", "{b: 1, c: 1}", &[]);
    check(
        counted,
        "{b: 1, c: 1}",
        "{b: 1, c: 2}",
        &["s: Too many: 2: must have at most 1 item"],
    );
    let list = "{type: array, maxItems: 1, items: {type: integer}}";
    check(list, "[1, 2]", "[1, 2]", &[]);
    check(
        list,
        "[1, 2]",
        "[2, 1]",
        &["s: Too many: 2: must have at most 1 item"],
    );
}

#[test]
fn members_without_schema_make_objects_differ() {
    let free = "{type: object, required: [q], x-kubernetes-preserve-unknown-fields: true}";
    check(free, "{}", "{}", &[]);
    check(free, "{b: 1}", "{b: 1}", &["s.q: Required value"]);
    let allowed = "{type: object, required: [q], additionalProperties: true}";
    check(allowed, "{b: 1}", "{b: 1}", &["s.q: Required value"]);
}

#[test]
fn the_root_is_compared_like_any_object() {
    let structure = structure(
        "{type: object, required: [q], properties: {apiVersion: {type: string, maxLength: 1}, kind: {type: string}, \
         metadata: {type: object}}}",
    );
    for (object, expected) in [
        ("{}", &[][..]),
        ("{kind: T}", &[]),
        ("{kind: T, metadata: {name: x}}", &["q: Required value"]),
        // Versions are not compared, because both objects were converted to the same one; so the root is
        // unchanged.
        ("{apiVersion: xx}", &[]),
        (
            "{apiVersion: xx, metadata: {name: x}}",
            &[
                "apiVersion: Too long: may not be more than 1 byte",
                "q: Required value",
            ],
        ),
    ] {
        let arena = Arena::new();
        let object = read(&arena, object);
        let change = StructuralChange::update(object, object);
        assert_eq!(shown(&structure.validate(&change).errors), expected, "{object:?}");
    }
}

#[test]
fn elements_of_plain_lists_do_not_correlate() {
    let list = "{type: array, items: {type: string, maxLength: 1}}";
    check(list, "[xx]", "[xx]", &[]);
    check(
        list,
        "[xx]",
        "[xx, z]",
        &["s[0]: Too long: may not be more than 1 byte"],
    );
    let set = "{type: array, x-kubernetes-list-type: set, items: {type: string, maxLength: 1}}";
    check(
        set,
        "[xx, z]",
        "[z, xx]",
        &["s[1]: Too long: may not be more than 1 byte"],
    );
}

/// Old and new elements as JSON, and the errors.
type Update<'t> = (&'t str, &'t str, &'t [&'t str]);

#[test]
fn elements_of_list_maps_are_found_by_their_keys() {
    let list = "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, \
                properties: {k: {x-kubernetes-int-or-string: true}, a: {type: string, maxLength: 1}, b: {type: integer}}}}";
    let cases: &[Update<'_>] = &[
        ("[{k: 1, a: xx}]", "[{k: 0}, {k: 1, a: xx}]", &[]),
        ("[{k: 1, a: xx}]", "[{k: 1, a: xx, b: 1}, {k: 0}]", &[]),
        (
            "[{k: 1, a: xx}]",
            "[{k: 2, a: xx}]",
            &["s[0].a: Too long: may not be more than 1 byte"],
        ),
        (
            "[{k: 1, a: xx}]",
            "[{k: '1', a: xx}]",
            &["s[0].a: Too long: may not be more than 1 byte"],
        ),
        (
            "[{a: xx}]",
            "[{a: xx}]",
            &["s[0].a: Too long: may not be more than 1 byte"],
        ),
        // The first of several counts.
        ("[{k: 1, a: xx}, {k: 1, a: zz}]", "[{k: 1, a: xx}]", &[]),
        (
            "[{k: 1, a: xx}, {k: 1, a: zz}]",
            "[{k: 1, a: zz}]",
            &["s[0].a: Too long: may not be more than 1 byte"],
        ),
    ];
    for (old, new, expected) in cases {
        check(list, old, new, expected);
    }
    let bounded = list.replace("type: array,", "type: array, maxItems: 1,");
    check(&bounded, "[{k: 1}, {k: 2}]", "[{k: 2}, {k: 1}]", &[]);
    check(
        &bounded,
        "[{k: 1}, {k: 2}]",
        "[{k: 2}, {k: 1, b: 1}]",
        &["s: Too many: 2: must have at most 1 item"],
    );
}

#[test]
fn several_keys_are_compared_as_text() {
    let list = "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, l], items: {type: object, \
                properties: {k: {type: string}, l: {type: number}, a: {type: string, maxLength: 1}}}}";
    check(
        list,
        "[{k: x, l: 1, a: xx}]",
        "[{k: z, l: 1}, {k: x, l: 1, a: xx}]",
        &[],
    );
    check(
        list,
        "[{k: x, l: 1, a: xx}]",
        "[{k: x, l: 2, a: xx}]",
        &["s[0].a: Too long: may not be more than 1 byte"],
    );
    check(
        list,
        "[{k: x, l: 1.00000001, a: xx}]",
        "[{k: z, l: 1}, {k: x, l: 1.00000002, a: xx}]",
        &[],
    );
    check(
        list,
        "[{k: x, a: xx}]",
        "[{k: x, a: xx}]",
        &["s[0].a: Too long: may not be more than 1 byte"],
    );
}

#[test]
fn maps_are_compared_by_key() {
    let map = "{type: object, additionalProperties: {type: string, maxLength: 1}}";
    check(map, "{k: xx}", "{k: xx, l: z}", &[]);
    check(
        map,
        "{k: xx}",
        "{k: xx, l: zz}",
        &["s.l: Too long: may not be more than 1 byte"],
    );
}

#[test]
fn inside_junctors_only_the_whole_is_excused() {
    let object = "{type: object, properties: {a: {type: string}, b: {type: integer}}, \
                  allOf: [{properties: {a: {maxLength: 1}}}]}";
    check(object, "{a: xx, b: 1}", "{a: xx, b: 1}", &[]);
    check(
        object,
        "{a: xx, b: 1}",
        "{a: xx, b: 2}",
        &[
            TOO_LONG,
            r#"<nil>: Invalid value: "": "s" must validate all the schemas (allOf). None validated"#,
        ],
    );
    let member = "{type: object, properties: {a: {type: string, not: {maxLength: 9}}, b: {type: integer}}}";
    check(member, "{a: xx, b: 1}", "{a: xx, b: 2}", &[]);
}

#[test]
fn old_duplicates_excuse_new_ones() {
    let set = "{type: array, x-kubernetes-list-type: set, items: {type: integer}}";
    check(set, "[1]", "[2, 2]", &["s[1]: Duplicate value: 2"]);
    check(set, "[1, 1]", "[2, 2]", &[]);
    check(set, "[1, 1]", "[1, 1]", &[]);
}

#[test]
fn embedded_resources_are_not_excused() {
    let embedded = "{type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: string}}}";
    check(
        embedded,
        "{kind: X}",
        "{kind: X}",
        &["s.apiVersion: Required value"],
    );
}

#[test]
fn status_alone() {
    let structure = structure(
        "{type: object, required: [q], properties: {status: {type: object, properties: {replicas: {type: integer}, \
         kind: {type: string, maxLength: 1}, l: {type: array, items: {type: integer, maximum: 1}}}}, spec: {type: string}}}",
    );
    for (old, new, expected) in [
        ("{}", "{spec: 3}", &[][..]),
        ("{}", "{status: {}}", &[]),
        ("{status: x}", "{status: x}", &[]),
        (
            "{}",
            "{status: x}",
            &[r#"status: Invalid value: "string":  in body must be of type object: "string""#],
        ),
        (
            "{}",
            "{status: {replicas: x}}",
            &[
                r#"status.replicas: Invalid value: "string": replicas in body must be of type integer: "string""#,
            ],
        ),
        ("{status: {replicas: x}}", "{status: {replicas: x, l: []}}", &[]),
        // A member of this name is treated like that of the root.
        (
            "{status: {kind: xx}}",
            "{status: {kind: xx, l: []}}",
            &["status.kind: Too long: may not be more than 1 byte"],
        ),
        ("{status: {kind: xx}}", "{status: {kind: xx}}", &[]),
        (
            "{status: {l: [1]}}",
            "{status: {l: [1, 2]}}",
            &["status.l[1]: Invalid value: 2: l[1] in body should be less than or equal to 1"],
        ),
        ("{}", "{status: null}", &[]),
        (
            "{status: {}}",
            "{status: null}",
            &[r#"status: Invalid value: "null":  in body must be of type object: "null""#],
        ),
    ] {
        let arena = Arena::new();
        let change = StructuralChange::status(read(&arena, new), read(&arena, old));
        assert_eq!(
            shown(&structure.validate(&change).errors),
            expected,
            "{old} {new}"
        );
    }
}
