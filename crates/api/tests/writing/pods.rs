//! Subresources of pods on a server without nodes.

use crate::server::Server;

const PODS: &str = "/api/v1/namespaces/default/pods";

fn pod(name: &str, containers: &[&str]) -> String {
    let containers: Vec<String> = containers
        .iter()
        .map(|name| format!(r#"{{"name":"{name}","image":"i"}}"#))
        .collect();
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}","labels":{{"app":"a"}}}},"spec":{{"containers":[{}]}}}}"#,
        containers.join(",")
    )
}

fn bind(name: &str, target: &str) -> String {
    format!(r#"{{"apiVersion":"v1","kind":"Binding","metadata":{{"name":"{name}"}},"target":{target}}}"#)
}

fn evict(name: &str) -> String {
    format!(r#"{{"apiVersion":"policy/v1","kind":"Eviction","metadata":{{"name":"{name}"}}}}"#)
}

#[track_caller]
fn says(answer: &str, expected: &str) {
    assert!(answer.contains(expected), "{expected}\n{answer}");
}

#[test]
fn a_binding_sets_the_node_once() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let path = format!("{PODS}/a/binding");
    let node = r#"{"kind":"Node","name":"n"}"#;
    for (body, code, expected) in [
        (
            bind("b", node),
            400,
            "name in URL does not match name in Binding object",
        ),
        (bind("a", "{}"), 500, "target.name: Required value"),
        (bind("a", node), 201, r#""status":"Success""#),
        (bind("a", node), 409, r#"pod a is already assigned to node \"n\""#),
    ] {
        says(&server.post(&path, &body, code), expected);
    }
    let bound = server.get(&format!("{PODS}/a"), 200);
    says(&bound, r#""nodeName":"n""#);
    says(&bound, r#""type":"PodScheduled","status":"True""#);
}

#[test]
fn an_eviction_deletes_a_pod_that_no_budget_protects() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let path = format!("{PODS}/a/eviction");
    says(&server.post(&path, &evict("a"), 201), r#""status":"Success""#);
    server.get(&format!("{PODS}/a"), 404);
    server.post(&path, &evict("a"), 404);
}

#[test]
fn a_budget_without_disruptions_keeps_its_pods() {
    let server = Server::default();
    server.post(PODS, &pod("a", &["c"]), 201);
    let status = pod("a", &["c"]).replace(r#","spec""#, r#","status":{"phase":"Running"},"spec""#);
    server.put(&format!("{PODS}/a/status"), &status, 200);
    let budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    let budget = r#"{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b"},
        "spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"a"}}}}"#;
    let made = server.post(budgets, budget, 201);
    let version = crate::server::text(&made, &["metadata", "resourceVersion"]);
    let path = format!("{PODS}/a/eviction");
    let answer = server.post(&path, &evict("a"), 429);
    says(
        &answer,
        "The disruption budget b is still being processed by the server.",
    );
    let status = r#"{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b","resourceVersion":"V"},
        "status":{"observedGeneration":1,"disruptionsAllowed":0,"currentHealthy":1,"desiredHealthy":1,"expectedPods":1}}"#;
    server.put(
        &format!("{budgets}/b/status"),
        &status.replace("\"V\"", &format!("\"{version}\"")),
        200,
    );
    // A pod that is not ready does not count where enough others do.
    server.post(&path, &evict("a"), 201);
}

#[test]
fn nothing_reaches_a_pod_without_a_node() {
    let server = Server::default();
    server.post(PODS, &pod("one", &["c"]), 201);
    server.post(PODS, &pod("two", &["c", "d"]), 201);
    for (path, code, expected) in [
        ("one/log", 200, ""),
        ("one/log?container=x", 400, "container x is not valid for pod one"),
        (
            "two/log",
            400,
            "a container name must be specified for pod two, choose one of: [c d]",
        ),
        (
            "one/exec?command=ls",
            400,
            "pod one does not have a host assigned",
        ),
        ("one/attach", 400, "pod one does not have a host assigned"),
        ("one/portforward", 400, "pod one does not have a host assigned"),
        ("one/proxy", 400, "address not allowed"),
        ("one/proxy/a/b", 400, "address not allowed"),
        ("three/log", 404, r#"pods \"three\" not found"#),
    ] {
        says(&server.get(&format!("{PODS}/{path}"), code), expected);
    }
    let node = r#"{"kind":"Node","name":"n"}"#;
    server.post(&format!("{PODS}/one/binding"), &bind("one", node), 201);
    let answer = server.get(&format!("{PODS}/one/log"), 404);
    says(&answer, r#"nodes \"n\" not found"#);
}

#[test]
fn nothing_is_behind_services_and_nodes() {
    let server = Server::default();
    let services = "/api/v1/namespaces/default/services";
    let service = r#"{"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}}"#;
    server.post(services, service, 201);
    let ready = r#"{"metadata":{"name":"n"}}"#;
    server.post("/api/v1/nodes", ready, 201);
    for (path, code, expected) in [
        ("s/proxy", 503, r#"no endpoints available for service \"s\""#),
        (
            "http:s:80/proxy/a",
            503,
            r#"no endpoints available for service \"s\""#,
        ),
        ("s:81/proxy", 503, r#"no service port 81 found for service \"s\""#),
        ("t:80/proxy", 404, r#"services \"t\" not found"#),
        ("t/proxy", 503, r#"no endpoints available for service \"t\""#),
        ("ftp:s:80/proxy", 400, r#"invalid service request \"ftp:s:80\""#),
        ("s/proxy?dryRun=All", 400, "dryRun is not supported"),
    ] {
        says(&server.get(&format!("{services}/{path}"), code), expected);
    }
    for (path, code, expected) in [
        (
            "n/proxy/metrics",
            500,
            "no preferred addresses found; known addresses: []",
        ),
        ("m/proxy", 404, r#"nodes \"m\" not found"#),
    ] {
        says(&server.get(&format!("/api/v1/nodes/{path}"), code), expected);
    }
    let forwarded = server.get(&format!("{PODS}/one/portforward?ports=x"), 400);
    says(
        &forwarded,
        r#"cannot convert to []int32: strconv.ParseUint: parsing \"x\": invalid syntax"#,
    );
}
