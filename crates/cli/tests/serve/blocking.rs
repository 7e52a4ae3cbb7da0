//! Webhooks that hang, drip or never end: other requests are answered meanwhile, and nothing is left behind.

use std::thread::JoinHandle;

use serde_json::{Value, json};

use super::converting::{Gates, ask, path};
use super::hooks::Hooks;
use super::running::{Running, TOKEN};
use crate::waiting::until;

/// How many requests wait for the webhook at once.
const WAITING: usize = 6;
/// How many requests are answered meanwhile.
const OTHERS: usize = 30;

/// Sends a request on a thread and a connection of its own.
fn send(server: &Running, method: &'static str, path: String, body: Value) -> JoinHandle<u16> {
    let mut client = server.client();
    std::thread::spawn(move || ask(&mut client, method, &path, &body).0)
}

/// Sends requests that webhooks have nothing to do with; all are answered.
fn check_others(server: &Running, name: &str) {
    let mut client = server.client();
    let secrets = "/api/v1/namespaces/default/secrets";
    for number in 0..OTHERS {
        let secret = json!({"metadata": {"name": format!("{name}-{number}")}});
        assert_eq!(ask(&mut client, "POST", secrets, &secret).0, 201);
        assert_eq!(ask(&mut client, "GET", secrets, &Value::Null).0, 200);
    }
}

/// How many requests the server is answering, but for the one that asks.
fn in_flight(server: &Running) -> i64 {
    let authorization = format!("Bearer {TOKEN}");
    let mut client = server.client();
    let reply = client.send("GET", "/metrics", &[("Authorization", &authorization)], b"");
    let text = reply.text();
    let lines = text.lines();
    let counts = lines.filter(|line| {
        line.starts_with("apiserver_current_inflight_requests{")
            || line.starts_with("apiserver_longrunning_requests{")
    });
    let counts = counts.filter_map(|line| line.rsplit(' ').next()?.parse::<i64>().ok());
    counts.sum::<i64>() - 1
}

pub(crate) fn check_nothing_is_left(server: &Running, hooks: &Hooks) {
    until("all requests end", || in_flight(server) == 0);
    until("all connections are closed", || hooks.open() == 0);
}

fn configure(server: &Running, hooks: &Hooks) {
    let configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "slow"},
        "webhooks": [{"name": "slow.example.org", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "timeoutSeconds": 2,
            "clientConfig": {"url": format!("{}/h", hooks.base), "caBundle": hooks.bundle},
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"]}]}]});
    let path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    assert_eq!(ask(&mut server.client(), "POST", path, &configuration).0, 201);
}

/// Writes that wait for a webhook hold up nobody, and fail in the end.
fn check_admission(name: &str, answer: &Value) {
    let (server, hooks) = (Running::start(&[]), Hooks::start());
    configure(&server, &hooks);
    hooks.load(Some(&json!({"h": {"kind": "validating", "answers": [answer]}})));
    let writes: Vec<JoinHandle<u16>> = (0..WAITING)
        .map(|number| {
            let map = json!({"metadata": {"name": format!("{name}-{number}")}});
            send(
                &server,
                "POST",
                "/api/v1/namespaces/default/configmaps".to_owned(),
                map,
            )
        })
        .collect();
    until("the webhook is called", || hooks.count() == WAITING);
    check_others(&server, name);
    for write in writes {
        assert_eq!(write.join().ok(), Some(500), "{name}");
    }
    // Whoever hangs is let go; whoever was cut off has noticed.
    hooks.load(Some(
        &json!({"h": {"kind": "validating", "answers": [{"close": true}]}}),
    ));
    check_nothing_is_left(&server, &hooks);
}

#[test]
fn a_webhook_that_hangs_holds_up_nobody() {
    check_admission("hangs", &json!({"hang": true}));
}

#[test]
fn a_webhook_that_drips_holds_up_nobody() {
    check_admission(
        "drips",
        &json!({"allowed": true, "dripMs": 100, "fill": [" ", 1000]}),
    );
}

#[test]
fn a_webhook_that_never_ends_holds_up_nobody() {
    check_admission("floods", &json!({"allowed": true, "fill": [" ", 40_000_000]}));
}

#[test]
fn a_conversion_webhook_that_hangs_holds_up_nobody() {
    let mut gates = Gates::start();
    let gate = json!({"apiVersion": "park.example.org/v1", "kind": "Gate",
        "metadata": {"name": "a"}, "spec": {"color": "red"}});
    // The write itself does not wait for the conversion that follows it.
    gates.hooks.load(Some(
        &json!({"c": {"kind": "conversion", "convert": [{"hang": true}]}}),
    ));
    assert_eq!(ask(&mut gates.client, "POST", &path("v1", ""), &gate).0, 201);
    let mut waiting: Vec<JoinHandle<u16>> = (0..WAITING)
        .map(|_| send(&gates.server, "GET", path("v2", "/a"), Value::Null))
        .collect();
    waiting.push(send(&gates.server, "GET", path("v2", ""), Value::Null));
    waiting.push(send(&gates.server, "DELETE", path("v2", "/a"), Value::Null));
    let watch = path("v2", "?watch=1");
    let watching = send(&gates.server, "GET", watch, Value::Null);
    until("the webhook is called", || gates.hooks.count() >= WAITING + 4);
    check_others(&gates.server, "converted");
    assert_eq!(
        ask(&mut gates.client, "GET", &path("v1", "/a"), &Value::Null).0,
        200
    );
    assert!(waiting.iter().all(|request| !request.is_finished()));
    let impatient = path("v2", "/a?timeout=200ms");
    assert_eq!(ask(&mut gates.client, "GET", &impatient, &Value::Null).0, 504);
    gates.hooks.load(Some(
        &json!({"c": {"kind": "conversion", "convert": [{"close": true}]}}),
    ));
    for request in waiting {
        assert_eq!(request.join().ok(), Some(500));
    }
    assert_eq!(watching.join().ok(), Some(200));
    check_nothing_is_left(&gates.server, &gates.hooks);
}
