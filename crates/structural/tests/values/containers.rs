//! Arrays, objects and the root.

use kindsmith_json::{Arena, Path};
use kindsmith_structural::{Mode, ValuePlan};

use super::{check, check_object, published, read, schema, shown};

#[test]
fn arrays() {
    check(
        "{type: array, items: {type: string}, maxItems: 2, minItems: 1}",
        "[x]",
        &[],
    );
    check(
        "{type: array, items: {type: string}, maxItems: 2}",
        "[a, b, c]",
        &["a: Too many: 3: must have at most 2 items"],
    );
    check(
        "{type: array, items: {type: string}, maxItems: 1}",
        "[a, b, c]",
        &["a: Too many: 3: must have at most 1 item"],
    );
    check(
        "{type: array, items: {}, maxItems: -1}",
        "[]",
        &["a: Too many: 0: has too many items"],
    );
    check(
        "{type: array, items: {type: string}, minItems: 2}",
        "[a]",
        &["a: Invalid value: 1: $ should have at least 2 items"],
    );
    check(
        "{type: array, items: {type: string}, minItems: 3}",
        "[1, x]",
        &[
            r#"a[0]: Invalid value: "integer": a[0] in body must be of type string: "integer""#,
            "a: Invalid value: 2: $ should have at least 3 items",
        ],
    );
    check(
        "{type: array, items: {type: string}, uniqueItems: true}",
        "[x, z, x]",
        &[r#"a: Invalid value: "": $ shouldn't contain duplicates"#],
    );
    check(
        "{type: array, items: {}, uniqueItems: true}",
        r#"[1, 1.0, "1", [1]]"#,
        &[],
    );
    check(
        "{type: array, items: {type: array, items: {type: integer}}}",
        "[[1], [2, x]]",
        &[r#"a[1][1]: Invalid value: "string": a[1][1] in body must be of type integer: "string""#],
    );
    check(
        "{type: array, items: {type: string}}",
        "[null]",
        &[r#"a[0]: Invalid value: "null": a[0] in body must be of type string: "null""#],
    );
}

#[test]
fn objects() {
    check(
        "{type: object, required: [b], properties: {b: {}}}",
        "{b: null}",
        &[],
    );
    check(
        "{type: object, required: [b, c], properties: {b: {}}}",
        "{}",
        &["a.b: Required value", "a.c: Required value"],
    );
    check(
        "{type: object, maxProperties: 1}",
        "{x: 1, y: 2}",
        &["a: Too many: 2: must have at most 1 item"],
    );
    check(
        "{type: object, minProperties: 2}",
        "{x: 1}",
        &["a: Invalid value: 1: $ should have at least 2 properties"],
    );
    check(
        "{type: object, additionalProperties: false, properties: {k: {}}}",
        "{k: 1, x: 1}",
        &[r#"a: Invalid value: "x": a.x in body is a forbidden property"#],
    );
    check("{type: object, additionalProperties: true}", "{x: 1}", &[]);
    check(
        "{type: object, additionalProperties: {type: string}}",
        "{x: 1, 'q/z.w': 2}",
        &[
            r#"a.x: Invalid value: "integer": a.x in body must be of type string: "integer""#,
            r#"a.q/z.w: Invalid value: "integer": a.q/z.w in body must be of type string: "integer""#,
        ],
    );
    // Errors come in the order of the schema, after those of additional members and before missing ones.
    check(
        "{type: object, required: [q], properties: {z: {type: string}, b: {type: string}}, additionalProperties: {type: string}}",
        "{m: 1, b: 2, z: 3}",
        &[
            r#"a.m: Invalid value: "integer": a.m in body must be of type string: "integer""#,
            r#"a.z: Invalid value: "integer": a.z in body must be of type string: "integer""#,
            r#"a.b: Invalid value: "integer": a.b in body must be of type string: "integer""#,
            "a.q: Required value",
        ],
    );
}

#[test]
fn the_root_has_no_name() {
    check_object(
        "{type: object, required: [spec]}",
        "{}",
        &["spec: Required value"],
    );
    check_object(
        "{type: object}",
        "[]",
        &[r#"<nil>: Invalid value: "array":  in body must be of type object: "array""#],
    );
    check_object(
        "{type: object, additionalProperties: {type: string}}",
        "{k: 1}",
        &[r#"k: Invalid value: "integer": .k in body must be of type string: "integer""#],
    );
    check_object(
        "{type: object, additionalProperties: false}",
        "{k: 1}",
        &[r#"<nil>: Invalid value: "k": .k in body is a forbidden property"#],
    );
    check_object(
        "{type: object, anyOf: [{required: [x]}]}",
        "{}",
        &[
            r#"<nil>: Invalid value: "": "" must validate at least one schema (anyOf)"#,
            "x: Required value",
        ],
    );
}

#[test]
fn deep_schemas_need_no_deep_stack() {
    let mut schema = schema("{type: integer, maximum: 1}");
    let mut object = "2".to_owned();
    for level in 0..500 {
        let mut outer = published::schema(r#"{"type": "object"}"#);
        if level % 100 == 0 {
            outer.all_of = [schema].into();
        } else {
            outer.properties = [("a".into(), schema)].into();
            object = format!("{{\"a\": {object}}}");
        }
        schema = outer;
    }
    let plan = ValuePlan::compile(&schema, Mode::Object);
    let arena = Arena::new();
    let value = read(&arena, &object);
    let errors = shown(&plan.validate(plan.root(), value, &Path::NIL));
    let found = errors
        .iter()
        .any(|error| error.ends_with("should be less than or equal to 1"));
    assert!(found, "{errors:?}");
}
