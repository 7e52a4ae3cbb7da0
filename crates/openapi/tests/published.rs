//! OpenAPI documents: kinds, references, and CRDs made from them.

use std::fs;
use std::path::Path;

use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_openapi::published::Published;
use kindsmith_openapi::schema;

/// Resolves the schema `Root` of a v3 document with these schemas.
fn check(schemas: &str, expected: &str) {
    for (version, document) in [
        (
            "v3",
            format!(r#"{{"openapi":"3.0.0","components":{{"schemas":{schemas}}}}}"#),
        ),
        (
            "v2",
            format!(
                r#"{{"swagger":"2.0","definitions":{}}}"#,
                schemas.replace("#/components/schemas/", "#/definitions/")
            ),
        ),
    ] {
        let arena = Arena::new();
        let document = parse_str(&arena, &document).expect("it is JSON");
        let published = Published::open(document).expect("it is an OpenAPI document");
        let answer = match published.schema("Root") {
            Ok(resolved) => to_string(schema::write(&resolved, &arena)),
            Err(error) => error.to_string(),
        };
        assert_eq!(answer, expected, "{version}: {schemas}");
    }
}

#[test]
fn references_are_resolved() {
    check(r#"{"Root":{"type":"string"}}"#, r#"{"type":"string"}"#);
    check(
        r##"{"Root":{"items":{"$ref":"#/components/schemas/A"}},"A":{"type":"string"}}"##,
        r#"{"items":{"type":"string"}}"#,
    );
    check(
        r##"{"Root":{"properties":{"a":{"description":"mine","default":{},"allOf":[{"$ref":"#/components/schemas/A"}]}}},
            "A":{"description":"theirs","type":"object"}}"##,
        r#"{"properties":{"a":{"description":"mine","type":"object","default":{}}}}"#,
    );
    check(
        r##"{"Root":{"additionalProperties":{"$ref":"#/components/schemas/a~1b"}},"a/b":{"type":"string"}}"##,
        r#"{"additionalProperties":{"type":"string"}}"#,
    );
    // Several branches are not a wrapper.
    check(
        r##"{"Root":{"allOf":[{"$ref":"#/components/schemas/A"},{"type":"object"}]},"A":{"type":"string"}}"##,
        r#"{"allOf":[{"type":"string"},{"type":"object"}]}"#,
    );
}

#[test]
fn schemas_that_contain_themselves_end_in_anything() {
    check(
        r##"{"Root":{"properties":{"next":{"$ref":"#/components/schemas/Root"}}}}"##,
        r#"{"properties":{"next":{"x-kubernetes-preserve-unknown-fields":true}}}"#,
    );
    check(
        r##"{"Root":{"$ref":"#/components/schemas/Root"}}"##,
        r#"{"x-kubernetes-preserve-unknown-fields":true}"#,
    );
}

#[test]
fn references_that_multiply_are_rejected() {
    let level = |number: usize| {
        let next = format!(r##"{{"$ref":"#/components/schemas/A{}"}}"##, number + 1);
        format!(r#""A{number}":{{"properties":{{"a":{next},"b":{next},"c":{next}}}}}"#)
    };
    let levels: Vec<_> = (0..30).map(level).collect();
    check(
        &format!(
            r##"{{"Root":{{"$ref":"#/components/schemas/A0"}},{},"A30":{{}}}}"##,
            levels.join(",")
        ),
        "schema `Root` is too large with its references resolved",
    );
}

#[test]
fn endless_references_are_rejected() {
    let level = |number: usize| {
        format!(
            r##""A{number}":{{"not":{{"$ref":"#/components/schemas/A{}"}}}}"##,
            number + 1
        )
    };
    let levels: Vec<_> = (0..300).map(level).collect();
    check(
        &format!(
            r##"{{"Root":{{"$ref":"#/components/schemas/A0"}},{},"A300":{{}}}}"##,
            levels.join(",")
        ),
        "schema `Root` is too large with its references resolved",
    );
}

#[test]
fn missing_and_invalid_schemas_are_named() {
    check(
        r##"{"Root":{"$ref":"#/components/schemas/A"}}"##,
        "the document has no schema `A`",
    );
    check(
        r##"{"Root":{"$ref":"#/components/schemas/A"},"A":{"type":1}}"##,
        "schema `A`: json: cannot unmarshal number into Go struct field JSONSchemaProps.type of type string",
    );
}

#[test]
fn built_in_integers_or_strings_become_the_extension() {
    check(
        r#"{"Root":{"properties":{"a":{"format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}]},"b":{"type":"string","format":"int-or-string"}}}}"#,
        r#"{"properties":{"a":{"x-kubernetes-int-or-string":true},"b":{"x-kubernetes-int-or-string":true}}}"#,
    );
}

#[test]
fn a_recorded_document_is_turned_into_a_crd() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/api/api-openapi-v3-cluster.json");
    let text = fs::read_to_string(path).expect("the recording is there");
    let arena = Arena::new();
    let transcript = parse_str(&arena, &text).expect("it is JSON");
    let steps = transcript
        .get("steps")
        .and_then(Value::as_array)
        .unwrap_or_default();
    let bodies = steps.iter().filter_map(|step| step.lookup(&["response", "body"]));
    let documents: Vec<_> = bodies.filter_map(Published::open).collect();
    assert_eq!(documents.len(), 2);
    let group = "openapi-v3-cluster.api.example.com";
    let expected = [
        (
            "v1",
            r#"{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"},"spec":{"type":"object","properties":{"mass":{"type":"number"}}}}}"#,
        ),
        (
            "v2",
            r#"{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"}},"x-kubernetes-preserve-unknown-fields":true}"#,
        ),
    ];
    for (document, (version, expected)) in documents.iter().zip(expected) {
        let definition = document
            .definition(group, "Planet")
            .expect("it resolves")
            .expect("it is served");
        assert_eq!(
            (&*definition.spec.names.plural, &*definition.spec.scope),
            ("planets", "Cluster")
        );
        assert_eq!(&*definition.spec.names.list_kind, "PlanetList");
        let first = definition.spec.versions.first().expect("there is one");
        let schema = first.open_api_v3_schema().expect("it has a schema");
        assert_eq!(
            (&*first.name, &*to_string(schema::write(schema, &arena))),
            (version, expected)
        );
        // Lists have no path of their own.
        assert_eq!(document.definition(group, "PlanetList"), Ok(None));
    }
}

#[test]
fn other_documents_are_not_openapi() {
    for text in ["{}", "[]", r#"{"openapi":1}"#, r#"{"swagger":"1.2"}"#] {
        let arena = Arena::new();
        assert!(
            Published::open(parse_str(&arena, text).expect("it is JSON")).is_none(),
            "{text}"
        );
    }
}
