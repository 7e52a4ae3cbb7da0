//! Versions that an apply demands, scales of objects without replicas, and patches of CRDs.

use super::server::{Server, text};
use super::{DEFINITIONS, GADGETS};

const MERGE: &str = "application/merge-patch+json";
const JSON: &str = "application/json-patch+json";
const STRATEGIC: &str = "application/strategic-merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

#[track_caller]
fn check(server: &Server, (media, path, body): (&str, &str, &str), status: u16, part: &str) {
    let target = match media {
        APPLY => format!("{path}?fieldManager=test&force=true"),
        _ => path.to_owned(),
    };
    let (code, answer) = server.ask("PATCH", &target, media, body);
    assert_eq!(code, status, "{media} {path} {body}: {answer}");
    assert!(answer.contains(part), "{media} {path} {body}: {answer}");
}

fn configuration(version: &str, replicas: u32) -> String {
    format!(
        "apiVersion: example.com/v1\nkind: Gadget\nmetadata: {{name: a, resourceVersion: {version:?}}}\nspec: {{replicas: {replicas}}}"
    )
}

#[test]
fn an_apply_demands_the_version_it_names() {
    let server = Server::default();
    let path = format!("{GADGETS}/a");
    let apply = |version: &str, replicas, status, part: &str| {
        let body = configuration(version, replicas);
        check(&server, (APPLY, &path, &body), status, part);
    };
    apply("7", 1, 201, r#""replicas":1"#);
    let version = text(&server.get(&path, 200), &["metadata", "resourceVersion"]);
    let stale = "the object has been modified";
    apply("1", 2, 409, stale);
    apply("1", 1, 409, stale);
    let missing = "metadata.resourceVersion: Invalid value: 0: must be specified for an update";
    apply("0", 2, 422, missing);
    apply("0", 1, 422, missing);
    apply(&version, 1, 200, &version);
    apply(&version, 2, 200, r#""replicas":2"#);
}

#[test]
fn a_scale_can_be_set_where_there_is_none() {
    let server = Server::default();
    let (path, scale) = (format!("{GADGETS}/a"), format!("{GADGETS}/a/scale"));
    let body = r#"{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"a"}}"#;
    let reset = || {
        server.delete(&path, 200);
        server.post(GADGETS, body, 201);
    };
    server.post(GADGETS, body, 201);
    server.get(&scale, 500);
    let empty = r#"the spec replicas field \".spec.replicas\" cannot be empty"#;
    check(&server, (MERGE, &scale, "{}"), 400, empty);
    check(
        &server,
        (MERGE, &scale, r#"{"spec":{"replicas":3}}"#),
        200,
        r#""replicas":3"#,
    );
    check(
        &server,
        (MERGE, &scale, r#"{"spec":{"replicas":null}}"#),
        200,
        r#""spec":{}"#,
    );
    assert!(server.get(&path, 200).contains(r#""spec":{"replicas":0}"#));
    reset();
    let patch = r#"[{"op":"replace","path":"/spec/replicas","value":2}]"#;
    check(&server, (JSON, &scale, patch), 200, r#""replicas":2"#);
    reset();
    let own = "apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: a}\nspec: {replicas: 4}";
    check(&server, (APPLY, &scale, own), 200, r#""replicas":4"#);
}

#[test]
fn a_scale_is_validated_as_the_object() {
    let server = Server::default();
    let limited = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"limits.example.com"},
        "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"limits","singular":"limit","kind":"Limit"},
        "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"scale":{"specReplicasPath":".spec.replicas",
        "statusReplicasPath":".status.replicas"}},"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",
        "properties":{"replicas":{"type":"integer","maximum":5}}}}}}}]}}"#;
    server.post(DEFINITIONS, limited, 201);
    let limits = GADGETS.replace("gadgets", "limits");
    server.post(
        &limits,
        r#"{"apiVersion":"example.com/v1","kind":"Limit","metadata":{"name":"a"},"spec":{"replicas":1}}"#,
        201,
    );
    let scale = format!("{limits}/a/scale");
    let part = "spec.replicas: Invalid value: 6: spec.replicas in body should be less than or equal to 5";
    check(&server, (MERGE, &scale, r#"{"spec":{"replicas":6}}"#), 422, part);
    let own = "apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: a}\nspec: {replicas: 6}";
    check(&server, (APPLY, &scale, own), 422, part);
}

#[test]
fn crds_take_strategic_merge_patches() {
    let server = Server::default();
    let path = format!("{DEFINITIONS}/gadgets.example.com");
    for (place, patch, part) in [
        (
            "",
            r#"{"metadata":{"labels":{"a":"b"}}}"#,
            r#""labels":{"a":"b"}"#,
        ),
        (
            "",
            r#"{"metadata":{"labels":{"a":null,"c":"d"}}}"#,
            r#""labels":{"c":"d"}"#,
        ),
        (
            "",
            r#"{"spec":{"names":{"shortNames":["gd"]}}}"#,
            r#""shortNames":["gd"]"#,
        ),
        ("", r#"{"metadata":{"finalizers":["x.io/a"]}}"#, "x.io/a"),
        (
            "",
            r#"{"metadata":{"$deleteFromPrimitiveList/finalizers":["x.io/a"]}}"#,
            "Gadget",
        ),
        (
            "/status",
            r#"{"status":{"storedVersions":["v1"]}}"#,
            r#""storedVersions":["v1"]"#,
        ),
    ] {
        check(&server, (STRATEGIC, &format!("{path}{place}"), patch), 200, part);
    }
    assert!(!server.get(&path, 200).contains("x.io/a"));
    check(
        &server,
        (STRATEGIC, &path, "[]"),
        400,
        "cannot unmarshal array into Go value of type map[string]interface {}",
    );
}
