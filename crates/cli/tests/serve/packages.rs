//! Kinds of Go packages on a server: options, profiles, subresources.

use serde_json::{Value, json};

use crate::running::{Running, TOKEN};

const TYPES: &str = "crates/cli/tests/serve/packages";
const GATES: &str = "/apis/demo.example.org/v1/namespaces/default/gates";

fn start(more: &[&str]) -> Running {
    let mut arguments = vec!["--types", TYPES];
    arguments.extend(more);
    Running::start(&arguments)
}

/// Sends an object; the status and the answer.
fn send(server: &Running, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let bearer = format!("Bearer {TOKEN}");
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
    ];
    let reply = server
        .client()
        .send(method, path, &headers, body.to_string().as_bytes());
    (reply.status, serde_json::from_str(&reply.text()).expect("JSON"))
}

fn gate(spec: &Value) -> Value {
    json!({"apiVersion": "demo.example.org/v1", "kind": "Gate", "metadata": {"name": "g"}, "spec": spec})
}

#[test]
fn options_decide_rules_of_packages() {
    for (option, code) in [("Tall=true", 422), ("Tall=false", 201)] {
        let server = start(&["--option", option]);
        let (status, answer) = send(&server, "POST", GATES, &gate(&json!({"height": 1})));
        assert_eq!(status, code, "{option}: {answer}");
    }
}

#[test]
fn the_gate_turns_defaults_of_tags_off() {
    let server = start(&["--option", "Tall=false"]);
    let (_, answer) = send(&server, "POST", GATES, &gate(&json!({})));
    assert_eq!(answer["spec"]["text"], "x", "{answer}");
    let server = start(&[
        "--option",
        "Tall=false",
        "--feature-gates",
        "DeclarativeDefaults=false",
    ]);
    let (_, answer) = send(&server, "POST", GATES, &gate(&json!({})));
    assert_eq!(answer["spec"]["text"], Value::Null, "{answer}");
}

#[test]
fn packages_are_served_as_the_profile_says() {
    let server = start(&["--option", "Tall=false", "--profile", "kep"]);
    let (status, answer) = send(
        &server,
        "POST",
        GATES,
        &gate(&json!({"text": "", "replicas": null})),
    );
    assert_eq!(status, 201, "{answer}");
    assert_eq!(answer["spec"], json!({"text": ""}), "zeros stay and nulls go");
}

#[test]
fn subresources_of_packages_are_served() {
    let server = start(&["--option", "Tall=false"]);
    let (_, made) = send(&server, "POST", GATES, &gate(&json!({"replicas": 1})));
    let mut changed = made.clone();
    changed["spec"]["replicas"] = 4.into();
    changed["status"] = json!({"phase": "long"});
    let path = format!("{GATES}/g/status");
    let (status, answer) = send(&server, "PUT", &path, &changed);
    assert_eq!(status, 422, "the same rules: {answer}");
    changed["status"] = json!({"phase": "on", "replicas": 1, "selector": "a=b"});
    let (status, answer) = send(&server, "PUT", &path, &changed);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["spec"]["replicas"], 1, "only the status changes");
    let path = format!("{GATES}/g/scale");
    let (status, mut scale) = send(&server, "GET", &path, &Value::Null);
    assert_eq!(status, 200, "{scale}");
    assert_eq!(scale["spec"]["replicas"], 1, "{scale}");
    assert_eq!(
        scale["status"],
        json!({"replicas": 1, "selector": "a=b"}),
        "{scale}"
    );
    scale["spec"]["replicas"] = 9.into();
    let (status, answer) = send(&server, "PUT", &path, &scale);
    assert_eq!(status, 422, "the rules of the object: {answer}");
    scale["spec"]["replicas"] = 3.into();
    let (status, answer) = send(&server, "PUT", &path, &scale);
    assert_eq!(
        (status, &answer["spec"]["replicas"]),
        (200, &json!(3)),
        "{answer}"
    );
}
