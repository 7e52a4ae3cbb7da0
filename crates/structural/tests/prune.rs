//! Pruning of custom resources, case by case.

use crate::published;

/// Prunes an object that is not a resource; `unknown` lists the reported paths, separated by blanks.
#[track_caller]
fn check(schema: &str, object: &str, pruned: &str, unknown: &str) {
    let (text, fields) = published::prune(schema, object, false);
    assert_eq!(
        (&*text, &*fields.join(" ")),
        (pruned, unknown),
        "{schema} {object}"
    );
}

/// Like `check`, for a resource.
#[track_caller]
fn check_resource(schema: &str, object: &str, pruned: &str, unknown: &str) {
    let (text, fields) = published::prune(schema, object, true);
    assert_eq!(
        (&*text, &*fields.join(" ")),
        (pruned, unknown),
        "{schema} {object}"
    );
}

const KNOWN: &str = r#"{"properties": {"a": {"type": "string"}, "o": {"properties": {"a": {}}}, "l": {"items": {"properties": {"a": {}}}}}}"#;

#[test]
fn unknown_members_are_dropped() {
    check(KNOWN, r#"{"a":"x"}"#, r#"{"a":"x"}"#, "");
    check(KNOWN, r#"{"b":1,"a":"x","c":{}}"#, r#"{"a":"x"}"#, "b c");
    check(KNOWN, r#"{"o":{"a":1,"b":{"c":1}}}"#, r#"{"o":{"a":1}}"#, "o.b");
    check(
        KNOWN,
        r#"{"l":[{"a":1},{"b":1,"a":2},[{"b":1}],3,null]}"#,
        r#"{"l":[{"a":1},{"a":2},[{}],3,null]}"#,
        "l[1].b l[2][0].b",
    );
}

#[test]
fn reports_are_sorted_and_name_keys_as_they_are() {
    check("{}", r#"{"b":1,"a.b":2,"a":3,"":4}"#, "{}", " a a.b b");
    check(KNOWN, r#"{"o":{"":1,"x[0]":2}}"#, r#"{"o":{}}"#, "o. o.x[0]");
}

#[test]
fn types_do_not_matter() {
    check(
        KNOWN,
        r#"{"a":5,"o":"text","l":1}"#,
        r#"{"a":5,"o":"text","l":1}"#,
        "",
    );
    check(
        KNOWN,
        r#"{"a":{"x":1,"y":2},"l":{"a":1}}"#,
        r#"{"a":{},"l":{}}"#,
        "a.x a.y l.a",
    );
    check(KNOWN, r#"{"a":[{"x":1}]}"#, r#"{"a":[{}]}"#, "a[0].x");
    check(KNOWN, r#"[{"a":1}]"#, "[{}]", "[0].a");
    check(KNOWN, "7", "7", "");
}

const MAP: &str = r#"{"additionalProperties": {"properties": {"a": {}}}, "properties": {"x": {}}}"#;

#[test]
fn additional_properties_are_kept() {
    check(
        MAP,
        r#"{"k":{"a":1,"b":2},"j":3,"x":{"a":1}}"#,
        r#"{"k":{"a":1},"j":3,"x":{}}"#,
        "k.b x.a",
    );
}

#[test]
fn a_plain_true_or_false_keeps_members_but_empties_objects() {
    for allowed in ["true", "false"] {
        let schema = format!(r#"{{"additionalProperties": {allowed}}}"#);
        check(
            &schema,
            r#"{"k":1,"m":{"n":1},"l":[{"q":1},2]}"#,
            r#"{"k":1,"m":{},"l":[{},2]}"#,
            "l[0].q m.n",
        );
        check(
            &schema,
            r#"{"m":{"n":{"o":1},"p":1}, "e":{}}"#,
            r#"{"m":{},"e":{}}"#,
            "m.n m.p",
        );
        check(
            &schema,
            r#"{"l":[[[{"a":1}]],[]]}"#,
            r#"{"l":[[[{}]],[]]}"#,
            "l[0][0][0].a",
        );
    }
}

const PRESERVE: &str = r#"{"x-kubernetes-preserve-unknown-fields": true, "properties": {"o": {"properties": {"a": {}}}, "p": {"x-kubernetes-preserve-unknown-fields": true}}}"#;

#[test]
fn preserving_is_not_inherited_by_what_is_specified() {
    check(
        PRESERVE,
        r#"{"u":{"v":[{"w":1}]},"o":{"a":1,"b":2}}"#,
        r#"{"u":{"v":[{"w":1}]},"o":{"a":1}}"#,
        "o.b",
    );
    check(PRESERVE, r#"{"p":{"x":{"y":1}}}"#, r#"{"p":{"x":{"y":1}}}"#, "");
}

#[test]
fn preserving_with_additional_properties() {
    let schema = r#"{"x-kubernetes-preserve-unknown-fields": true, "additionalProperties": {"properties": {"a": {}}}}"#;
    check(schema, r#"{"k":{"a":1,"b":2}}"#, r#"{"k":{"a":1}}"#, "k.b");
    let schema = r#"{"x-kubernetes-preserve-unknown-fields": true, "additionalProperties": true}"#;
    check(schema, r#"{"k":{"a":1}}"#, r#"{"k":{}}"#, "k.a");
}

#[test]
fn a_preserving_list_preserves_its_elements() {
    let schema = r#"{"properties": {"l": {"x-kubernetes-preserve-unknown-fields": true, "items": {"properties": {"o": {"properties": {"a": {}}}}}}}}"#;
    check(
        schema,
        r#"{"l":[{"u":{"v":1},"o":{"a":1,"b":2}}]}"#,
        r#"{"l":[{"u":{"v":1},"o":{"a":1}}]}"#,
        "l[0].o.b",
    );
    let schema = r#"{"properties": {"l": {"x-kubernetes-preserve-unknown-fields": true}}}"#;
    check(schema, r#"{"l":[{"u":{"v":1}}]}"#, r#"{"l":[{"u":{"v":1}}]}"#, "");
    let nested = r#"{"properties": {"l": {"x-kubernetes-preserve-unknown-fields": true, "items": {"items": {"properties": {"a": {}}}}}}}"#;
    check(nested, r#"{"l":[[{"u":1}]]}"#, r#"{"l":[[{"u":1}]]}"#, "");
}

const META: &str = r#"{"kind":"K","apiVersion":{"odd":1},"metadata":{"name":"n","odd":1},"x":1}"#;

#[test]
fn members_of_a_resource_are_left_alone() {
    check_resource(
        "{}",
        META,
        r#"{"kind":"K","apiVersion":{"odd":1},"metadata":{"name":"n","odd":1}}"#,
        "x",
    );
    let named = r#"{"properties": {"metadata": {"properties": {"name": {}}}}}"#;
    check_resource(
        named,
        META,
        r#"{"kind":"K","apiVersion":{"odd":1},"metadata":{"name":"n","odd":1}}"#,
        "x",
    );
    check(named, META, r#"{"metadata":{"name":"n"}}"#, "metadata.odd x");
}

#[test]
fn dropping_meta_members_at_the_top_is_not_reported() {
    check("{}", META, "{}", "x");
    let schema = r#"{"properties": {"o": {}}}"#;
    check(
        schema,
        r#"{"o":{"kind":"K","metadata":{}}}"#,
        r#"{"o":{}}"#,
        "o.kind o.metadata",
    );
}

#[test]
fn embedded_resources_are_resources_too() {
    let schema =
        r#"{"properties": {"e": {"x-kubernetes-embedded-resource": true, "properties": {"spec": {}}}}}"#;
    check(
        schema,
        r#"{"e":{"kind":"K","apiVersion":"v1","metadata":{"odd":{"x":1}},"spec":{"a":1},"u":1}}"#,
        r#"{"e":{"kind":"K","apiVersion":"v1","metadata":{"odd":{"x":1}},"spec":{}}}"#,
        "e.spec.a e.u",
    );
    let preserving = r#"{"properties": {"e": {"x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, "properties": {"metadata": {"properties": {"name": {}}}}}}}"#;
    let object = r#"{"e":{"kind":"K","metadata":{"odd":1},"u":{"v":1}}}"#;
    check(preserving, object, object, "");
}

#[test]
fn many_members_are_found() {
    let names: Vec<String> = (0..100).map(|number| format!("n{number:03}")).collect();
    let properties: Vec<String> = names.iter().map(|name| format!(r#""{name}": {{}}"#)).collect();
    let schema = format!(r#"{{"properties": {{{}}}}}"#, properties.join(","));
    let entries: Vec<String> = names.iter().rev().map(|name| format!(r#""{name}":1"#)).collect();
    let known = format!("{{{}}}", entries.join(","));
    check(&schema, &known, &known, "");
    check(&schema, &known.replacen('{', r#"{"n05":1,"#, 1), &known, "n05");
}

#[test]
fn any_depth_is_pruned() {
    let deep = format!(r#"{{"l":{}1{}}}"#, "[".repeat(9000), "]".repeat(9000));
    check(r#"{"additionalProperties": true}"#, &deep, &deep, "");
    check(KNOWN, &deep, &deep, "");
}
