//! Embedded resources, list types and scale paths.

use kindsmith_json::Arena;
use kindsmith_structural::{ScalePaths, StructuralChange, StructuralSchema};

use super::{check_object, read, schema, shown};

#[test]
fn embedded_resources() {
    let schema = "{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, \
                  x-kubernetes-preserve-unknown-fields: true}, m: {type: object, additionalProperties: \
                  {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}, \
                  l: {type: array, items: {type: object, x-kubernetes-embedded-resource: true}}}}";
    check_object(
        schema,
        "{e: {apiVersion: v1, kind: Pod, metadata: {name: x}}}",
        &[],
    );
    check_object(
        schema,
        "{e: {}, m: {k: {apiVersion: a/b/c}}, l: [{apiVersion: v1, kind: Pod, metadata: {name: a/b}}]}",
        &[
            "e.apiVersion: Required value",
            "e.kind: Required value",
            "m[k].kind: Required value",
            r#"m[k].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c"#,
            r#"l[0].metadata.name: Invalid value: "a/b": may not contain '/'"#,
        ],
    );
}

#[test]
fn sets() {
    let schema = "{type: object, properties: {s: {type: array, x-kubernetes-list-type: set, items: \
                  {x-kubernetes-preserve-unknown-fields: true}}}}";
    check_object(schema, "{s: [1, 1.5, '1', true, null, [1], {a: 1}, [1, 2]]}", &[]);
    check_object(schema, "{s: [a, b, a, a, a]}", &[r#"s[2]: Duplicate value: "a""#]);
    check_object(
        schema,
        "{s: [{a: 1, b: 2}, {b: 2, a: 1}, [1], [1], null, null, 1, 1]}",
        &[
            r#"s[1]: Duplicate value: {"a":1,"b":2}"#,
            "s[3]: Duplicate value: [1]",
            "s[5]: Duplicate value: null",
            "s[7]: Duplicate value: 1",
        ],
    );
}

#[test]
fn list_maps() {
    let list = |keys: &str| {
        format!(
            "{{type: object, properties: {{m: {{type: array, x-kubernetes-list-type: map, \
             x-kubernetes-list-map-keys: [{keys}], items: {{x-kubernetes-preserve-unknown-fields: true}}}}}}}}"
        )
    };
    check_object(&list("k"), "{m: [{k: a}, {k: b}, {k: 1}, {k: 1.5}, {}]}", &[]);
    check_object(
        &list("k"),
        "{m: [{k: a}, {k: a, x: 1}, {k: a}, {}, {x: 1}, null]}",
        &[r#"m[1]: Duplicate value: {"k":"a"}"#, "m[4]: Duplicate value: {}"],
    );
    check_object(
        &list("k"),
        "{m: [{k: a}, {k: a}, 3]}",
        &["m[2]: Invalid value: 3: must be an object for an array of list-type map"],
    );
    check_object(
        &list("k, l"),
        "{m: [{k: a, l: 1}, {k: a}, {l: 1}, {l: 1, k: a, x: 2}, {x: 1}, null, {x: 1}]}",
        &[
            r#"m[3]: Duplicate value: {"k":"a","l":1}"#,
            "m[5]: Duplicate value: {}",
        ],
    );
    check_object(
        "{type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: string}}}",
        "{x: [a, a]}",
        &[r#"[x][1]: Duplicate value: "a""#],
    );
}

/// Extra elements in front, which only change how lists are compared.
fn many(list: &str, element: impl Fn(usize) -> String) -> String {
    let filler: Vec<String> = (0..20).map(element).collect();
    format!("{{\"l\": [{}, {list}]}}", filler.join(", "))
}

#[test]
fn long_lists_are_compared_like_short_ones() {
    let list = |more: &str| {
        format!(
            "{{type: object, properties: {{l: {{type: array, x-kubernetes-list-type: {more}, items: \
             {{x-kubernetes-preserve-unknown-fields: true}}}}}}}}"
        )
    };
    for (more, elements, second) in [
        ("set", "1, 1.0, \"1\"", None),
        ("set", "1, 1, 1", Some((1, "1"))),
        ("set", "[1], [1.0]", Some((1, "[1]"))),
        ("set", "null, true, null", Some((2, "null"))),
        (
            "map, x-kubernetes-list-map-keys: [k]",
            r#"{"k": 1}, {"k": 1.0}, {"k": "1"}, {}"#,
            None,
        ),
        (
            "map, x-kubernetes-list-map-keys: [k]",
            r#"{"k": [1]}, {"k": [1.0]}"#,
            Some((1, r#"{"k":[1]}"#)),
        ),
        (
            "map, x-kubernetes-list-map-keys: [k]",
            r#"{"x": 1}, null"#,
            Some((1, "{}")),
        ),
        (
            "map, x-kubernetes-list-map-keys: [k, m]",
            r#"{"k": 1}, {"k": 1.0}"#,
            Some((1, r#"{"k":1}"#)),
        ),
        (
            "map, x-kubernetes-list-map-keys: [k, m]",
            r#"{"k": 1}, {"m": 1}, {"k": "1"}, {}"#,
            None,
        ),
    ] {
        let expected = |offset: usize| {
            let text = |(index, shown)| format!("l[{}]: Duplicate value: {shown}", index + offset);
            second.map(text).into_iter().collect::<Vec<_>>()
        };
        let short = format!("{{\"l\": [{elements}]}}");
        let long = many(elements, |number| match more {
            "set" => format!("\"filler {number}\""),
            _ => format!("{{\"k\": \"filler {number}\"}}"),
        });
        for (object, offset) in [(short, 0), (long, 20)] {
            let expected = expected(offset);
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            check_object(&list(more), &object, &expected);
        }
    }
}

#[test]
fn scale_paths() {
    let structure = StructuralSchema::compile(&schema(
        "{type: object, x-kubernetes-preserve-unknown-fields: true}",
    ))
    .expect("structural");
    let scale = ScalePaths {
        spec_replicas: ".spec.replicas".into(),
        status_replicas: ".status.replicas".into(),
        label_selector: Some(".status.sel".into()),
    };
    for (object, expected) in [
        ("{}", &[][..]),
        (
            "{spec: {replicas: 0}, status: {replicas: 2147483647, sel: a=b}}",
            &[],
        ),
        ("{spec: null}", &[]),
        (
            "{spec: {replicas: -1}}",
            &[".spec.replicas: Invalid value: -1: should be a non-negative integer"],
        ),
        (
            "{status: {replicas: 2147483648}}",
            &[".status.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647"],
        ),
        (
            "{spec: {replicas: 1.5}}",
            &[
                ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64",
            ],
        ),
        (
            "{spec: {replicas: null}}",
            &[
                ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: <nil> is of the type <nil>, expected int64",
            ],
        ),
        (
            "{spec: [1, {a: b}]}",
            &[
                ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: [1 map[a:b]] is of the type []interface {}, expected map[string]interface{}",
            ],
        ),
        (
            "{status: {sel: 1}}",
            &[
                ".status.sel: Invalid value: \"\": .status.sel accessor error: 1 is of the type int64, expected string",
            ],
        ),
    ] {
        let arena = Arena::new();
        let change = StructuralChange {
            scale: Some(&scale),
            ..StructuralChange::create(read(&arena, object))
        };
        assert_eq!(shown(&structure.validate(&change).errors), expected, "{object}");
    }
}
