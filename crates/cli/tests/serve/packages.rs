//! Kinds of Go packages on a server: options, profiles, subresources.

use serde_json::{Value, json};

use super::running::{Running, TOKEN};

const TYPES: &str = "crates/cli/tests/serve/packages";
const GATES: &str = "/apis/demo.example.org/v1/namespaces/default/gates";

fn start(more: &[&str]) -> Running {
    let mut arguments = vec!["--types", TYPES];
    arguments.extend(more);
    Running::start(&arguments)
}

/// Sends an object; the status and the answer.
fn send(server: &Running, method: &str, path: &str, body: &Value) -> (u16, Value) {
    send_as(server, method, path, "application/json", body)
}

fn send_as(server: &Running, method: &str, path: &str, media: &str, body: &Value) -> (u16, Value) {
    let bearer = format!("Bearer {TOKEN}");
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", media)];
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
fn gates_of_packages_decide_their_rules() {
    let features = "crates/cli/tests/serve/packages/features";
    for (gate, code) in [("", 201), ("Tall=true", 422), ("AllAlpha=true", 422)] {
        let server = start(&["--types", features, "--feature-gates", gate]);
        let (status, answer) = send(&server, "POST", GATES, &gate_of(1));
        assert_eq!(status, code, "{gate}: {answer}");
    }
    let server = start(&[
        "--types",
        features,
        "--feature-gates",
        "Tall=true",
        "--option",
        "Tall=false",
    ]);
    let (status, answer) = send(&server, "POST", GATES, &gate_of(1));
    assert_eq!(status, 201, "an option has the last word: {answer}");
}

fn gate_of(height: i32) -> Value {
    gate(&json!({"height": height}))
}

#[test]
fn what_no_package_declares_cannot_be_set() {
    for (arguments, told) in [
        (
            "--option Talll=true",
            "--option Talll: no rule of the packages depends on it\n  = help: options of the packages: Tall",
        ),
        ("--feature-gates Tall=true", "unrecognized feature gate: Tall"),
        (
            "--types crates/cli/tests/serve/packages/features --feature-gates Quiet=true",
            "Quiet has no effect: no rule of the packages depends on it",
        ),
        (
            "--profile kep --feature-gates DeclarativeValidationBeta=false",
            "DeclarativeValidationBeta has no effect with --profile kep",
        ),
    ] {
        let words = format!("serve --store memory --types {TYPES} {arguments}");
        let run = crate::binary::kindsmith(&words);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(told), "{}", run.stderr);
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
    let container = json!({"name": "c", "image": "i", "ports": [{"containerPort": 80}]});
    let pod = json!({"metadata": {"name": "p"}, "spec": {"containers": [container]}});
    let (_, answer) = send(&server, "POST", "/api/v1/namespaces/default/pods", &pod);
    let protocol = &answer["spec"]["containers"][0]["ports"][0]["protocol"];
    assert_eq!(protocol, "TCP", "built-in kinds keep theirs: {answer}");
}

#[test]
fn packages_are_served_as_the_profile_says() {
    for (profile, code) in [("upstream", 201), ("kep", 422)] {
        let server = start(&["--option", "Tall=false", "--profile", profile]);
        let spec = json!({"text": "", "replicas": null});
        let (status, answer) = send(&server, "POST", GATES, &gate(&spec));
        assert_eq!(status, 201, "{answer}");
        assert_eq!(answer["spec"], json!({"text": "x"}), "Go holds neither");
        let mut other = gate(&json!({"notes": [null]}));
        other["metadata"]["name"] = "other".into();
        let (status, answer) = send(&server, "POST", GATES, &other);
        assert_eq!(status, code, "a null item: {profile}: {answer}");
    }
}

#[test]
fn subresources_of_packages_are_served() {
    let server = start(&["--option", "Tall=false"]);
    let (_, mut changed) = send(&server, "POST", GATES, &gate(&json!({"replicas": 1})));
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
    check_scale(&server, &path, 1);
}

/// The scale has this many replicas and obeys the rules of the object; afterwards it has three.
fn check_scale(server: &Running, path: &str, replicas: i32) {
    let (status, mut scale) = send(server, "GET", path, &Value::Null);
    assert_eq!(status, 200, "{scale}");
    assert_eq!(scale["spec"]["replicas"], replicas, "{scale}");
    assert_eq!(
        scale["status"],
        json!({"replicas": 1, "selector": "a=b"}),
        "{scale}"
    );
    scale["spec"]["replicas"] = 9.into();
    let (status, answer) = send(server, "PUT", path, &scale);
    assert_eq!(status, 422, "the rules of the object: {answer}");
    scale["spec"]["replicas"] = 3.into();
    let (status, answer) = send(server, "PUT", path, &scale);
    assert_eq!(
        (status, &answer["spec"]["replicas"]),
        (200, &json!(3)),
        "{answer}"
    );
}

#[test]
fn a_scale_has_its_numbers_where_the_marker_says() {
    let server = start(&["--option", "Tall=false"]);
    let path = "/apis/demo.example.org/v1/namespaces/default/barriers";
    let object = json!({
        "apiVersion": "demo.example.org/v1", "kind": "Barrier", "metadata": {"name": "b"},
        "spec": {"size": {"posts": 2}}, "status": {"size": {"posts": 1}, "labels": "a=b"},
    });
    let (status, answer) = send(&server, "POST", path, &object);
    assert_eq!(status, 201, "{answer}");
    let path = format!("{path}/b/scale");
    check_scale(&server, &path, 2);
    let (_, stored) = send(&server, "GET", path.trim_end_matches("/scale"), &Value::Null);
    assert_eq!(stored["spec"]["size"]["posts"], 3, "{stored}");
}

const TURNSTILES: &str = "/apis/demo.example.org/v1/namespaces/default/turnstiles";

/// A server with the kind whose rules only the KEPs describe.
fn start_kep(gates: &str) -> Running {
    let types = "crates/cli/tests/serve/packages_kep";
    Running::start(&["--types", types, "--profile", "kep", "--feature-gates", gates])
}

fn turnstile(spec: &Value) -> Value {
    json!({"apiVersion": "demo.example.org/v1", "kind": "Turnstile", "metadata": {"name": "t"}, "spec": spec})
}

#[test]
fn conditions_on_scale_count_in_writes_of_it() {
    let server = start_kep("");
    let (status, mut stored) = send(&server, "POST", TURNSTILES, &turnstile(&json!({"replicas": 5})));
    assert_eq!(status, 201, "the scale's maximum is not the object's: {stored}");
    let path = format!("{TURNSTILES}/t/scale");
    let (_, mut scale) = send(&server, "GET", &path, &Value::Null);
    scale["spec"]["replicas"] = 4.into();
    let (status, answer) = send(&server, "PUT", &path, &scale);
    assert_eq!(status, 422, "{answer}");
    assert_eq!(
        answer["details"]["causes"][0]["field"], "spec.replicas",
        "{answer}"
    );
    let merge = "application/merge-patch+json";
    let change = |replicas: i32| json!({"spec": {"replicas": replicas}});
    let (status, answer) = send_as(&server, "PATCH", &path, merge, &change(4));
    assert_eq!(status, 422, "{answer}");
    let mut applied = change(4);
    applied["apiVersion"] = "autoscaling/v1".into();
    applied["kind"] = "Scale".into();
    let query = format!("{path}?fieldManager=test&force=true");
    let apply = "application/apply-patch+yaml";
    let (status, answer) = send_as(&server, "PATCH", &query, apply, &applied);
    assert_eq!(status, 422, "{answer}");
    let (status, answer) = send_as(&server, "PATCH", &path, merge, &change(2));
    assert_eq!(status, 200, "immutable only outside of the scale: {answer}");
    stored["spec"]["replicas"] = 1.into();
    stored["metadata"]["resourceVersion"] = Value::Null;
    let (status, answer) = send(&server, "PUT", path.trim_end_matches("/scale"), &stored);
    assert_eq!(status, 422, "{answer}");
    assert_eq!(
        answer["details"]["causes"][0]["field"], "spec.replicas",
        "{answer}"
    );
}

#[test]
fn the_beta_gate_shadows_beta_rules_of_packages() {
    for (gate, code) in [("", 422), ("DeclarativeValidationBeta=false", 201)] {
        let server = start(&["--option", "Tall=false", "--feature-gates", gate]);
        let (status, answer) = send(&server, "POST", GATES, &gate_spec_sign());
        assert_eq!(status, code, "{gate}: {answer}");
    }
}

fn gate_spec_sign() -> Value {
    gate(&json!({"sign": "long"}))
}

#[test]
fn the_gates_of_the_kep_decide_about_packages() {
    for (gates, code) in [
        ("", 422),
        ("DeclarativeValidationTakeover=true", 422),
        ("DeclarativeValidation=false", 201),
        (
            "DeclarativeValidation=false,DeclarativeValidationTakeover=true",
            201,
        ),
    ] {
        let server = start_kep(gates);
        let (status, answer) = send(&server, "POST", TURNSTILES, &turnstile(&json!({"key": "long"})));
        assert_eq!(status, 422, "a native rule is always enforced: {gates}: {answer}");
        let (status, answer) = send(&server, "POST", TURNSTILES, &turnstile(&json!({"label": "long"})));
        assert_eq!(status, code, "{gates}: {answer}");
    }
}

#[test]
fn openapi_of_packages_has_the_defaults_of_items_by_the_kep() {
    let path = "/openapi/v3/apis/demo.example.org/v1";
    let (status, document) = send(&start_kep(""), "GET", path, &Value::Null);
    assert_eq!(status, 200, "{document}");
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let mut specs = schemas.iter().filter(|(name, _)| name.ends_with("TurnstileSpec"));
    let (_, spec) = specs.next().expect("the spec is published");
    let properties = &spec["properties"];
    assert_eq!(properties["colors"]["items"]["default"], "red", "{spec}");
    let places = &properties["byPlace"]["additionalProperties"];
    assert_eq!(places["default"], "red", "{spec}");
}
