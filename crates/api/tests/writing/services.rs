//! What a server hands out to services, and kinds in two versions.

use super::server::{Server, text};

const SERVICES: &str = "/api/v1/namespaces/default/services";

fn service(name: &str, spec: &str) -> String {
    format!(r#"{{"apiVersion":"v1","kind":"Service","metadata":{{"name":"{name}"}},"spec":{spec}}}"#)
}

#[track_caller]
fn says(answer: &str, expected: &str) {
    assert!(answer.contains(expected), "{expected}\n{answer}");
}

#[test]
fn services_do_not_share_addresses() {
    let server = Server::default();
    let first = server.post(SERVICES, &service("a", r#"{"ports":[{"port":80}]}"#), 201);
    let second = server.post(SERVICES, &service("b", r#"{"ports":[{"port":80}]}"#), 201);
    let address = text(&first, &["spec", "clusterIP"]);
    assert_ne!(address, text(&second, &["spec", "clusterIP"]));
    let taken = format!(r#"{{"clusterIP":"{address}","ports":[{{"port":80}}]}}"#);
    says(
        &server.post(SERVICES, &service("c", &taken), 422),
        &format!("failed to allocate IP {address}: provided IP is already allocated"),
    );
    server.delete(&format!("{SERVICES}/a"), 200);
    server.post(SERVICES, &service("c", &taken), 201);
}

#[test]
fn services_do_not_share_node_ports() {
    let server = Server::default();
    let spec = r#"{"type":"NodePort","ports":[{"port":80,"nodePort":30080}]}"#;
    server.post(SERVICES, &service("a", spec), 201);
    says(
        &server.post(SERVICES, &service("b", spec), 422),
        "spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated",
    );
    let outside = r#"{"type":"NodePort","ports":[{"port":80,"nodePort":80}]}"#;
    says(
        &server.post(SERVICES, &service("b", outside), 422),
        "provided port is not in the valid range. The range of valid ports is 30000-32767",
    );
}

#[test]
fn an_autoscaler_has_the_fields_of_the_version_asked_for() {
    let server = Server::default();
    let scalers =
        |version: &str| format!("/apis/autoscaling/{version}/namespaces/default/horizontalpodautoscalers");
    let body = r#"{"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler","metadata":{"name":"a"},"spec":{"maxReplicas":3,"targetCPUUtilizationPercentage":5,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}}}"#;
    server.post(&scalers("v1"), body, 201);
    says(
        &server.get(&format!("{}/a", scalers("v2")), 200),
        r#""averageUtilization":5"#,
    );
    says(
        &server.get(&format!("{}/a", scalers("v1")), 200),
        r#""targetCPUUtilizationPercentage":5"#,
    );
    let patched = server.patch(
        &format!("{}/a", scalers("v2")),
        r#"{"spec":{"maxReplicas":4}}"#,
        200,
    );
    // Who sets which fields is kept for each version.
    says(&patched, r#""apiVersion":"autoscaling/v1","time""#);
    says(&patched, r#""apiVersion":"autoscaling/v2","time""#);
}
