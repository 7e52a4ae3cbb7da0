//! Writes that recordings cannot show: races, name collisions, CRDs created and deleted.

mod admission_order;
mod budget;
mod conditions;
mod edges;
mod node_restriction;
mod patch_types;
mod plugins;
mod pod_admission;
mod pods;
mod policies;
mod readable;
mod recorded;
mod refusals;
mod registered;
mod scale_forms;
mod selectors;
mod server;
mod services;
mod updates;

use kindsmith_store::Store as _;
use server::{Racing, Server};

const GADGETS: &str = "/apis/example.com/v1/namespaces/default/gadgets";
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

fn gadget(metadata: &str, spec: &str) -> String {
    format!(r#"{{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{metadata},"spec":{spec}}}"#)
}

#[test]
fn a_patch_that_lost_a_race_is_applied_again() {
    let racing = Racing::default();
    let server = Server::over(racing.clone());
    server.post(GADGETS, &gadget(r#"{"name":"a"}"#, r#"{"size":1}"#), 201);
    racing.interfere(r#""size":1"#, r#""size":5"#);
    let answer = server.patch(&format!("{GADGETS}/a"), r#"{"spec":{"color":"red"}}"#, 200);
    assert!(
        answer.contains(r#""color":"red""#) && answer.contains(r#""size":5"#),
        "{answer}"
    );
}

#[test]
fn an_update_that_lost_a_race_is_a_conflict() {
    let racing = Racing::default();
    let server = Server::over(racing.clone());
    let created = server.post(GADGETS, &gadget(r#"{"name":"a"}"#, r#"{"size":1}"#), 201);
    racing.interfere(r#""size":1"#, r#""size":5"#);
    let version = server::text(&created, &["metadata", "resourceVersion"]);
    let metadata = format!(r#"{{"name":"a","resourceVersion":"{version}"}}"#);
    let answer = server.put(&format!("{GADGETS}/a"), &gadget(&metadata, r#"{"size":2}"#), 409);
    assert!(answer.contains("the object has been modified"), "{answer}");
}

#[test]
fn a_write_that_changes_nothing_keeps_the_version() {
    let server = Server::default();
    server.post(GADGETS, &gadget(r#"{"name":"a"}"#, r#"{"size":1}"#), 201);
    let before = server.revision();
    server.patch(&format!("{GADGETS}/a"), r#"{"spec":{"size":1}}"#, 200);
    assert_eq!(server.revision(), before);
}

#[test]
fn a_generated_name_that_is_taken_is_generated_again() {
    // The test's random numbers repeat, so the same name is generated.
    let server = Server::default();
    let body = gadget(r#"{"generateName":"a-"}"#, "{}");
    server.post(GADGETS, &body, 201);
    let answer = server.post(GADGETS, &body, 409);
    assert!(
        answer.contains("the server was not able to generate a unique name for the object"),
        "{answer}"
    );
    assert!(answer.contains(r#""retryAfterSeconds":1"#), "{answer}");
}

#[test]
fn deleting_a_crd_deletes_its_objects() {
    let server = Server::default();
    server.post(GADGETS, &gadget(r#"{"name":"a"}"#, "{}"), 201);
    let held = r#"{"name":"b","finalizers":["example.com/hold"]}"#;
    server.post(GADGETS, &gadget(held, "{}"), 201);
    let definition = format!("{DEFINITIONS}/gadgets.example.com");
    server.delete(&definition, 200);
    server.get(&format!("{GADGETS}/a"), 404);
    // The object with a finalizer keeps the CRD alive; new objects are rejected.
    server.get(&definition, 200);
    let answer = server.post(GADGETS, &gadget(r#"{"name":"c"}"#, "{}"), 403);
    let refused = "is forbidden: create not allowed while custom resource definition is terminating";
    assert!(answer.contains(&format!(r#"\"c\" {refused}"#)), "{answer}");
    let answer = server.post(GADGETS, &gadget(r#"{"generateName":"c"}"#, "{}"), 403);
    assert!(
        answer.contains(&format!(r#""gadgets.example.com {refused}"#)),
        "{answer}"
    );
    let listed = server.get("/apis/example.com/v1", 200);
    let verbs = r#""verbs":["delete","deletecollection","get","list","watch"]"#;
    assert!(listed.contains(verbs), "{listed}");
    server.patch(
        &format!("{GADGETS}/b"),
        r#"{"metadata":{"finalizers":null}}"#,
        200,
    );
    server.get(&definition, 404);
    assert!(server.get(GADGETS, 404).contains("404 page not found"));
}

#[test]
fn crds_of_another_server_are_served_after_refresh() {
    let store = Racing::default();
    let (one, other) = (Server::over(store.clone()), Server::over(store));
    let mut watch = other.watch_definitions();
    one.delete(&format!("{DEFINITIONS}/gadgets.example.com"), 200);
    other.get(GADGETS, 200);
    while let Some(event) = watch.try_next().expect("the watch goes on") {
        other.api.refresh(&event);
    }
    other.get(GADGETS, 404);
}

#[test]
fn a_thousand_crds_are_served_without_parsing_their_schemas() {
    let store = Racing::default();
    let server = Server::over(store.clone());
    let definition = server.get(&format!("{DEFINITIONS}/gadgets.example.com"), 200);
    for number in 0..1000 {
        let group = format!("g{number}.example.com");
        store.put(
            &format!("/registry/apiextensions.k8s.io/customresourcedefinitions/gadgets.{group}"),
            &definition.replace("example.com\"", &format!("g{number}.example.com\"")),
        );
    }
    let again = Server::reopened(store);
    assert_eq!(
        again.api.catalog().served.len(),
        server.api.catalog().served.len() + 1000
    );
    again.get("/apis/g7.example.com/v1/namespaces/default/gadgets", 200);
}

#[test]
fn a_scale_is_applied_by_its_own_rules() {
    let server = Server::default();
    let path = format!("{GADGETS}/a");
    let own = "apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: a}\nspec: {replicas: 2}";
    server.apply(&path, "one", own, 201);
    let scale = |replicas: u32| {
        format!(
            "apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {{name: a}}\nspec: {{replicas: {replicas}}}"
        )
    };
    let answer = server.apply(&format!("{path}/scale"), "two", &scale(3), 409);
    assert!(
        answer.contains(r#"conflict with \"one\": .spec.replicas"#),
        "{answer}"
    );
    let answer = server.apply(&format!("{path}/scale"), "two", &scale(2), 200);
    assert!(answer.contains(r#""kind":"Scale""#), "{answer}");
    let object = server.get(&path, 200);
    assert!(object.contains(r#""manager":"one""#), "{object}");
    assert!(
        object.contains(r#""manager":"two""#) && object.contains(r#""subresource":"scale""#),
        "{object}"
    );
}

#[test]
fn bodies_that_are_too_large_are_rejected() {
    let server = Server::default();
    let answer = server.post(GADGETS, &" ".repeat(3 * 1024 * 1024 + 1), 413);
    assert!(
        answer.contains("Request entity too large: limit is 3145728"),
        "{answer}"
    );
}

#[test]
fn namespaces_are_removed_when_finalized() {
    let server = Server::default();
    let namespace = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"x"}}"#;
    server.post("/api/v1/namespaces", namespace, 201);
    let answer = server.delete("/api/v1/namespaces/x", 200);
    assert!(answer.contains(r#""phase":"Terminating""#), "{answer}");
    let there = GADGETS.replace("/default/", "/x/");
    let answer = server.post(&there, &gadget(r#"{"name":"a"}"#, "{}"), 403);
    assert!(answer.contains("because it is being terminated"), "{answer}");
    server.put("/api/v1/namespaces/x/finalize", namespace, 200);
    server.get("/api/v1/namespaces/x", 404);
    server.delete("/api/v1/namespaces/default", 403);
}

#[test]
fn deleted_objects_are_freed() {
    let racing = Racing::default();
    let server = Server::over(racing.clone());
    server.post(
        GADGETS,
        &gadget(r#"{"name":"a","finalizers":["x.io/f"]}"#, "{}"),
        201,
    );
    let first = racing.held("/registry/example.com/gadgets/default/a");
    server.delete(&format!("{GADGETS}/a"), 200);
    let second = racing.held("/registry/example.com/gadgets/default/a");
    server.patch(
        &format!("{GADGETS}/a"),
        r#"{"metadata":{"finalizers":null}}"#,
        200,
    );
    racing.compact(server.revision()).expect("the revision is there");
    assert_eq!([first.holders(), second.holders()], [1, 1]);
}

#[test]
fn pages_for_people_say_which_server_this_is() {
    let server = Server::default();
    let status = server.get("/statusz", 200);
    for expected in [
        "\nkube-apiserver statusz\nWarning: This endpoint is not meant to be machine parseable",
        "\nStarted: Mon Sep 21 14:13:20 UTC 2026\nUp: 0 hr 00 min 00 sec\n",
        "\nEmulation version: 1.37\nPaths: /flagz /healthz /livez /metrics /readyz /statusz /version\n",
    ] {
        assert!(status.contains(expected), "{expected}\n{status}");
    }
    assert!(server.get("/flagz", 200).starts_with("\nkube-apiserver flagz\n"));
    let checks = server.get("/metrics/slis", 200);
    for expected in [
        "\nkubernetes_healthcheck{name=\"ping\",type=\"readyz\"} 1\n",
        "\nkubernetes_healthchecks_total{name=\"ping\",status=\"success\",type=\"readyz\"} 1\n",
    ] {
        assert!(checks.contains(expected), "{expected}\n{checks}");
    }
}
