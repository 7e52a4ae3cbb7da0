//! A CRD with two versions and a conversion webhook, written and read through both.

use serde_json::{Value, json};

use super::client::Client;
use super::hooks::Hooks;
use super::running::{Running, TOKEN};

/// A server with a CRD whose versions call a field `color` and `colour`.
pub(crate) struct Gates {
    pub(crate) hooks: Hooks,
    pub(crate) client: Client,
    pub(crate) server: Running,
}

/// Where objects of a version are.
pub(crate) fn path(version: &str, name: &str) -> String {
    format!("/apis/park.example.org/{version}/namespaces/default/gates{name}")
}

/// Sends a request; the answer is its status and body.
pub(crate) fn ask(client: &mut Client, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let authorization = format!("Bearer {TOKEN}");
    let media = match method {
        "PATCH" => "application/merge-patch+json",
        _ => "application/json",
    };
    let headers = [("Authorization", authorization.as_str()), ("Content-Type", media)];
    let text = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let reply = client.send(method, path, &headers, text.as_bytes());
    (
        reply.status,
        serde_json::from_str(&reply.text()).unwrap_or(Value::Null),
    )
}

impl Gates {
    pub(crate) fn start() -> Self {
        let (server, hooks) = (Running::start(&[]), Hooks::start());
        hooks.load(Some(&json!({"c": convert(&json!({}), &json!({}))})));
        let version = |name: &str, field: &str, is_stored: bool| {
            let fields = json!({field: {"type": "string"}});
            json!({"name": name, "served": true, "storage": is_stored, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}}})
        };
        let definition = json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "gates.park.example.org"},
            "spec": {"group": "park.example.org", "scope": "Namespaced",
                "names": {"plural": "gates", "kind": "Gate"},
                "versions": [version("v1", "color", true), version("v2", "colour", false)],
                "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"],
                    "clientConfig": {"url": format!("{}/c", hooks.base), "caBundle": hooks.bundle}}}}});
        let mut gates = Gates {
            client: server.client(),
            hooks,
            server,
        };
        let crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        assert_eq!(ask(&mut gates.client, "POST", crds, &definition).0, 201);
        gates
    }

    fn ask(&mut self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        ask(&mut self.client, method, path, body)
    }
}

/// A script that renames the field both ways, and does more to v1 and v2.
fn convert(more_v1: &Value, more_v2: &Value) -> Value {
    let entry = |version: &str, from: &str, to: &str, more: &Value| {
        let mut entry = json!({"match": {"desiredAPIVersion": format!("park.example.org/{version}")},
            "ops": [{"rename": [from, to]}]});
        for (key, value) in more.as_object().into_iter().flatten() {
            entry[key] = value.clone();
        }
        entry
    };
    json!({"kind": "conversion", "convert": [
        entry("v1", "spec.colour", "spec.color", more_v1),
        entry("v2", "spec.color", "spec.colour", more_v2),
    ]})
}

fn gate(version: &str, name: &str, field: &str) -> Value {
    json!({"apiVersion": format!("park.example.org/{version}"), "kind": "Gate",
        "metadata": {"name": name}, "spec": {field: "red"}})
}

#[test]
fn every_version_has_its_own_names() {
    let mut gates = Gates::start();
    assert_eq!(
        gates.ask("POST", &path("v2", ""), &gate("v2", "a", "colour")).0,
        201
    );
    let read = |gates: &mut Gates, version: &str| gates.ask("GET", &path(version, "/a"), &Value::Null).1;
    assert_eq!(read(&mut gates, "v1")["spec"], json!({"color": "red"}));
    assert_eq!(read(&mut gates, "v2")["spec"], json!({"colour": "red"}));
    let patch = json!({"spec": {"colour": "blue"}});
    let (status, patched) = gates.ask("PATCH", &path("v2", "/a"), &patch);
    assert_eq!((status, &patched["spec"]), (200, &json!({"colour": "blue"})));
    assert_eq!(read(&mut gates, "v1")["spec"], json!({"color": "blue"}));
}

#[test]
fn what_a_webhook_returns_gets_no_defaults() {
    let mut gates = Gates::start();
    let crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gates.park.example.org";
    let (_, mut definition) = gates.ask("GET", crd, &Value::Null);
    for (index, name) in ["width", "height"].into_iter().enumerate() {
        let spec = "/schema/openAPIV3Schema/properties/spec/properties";
        let versions = definition["spec"]["versions"][index].pointer_mut(spec);
        versions.expect("a schema")[name] = json!({"type": "integer", "default": 3});
    }
    assert_eq!(gates.ask("PUT", crd, &definition).0, 200);
    let (_, made) = gates.ask("POST", &path("v1", ""), &gate("v1", "a", "color"));
    assert_eq!(made["spec"], json!({"color": "red", "width": 3}));
    let (_, read) = gates.ask("GET", &path("v2", "/a"), &Value::Null);
    assert_eq!(read["spec"].get("height"), None, "{read}");
    let (_, made) = gates.ask("POST", &path("v2", ""), &gate("v2", "b", "colour"));
    let owned = &made["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"];
    assert_eq!(owned["f:height"], json!({}), "the body had its default: {made}");
    assert_eq!(
        made["spec"],
        json!({"colour": "red"}),
        "lost on the way to v1 and back"
    );
}

#[test]
fn what_is_stored_stays_though_it_cannot_be_shown() {
    let mut gates = Gates::start();
    let broken = convert(&json!({}), &json!({"fail": "no way back"}));
    gates.hooks.load(Some(&json!({"c": broken})));
    let (status, answer) = gates.ask("POST", &path("v2", ""), &gate("v2", "a", "colour"));
    let message = answer["message"].as_str().unwrap_or_default();
    assert_eq!(status, 500, "{answer}");
    assert!(message.starts_with("object not decodable revision="), "{message}");
    assert!(
        message.ends_with(": conversion webhook for park.example.org/v1, Kind=Gate failed: no way back"),
        "{message}"
    );
    assert_eq!(gates.ask("GET", &path("v1", "/a"), &Value::Null).0, 200);
}

#[test]
fn a_list_is_converted_in_one_call() {
    let mut gates = Gates::start();
    let crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gates.park.example.org";
    let mut definition = gates.ask("GET", crd, &Value::Null).1;
    // What is written while there is a webhook is converted at once, for watches to come.
    let webhook = std::mem::replace(&mut definition["spec"]["conversion"], json!({"strategy": "None"}));
    let (status, mut definition) = gates.ask("PUT", crd, &definition);
    assert_eq!(status, 200, "{definition}");
    for number in 0..30 {
        let object = gate("v1", &format!("g{number:02}"), "color");
        assert_eq!(gates.ask("POST", &path("v1", ""), &object).0, 201);
    }
    definition["spec"]["conversion"] = webhook;
    assert_eq!(gates.ask("PUT", crd, &definition).0, 200);
    let objects = |gates: &Gates| -> Vec<usize> {
        let calls = gates.hooks.take_calls();
        let sent = |call: &Value| call["review"]["request"]["objects"].as_array().map(Vec::len);
        calls.iter().filter_map(sent).collect()
    };
    let (status, list) = gates.ask("GET", &path("v2", ""), &Value::Null);
    let items = list["items"].as_array().expect("a list");
    assert_eq!((status, items.len()), (200, 30));
    for (number, item) in items.iter().enumerate() {
        assert_eq!(item["metadata"]["name"], format!("g{number:02}"));
        assert_eq!(item["spec"], json!({"colour": "red"}));
        assert!(item["metadata"]["resourceVersion"].is_string(), "{item}");
    }
    assert_eq!(objects(&gates), [30]);
    // A page is one call, too; the next one is read as the reference reads from its watch cache.
    let page = gates.ask("GET", &path("v2", "?limit=20"), &Value::Null).1;
    assert_eq!(objects(&gates), [20]);
    let more = page["metadata"]["continue"].as_str().expect("there is more");
    let next = path("v2", &format!("?limit=20&continue={more}"));
    for expected in [&[10][..], &[]] {
        let (_, page) = gates.ask("GET", &next, &Value::Null);
        assert_eq!(page["items"].as_array().map(Vec::len), Some(10), "{page}");
        assert_eq!(objects(&gates), expected);
    }
}

#[test]
fn what_is_wrong_with_one_object_of_a_list_is_said_of_that_object() {
    let mut gates = Gates::start();
    for name in ["a", "b", "c"] {
        assert_eq!(
            gates.ask("POST", &path("v1", ""), &gate("v1", name, "color")).0,
            201
        );
    }
    let mut list = |more: Value| {
        gates.hooks.load(Some(&json!({"c": convert(&json!({}), &more)})));
        gates.ask("GET", &path("v2", ""), &Value::Null)
    };
    // The answer to three objects has two; the answers about each have none.
    let (status, answer) = list(json!({"dropLast": true}));
    let message = answer["message"].as_str().unwrap_or_default();
    assert_eq!(status, 500, "{answer}");
    assert!(
        message.contains("Kind=Gate returned 0 objects, expected 1"),
        "{message}"
    );
    assert!(message.ends_with("(and 2 more)"), "{message}");
    // In another order they are not the same objects; one by one they are.
    let (status, answer) = list(json!({"reverse": true}));
    assert_eq!(
        (status, answer["items"].as_array().map(Vec::len)),
        (200, Some(3)),
        "{answer}"
    );
}

#[test]
fn a_dry_run_that_cannot_be_shown_stores_nothing() {
    let mut gates = Gates::start();
    let broken = convert(&json!({}), &json!({"fail": "no way back"}));
    gates.hooks.load(Some(&json!({"c": broken})));
    let dry = format!("{}?dryRun=All", path("v2", ""));
    let (status, answer) = gates.ask("POST", &dry, &gate("v2", "a", "colour"));
    let expected = "conversion webhook for park.example.org/v1, Kind=Gate failed: no way back";
    assert_eq!((status, &answer["message"]), (500, &expected.into()));
    assert_eq!(gates.ask("GET", &path("v1", "/a"), &Value::Null).0, 404);
}

#[test]
fn a_watch_says_what_could_not_be_converted_and_ends() {
    let mut gates = Gates::start();
    let broken = convert(&json!({}), &json!({"fail": "not today"}));
    gates.hooks.load(Some(&json!({"c": broken})));
    assert_eq!(
        gates.ask("POST", &path("v1", ""), &gate("v1", "a", "color")).0,
        201
    );
    let watch = format!("{}?watch=1&timeoutSeconds=20", path("v2", ""));
    let (status, event) = gates.ask("GET", &watch, &Value::Null);
    assert_eq!((status, &event["type"]), (200, &"ERROR".into()), "{event}");
    let message = event["object"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("Kind=Gate failed: not today"), "{message}");
}

#[test]
fn the_order_in_which_a_webhook_writes_members_is_no_change() {
    let mut gates = Gates::start();
    let text = r#"{"spec":{"color":"red"},"metadata":{"name":"a"},"kind":"Gate","apiVersion":"park.example.org/v1"}"#;
    let authorization = format!("Bearer {TOKEN}");
    let headers = [
        ("Authorization", authorization.as_str()),
        ("Content-Type", "application/json"),
    ];
    let created = gates
        .client
        .send("POST", &path("v1", ""), &headers, text.as_bytes());
    let created: Value = serde_json::from_str(&created.text()).expect("it is JSON");
    let (status, patched) = gates.ask("PATCH", &path("v2", "/a"), &json!({}));
    assert_eq!(status, 200);
    let version = |object: &Value| object["metadata"]["resourceVersion"].clone();
    assert_eq!(version(&patched), version(&created));
}

/// As Go's HTTP client does, which client-go leaves redirects to.
#[test]
fn redirects_are_followed_to_https_only() {
    let mut gates = Gates::start();
    assert_eq!(
        gates.ask("POST", &path("v1", ""), &gate("v1", "a", "color")).0,
        201
    );
    let read = |gates: &mut Gates, status: u16, location: &str| {
        let away = json!({"httpStatus": status, "headers": {"Location": location}, "raw": "gone"});
        let there = convert(&json!({}), &json!({}));
        let hooks = json!({"c": {"kind": "conversion", "convert": [away]}, "d": there});
        gates.hooks.load(Some(&hooks));
        gates.ask("GET", &path("v2", "/a"), &Value::Null)
    };
    let absolute = format!("{}/d", gates.hooks.base);
    let from = format!("{}/c?timeout=30s", gates.hooks.base);
    for (status, location, expected, method) in [
        (307, "/d", 200, "POST"),
        (307, "d?e=1", 200, "POST"),
        (308, &*absolute, 200, "POST"),
        // What is there is read, without a review; the scripted answer converts nothing.
        (301, "/d", 500, "GET"),
        (302, "/d", 500, "GET"),
        (303, "/d", 500, "GET"),
    ] {
        gates.hooks.take_calls();
        assert_eq!(
            read(&mut gates, status, location).0,
            expected,
            "{status} {location}"
        );
        let calls = gates.hooks.take_calls();
        let redirected = calls
            .iter()
            .find(|call| call["hook"] == "d")
            .expect("it is followed");
        assert_eq!(redirected["redirected"], json!([method, from]), "{status}");
        assert_eq!(redirected["review"].is_null(), method == "GET", "{status}");
    }
    let message = |(status, answer): (u16, Value)| {
        assert_eq!(status, 500);
        answer["message"].as_str().unwrap_or_default().to_owned()
    };
    for (status, location, expected) in [
        (
            307,
            "http://127.0.0.1/d",
            "Post \"http://127.0.0.1/d\": a webhook is only called by https",
        ),
        (307, "/c", "Post \"/c\": stopped after 10 redirects"),
        // Without a place to go and with other numbers, the answer itself is what went wrong.
        (
            307,
            "",
            "the server responded with the status code 307 but did not return more information",
        ),
        (
            304,
            "/d",
            "the server responded with the status code 304 but did not return more information",
        ),
    ] {
        let message = message(read(&mut gates, status, location));
        assert!(message.ends_with(expected), "{status} {location}: {message}");
    }
}

#[test]
fn admission_does_not_ignore_failed_conversions() {
    let mut gates = Gates::start();
    let rules = json!([{"apiGroups": ["park.example.org"], "apiVersions": ["v2"], "resources": ["gates"],
        "operations": ["CREATE"]}]);
    let configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "other"},
        "webhooks": [{"name": "other.example.org", "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "failurePolicy": "Ignore", "rules": rules,
            "clientConfig": {"url": format!("{}/v", gates.hooks.base), "caBundle": gates.hooks.bundle}}]});
    let configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    assert_eq!(gates.ask("POST", configurations, &configuration).0, 201);
    let allow = json!({"kind": "validating", "answers": [{"allowed": true}]});
    gates
        .hooks
        .load(Some(&json!({"v": allow, "c": convert(&json!({}), &json!({}))})));
    gates.hooks.take_calls();
    assert_eq!(
        gates.ask("POST", &path("v1", ""), &gate("v1", "a", "color")).0,
        201
    );
    let calls = gates.hooks.take_calls();
    let review = calls
        .iter()
        .find(|call| call["hook"] == "v")
        .expect("it was asked");
    assert_eq!(
        review["review"]["request"]["object"]["spec"],
        json!({"colour": "red"})
    );
    let broken = convert(&json!({}), &json!({"fail": "broken"}));
    gates.hooks.load(Some(&json!({"c": broken})));
    let (status, answer) = gates.ask("POST", &path("v1", ""), &gate("v1", "b", "color"));
    let expected = "Internal error occurred: Internal error occurred: conversion webhook for park.example.org/v1, \
                    Kind=Gate failed: broken";
    assert_eq!((status, &answer["message"]), (500, &expected.into()));
}

#[test]
fn the_storage_version_can_move() {
    let mut gates = Gates::start();
    assert_eq!(
        gates.ask("POST", &path("v1", ""), &gate("v1", "a", "color")).0,
        201
    );
    let crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gates.park.example.org";
    let mut definition = gates.ask("GET", crd, &Value::Null).1;
    for (index, is_stored) in [(0, false), (1, true)] {
        definition["spec"]["versions"][index]["storage"] = is_stored.into();
    }
    let (status, moved) = gates.ask("PUT", crd, &definition);
    assert_eq!(
        (status, &moved["status"]["storedVersions"]),
        (200, &json!(["v1", "v2"]))
    );
    let read = |gates: &mut Gates, version: &str| gates.ask("GET", &path(version, "/a"), &Value::Null).1;
    assert_eq!(read(&mut gates, "v2")["spec"], json!({"colour": "red"}));
    let before = read(&mut gates, "v1");
    // An empty patch moves the object to the new storage version; then v2 needs no webhook.
    let (status, rewritten) = gates.ask("PATCH", &path("v2", "/a"), &json!({}));
    assert_eq!(status, 200);
    assert_ne!(
        rewritten["metadata"]["resourceVersion"],
        before["metadata"]["resourceVersion"]
    );
    gates.hooks.load(Some(
        &json!({"c": {"kind": "conversion", "convert": [{"fail": "gone"}]}}),
    ));
    assert_eq!(read(&mut gates, "v2")["spec"], json!({"colour": "red"}));
    assert_eq!(gates.ask("GET", &path("v1", "/a"), &Value::Null).0, 500);
}

#[test]
fn conversions_are_counted() {
    let mut gates = Gates::start();
    assert_eq!(
        gates.ask("POST", &path("v2", ""), &gate("v2", "a", "colour")).0,
        201
    );
    let authorization = format!("Bearer {TOKEN}");
    let reply = gates
        .client
        .send("GET", "/metrics", &[("Authorization", &authorization)], b"");
    let (text, name) = (reply.text(), "apiserver_conversion_webhook_request_total");
    let line = format!("{name}{{failure_type=\"\",result=\"success\"}} ");
    assert!(text.lines().any(|found| found.starts_with(&line)), "{text}");
}
