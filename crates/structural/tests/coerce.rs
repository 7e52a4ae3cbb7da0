//! Embedded resources in custom resources, and defaults as served, case by case.

use crate::published;
use kindsmith_cel::dialect::Dialect;
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Path, parse_str, to_string};
use kindsmith_object::meta::Malformed;
use kindsmith_structural::{Coercion, StructuralSchema};

/// Coerces an object; returns the result or the error, and the unknown fields.
fn coerce(schema: &str, object: &str, resource: bool, malformed: Malformed) -> String {
    let (structure, arena) = (published::structure(schema), Arena::new());
    let object = parse_str(&arena, object).expect("JSON");
    let mut unknown = Vec::new();
    let how = Coercion {
        resource,
        malformed,
        unknown: Some(&mut unknown),
    };
    let text = match structure.coerce(&arena, object, &Path::NIL, how) {
        Ok(coerced) => to_string(coerced),
        Err(error) => error.to_string(),
    };
    let unknown = unknown.iter().map(|path: &PathBuf| format!(" {}", path.dotted()));
    unknown.fold(text, |text, path| text + &path)
}

#[track_caller]
fn check(schema: &str, object: &str, refused: &str, dropped: &str) {
    assert_eq!(coerce(schema, object, false, Malformed::Refuse), refused);
    assert_eq!(coerce(schema, object, false, Malformed::Drop), dropped);
}

const EMBEDDED: &str = r#"{"properties": {
    "e": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
    "m": {"additionalProperties": {"x-kubernetes-embedded-resource": true, "properties": {"e": {"x-kubernetes-embedded-resource": true}}}},
    "l": {"items": {"x-kubernetes-embedded-resource": true}},
    "n": {"properties": {"kind": {}, "metadata": {}}}}}"#;

#[test]
fn valid_resources_are_unchanged() {
    for object in [
        r#"{"e":{"apiVersion":"v1","kind":"K","metadata":{"name":"n"},"u":1}}"#,
        r#"{"e":{},"m":{"k":{}},"l":[{}]}"#,
        r#"{"e":1,"m":[1],"l":{"kind":1}}"#,
        r#"{"n":{"kind":1,"metadata":{"stray":1}},"kind":1,"metadata":{"stray":1}}"#,
    ] {
        check(EMBEDDED, object, object, object);
    }
}

#[test]
fn kind_and_version_are_strings() {
    check(
        EMBEDDED,
        r#"{"e":{"kind":1,"x":2}}"#,
        "e.kind: Invalid value: 1: must be a string",
        r#"{"e":{"x":2}}"#,
    );
    check(
        EMBEDDED,
        r#"{"m":{"k":{"apiVersion":null}}}"#,
        "m[k].apiVersion: Invalid value: null: must be a string",
        r#"{"m":{"k":{}}}"#,
    );
    check(
        EMBEDDED,
        r#"{"l":[{},{"kind":["x"]}]}"#,
        r#"l[1].kind: Invalid value: ["x"]: must be a string"#,
        r#"{"l":[{},{}]}"#,
    );
    check(
        EMBEDDED,
        r#"{"m":{"k":{"e":{"kind":true}}}}"#,
        "m[k].e.kind: Invalid value: true: must be a string",
        r#"{"m":{"k":{"e":{}}}}"#,
    );
}

#[test]
fn metadata_passes_through_go() {
    check(
        EMBEDDED,
        r#"{"e":{"metadata":{"name":"n","stray":1,"creationTimestamp":null,"generation":0}}}"#,
        r#"{"e":{"metadata":{"name":"n"}}} e.metadata.stray"#,
        r#"{"e":{"metadata":{"name":"n"}}} e.metadata.stray"#,
    );
    check(
        EMBEDDED,
        r#"{"e":{"metadata":{"name":1,"namespace":"x"}}}"#,
        r#"e.metadata: Invalid value: {"name":1,"namespace":"x"}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string"#,
        r#"{"e":{"metadata":{"namespace":"x"}}}"#,
    );
    check(
        EMBEDDED,
        r#"{"e":{"metadata":"x"}}"#,
        r#"e.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta"#,
        r#"{"e":{"metadata":"x"}}"#,
    );
    check(
        EMBEDDED,
        r#"{"e":{"metadata":null}}"#,
        r#"{"e":{"metadata":{}}}"#,
        r#"{"e":{"metadata":{}}}"#,
    );
}

#[test]
fn unknown_fields_are_listed_sorted_with_keys_in_brackets() {
    let object =
        r#"{"m":{"k":{"metadata":{"b":1,"a":1}}},"l":[{"metadata":{"x":1}}],"e":{"metadata":{"z":1}}}"#;
    let coerced = r#"{"m":{"k":{"metadata":{}}},"l":[{"metadata":{}}],"e":{"metadata":{}}} e.metadata.z l[0].metadata.x m[k].metadata.a m[k].metadata.b"#;
    check(EMBEDDED, object, coerced, coerced);
}

#[test]
fn the_object_itself_is_coerced_on_request() {
    let object = r#"{"kind":"K","metadata":{"name":"n","stray":1}}"#;
    let coerced = r#"{"kind":"K","metadata":{"name":"n"}} metadata.stray"#;
    assert_eq!(coerce("{}", object, true, Malformed::Refuse), coerced);
    assert_eq!(coerce("{}", object, false, Malformed::Refuse), object);
}

/// Defaults of the property `a`, or of the property at `path`, as served.
#[track_caller]
fn check_default(schema: &str, path: &[&str], expected: Option<&str>) {
    let schema = published::schema(schema);
    let structure = StructuralSchema::compile(&schema).expect("structural");
    let pruned = structure.prune_defaults(&schema).expect("servable");
    let node = path.iter().fold(&*pruned, |node, step| match *step {
        "[]" => node.item().expect("items"),
        "*" => node.additional().expect("additional properties"),
        name => node.property(name).expect("a property"),
    });
    assert_eq!(node.default.as_ref().map(|json| json.as_str()), expected);
    let again = StructuralSchema::compile(&pruned).expect("structural");
    assert_eq!(
        again.prune_defaults(&pruned).as_deref(),
        Ok(&*pruned),
        "once is enough"
    );
}

#[test]
fn unknown_fields_of_defaults_are_dropped() {
    let object = r#"{"properties": {"a": {"default": {"b": 1.0, "u": {"v": 1}}, "properties": {"b": {}}}}}"#;
    check_default(object, &["a"], Some(r#"{"b":1.0}"#));
    let listed = r#"{"properties": {"a": {"items": {"default": {"u": 1}, "properties": {"b": {}}}}}}"#;
    check_default(listed, &["a", "[]"], Some("{}"));
    let mapped =
        r#"{"properties": {"a": {"additionalProperties": {"default": {"u": 1}, "properties": {"b": {}}}}}}"#;
    check_default(mapped, &["a", "*"], Some("{}"));
    let known = r#"{"properties": {"a": {"default": {"b": [1]}, "properties": {"b": {}}}}}"#;
    check_default(known, &["a"], Some(r#"{"b":[1]}"#));
}

#[test]
fn preserving_reaches_defaults_of_elements() {
    let schema = r#"{"properties": {"a": {"x-kubernetes-preserve-unknown-fields": true, "items": {"default": {"u": 1}, "properties": {"b": {}}}}}}"#;
    check_default(schema, &["a", "[]"], Some(r#"{"u":1}"#));
}

#[test]
fn metadata_in_defaults_passes_through_go() {
    let embedded = r#"{"properties": {"a": {"x-kubernetes-embedded-resource": true,
        "default": {"apiVersion": "v1", "kind": "Foo", "extra": 1, "metadata": {"bad": 1, "name": "x"}}}}}"#;
    check_default(
        embedded,
        &["a"],
        Some(r#"{"apiVersion":"v1","kind":"Foo","metadata":{"name":"x"}}"#),
    );
    let metadata = r#"{"properties": {"a": {"x-kubernetes-embedded-resource": true, "properties": {"metadata": {
        "default": {"name": "Bar", "unknown": "u", "finalizers": [1]}}}}}}"#;
    check_default(metadata, &["a", "metadata"], Some(r#"{"name":"Bar"}"#));
    let inner = r#"{"properties": {"a": {"x-kubernetes-embedded-resource": true, "properties": {"metadata": {"properties": {
        "finalizers": {"default": [1]}, "name": {"default": "x"}}}}}}}"#;
    check_default(inner, &["a", "metadata", "finalizers"], None);
    check_default(inner, &["a", "metadata", "name"], Some(r#""x""#));
    let root = r#"{"properties": {"metadata": {"properties": {"stray": {"default": 1}, "generation": {"default": 0}}}}}"#;
    check_default(root, &["metadata", "stray"], None);
    check_default(root, &["metadata", "generation"], None);
}

#[test]
fn a_served_structure_has_pruned_defaults() {
    let schema = r#"{"properties": {"a": {"default": {"u": 1, "b": 2}, "properties": {"b": {}, "c": {"default": 3}}}}}"#;
    let structure =
        StructuralSchema::serve(&published::schema(schema), Dialect::default()).expect("servable");
    let arena = Arena::new();
    let filled = structure.default(&arena, parse_str(&arena, "{}").expect("JSON"));
    assert_eq!(to_string(filled), r#"{"a":{"b":2,"c":3}}"#);
}

#[test]
fn the_default_of_the_root_is_an_object() {
    let reason = StructuralSchema::serve(&published::schema(r#"{"default": 1}"#), Dialect::default())
        .expect_err("not an object");
    assert_eq!(
        reason.to_string(),
        "failed to prune default value: object root default value must be of object type"
    );
    let schema = published::schema(r#"{"default": {"kind": "K", "u": 1}}"#);
    assert!(StructuralSchema::serve(&schema, Dialect::default()).is_ok());
}
