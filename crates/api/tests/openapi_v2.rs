//! `/openapi/v2`, compared with the recording of kube-apiserver.

use std::sync::Arc;

use kindsmith_api::{Api, Options, PublishedDefaults, Request, Still, User};
use kindsmith_json::{Arena, Object, Value, to_string};
use kindsmith_store::Memory;

fn recording() -> &'static str {
    include_str!("../../../conformance/builtin/openapi-v2.json")
}

/// A server with the CRDs of the recording.
fn api(arena: &Arena, defaults: PublishedDefaults) -> Api {
    let mut options = Options::default();
    options.pages.v2_defaults = defaults;
    let api = Api::open(Arc::new(Memory::new()), Box::new(Still::default()), options).expect("memory");
    let recorded = kindsmith_json::parse_str(arena, recording()).expect("it is JSON");
    for crd in recorded
        .get("crds")
        .and_then(Value::as_array)
        .expect("it has CRDs")
    {
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        let (status, body) = send(&api, "POST", path, "application/json", to_string(*crd).as_bytes());
        assert_eq!(status, 201, "{}", String::from_utf8_lossy(&body));
    }
    api
}

fn send(api: &Api, method: &str, path: &str, accept: &str, body: &[u8]) -> (u16, Vec<u8>) {
    let user = User {
        name: "admin".to_owned(),
        groups: vec!["system:masters".to_owned()],
        ..User::default()
    };
    let request = Request {
        method,
        path,
        query: "",
        headers: &[("accept", accept), ("content-type", "application/json")],
        body,
        user: &user,
    };
    let response = api.handle(&request, &api.info(&request));
    (response.status, response.content.into_bytes())
}

fn document<'a>(arena: &'a Arena, api: &Api) -> Value<'a> {
    let (status, body) = send(api, "GET", "/openapi/v2", "application/json", b"");
    assert_eq!(status, 200);
    let text = arena.alloc_str(&String::from_utf8_lossy(&body));
    kindsmith_json::parse_str(arena, text).expect("it is JSON")
}

/// A schema without descriptions; a property may be called `description`.
fn bare<'a>(arena: &'a Arena, value: Value<'a>, is_names: bool) -> Value<'a> {
    match value {
        Value::Object(object) => {
            let mut out = Object::EMPTY;
            for (key, value) in object.sorted().into_iter().map(|entry| (entry.key, entry.value)) {
                if is_names || key != "description" {
                    out.insert(arena, key, bare(arena, value, !is_names && key == "properties"));
                }
            }
            Value::Object(out)
        }
        Value::Array(items) => {
            let items: Vec<Value<'a>> = items.iter().map(|item| bare(arena, *item, false)).collect();
            Value::Array(arena.alloc_slice_copy(&items))
        }
        scalar => scalar,
    }
}

#[test]
fn definitions_are_those_of_kube_apiserver() {
    let arena = Arena::new();
    let api = api(&arena, PublishedDefaults::None);
    let served = document(&arena, &api);
    let served = served.get("definitions").expect("it has definitions");
    let recorded = kindsmith_json::parse_str(&arena, recording()).expect("it is JSON");
    let recorded = recorded
        .get("definitions")
        .and_then(Value::as_object)
        .expect("recorded");
    let mut differing = Vec::new();
    for (name, expected) in recorded {
        let mut own = served.get(name).unwrap_or_default();
        let mut expected = expected;
        // Which kinds these are of follows from groups that are not all served here.
        if name.ends_with(".DeleteOptions") {
            own.unset(&arena, &["x-kubernetes-group-version-kind"]);
            expected.unset(&arena, &["x-kubernetes-group-version-kind"]);
        }
        let (own, expected) = (bare(&arena, own, false), bare(&arena, expected, false));
        if own != expected {
            differing.push(format!(
                "{name}\n  own      {}\n  recorded {}",
                to_string(own),
                to_string(expected)
            ));
        }
    }
    assert!(
        differing.is_empty(),
        "{} differ:\n{}",
        differing.len(),
        differing.join("\n")
    );
}

#[test]
fn every_reference_is_defined_and_every_operation_answers_something() {
    let arena = Arena::new();
    let api = api(&arena, PublishedDefaults::None);
    let document = document(&arena, &api);
    let definitions = document.get("definitions").unwrap_or_default();
    let mut open = vec![document];
    while let Some(here) = open.pop() {
        match here {
            Value::Array(items) => open.extend_from_slice(items),
            Value::Object(object) => {
                if let Some(target) = object.get("$ref").and_then(Value::as_str) {
                    let name = target.strip_prefix("#/definitions/").unwrap_or(target);
                    assert!(definitions.get(name).is_some(), "{target}");
                }
                assert!(object.get("requestBody").is_none());
                open.extend(object.values());
            }
            _ => {}
        }
    }
    let path = "/apis/builtin.example.org/v1/namespaces/{namespace}/defaulteds/{name}";
    for path in [path, "/api/v1/namespaces/{namespace}/configmaps"] {
        let responses = document.lookup(&["paths", path, "get", "responses", "200", "schema"]);
        assert!(responses.is_some(), "{path}");
    }
}

#[test]
fn defaults_are_published_if_asked_for() {
    let size = [
        "definitions",
        "org.example.builtin.v1.Defaulted",
        "properties",
        "spec",
        "properties",
        "size",
        "default",
    ];
    let protocol = [
        "definitions",
        "io.k8s.api.core.v1.ServicePort",
        "properties",
        "protocol",
        "default",
    ];
    let (three, tcp) = (Some(Value::Int(3)), Some(Value::Str("TCP")));
    for (defaults, custom, built_in) in [
        (PublishedDefaults::None, None, None),
        (PublishedDefaults::CustomResources, three, None),
        (PublishedDefaults::All, three, tcp),
    ] {
        let arena = Arena::new();
        let api = api(&arena, defaults);
        let document = document(&arena, &api);
        assert_eq!(document.lookup(&size), custom, "{defaults:?}");
        assert_eq!(document.lookup(&protocol), built_in, "{defaults:?}");
    }
}

#[test]
fn forms_are_negotiated() {
    let arena = Arena::new();
    let api = api(&arena, PublishedDefaults::None);
    for (accept, status, start) in [
        ("", 200, &b"{\"swagger\":\"2.0\""[..]),
        ("*/*", 200, b"{"),
        (
            "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
            200,
            b"\x0a\x032.0",
        ),
        (
            "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
            200,
            b"\x0a\x032.0",
        ),
        ("text/html", 406, b""),
    ] {
        let (answered, body) = send(&api, "GET", "/openapi/v2", accept, b"");
        assert_eq!(answered, status, "{accept}");
        assert!(body.starts_with(start), "{accept}");
    }
}
