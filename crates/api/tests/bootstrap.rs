//! What a server has from its start, compared with the recording of kube-apiserver.

use std::sync::Arc;

use kindsmith_api::{Api, Content, Options, Request, Still, User};
use kindsmith_json::{Arena, Value};
use kindsmith_store::Memory;

fn api() -> Api {
    opened(Options::default())
}

fn opened(mut options: Options) -> Api {
    options.endpoint = Some(([192, 0, 2, 1], 6443).into());
    Api::open(Arc::new(Memory::new()), Box::new(Still::default()), options).expect("memory")
}

fn get(api: &Api, groups: &[&str], path: &str) -> (u16, String) {
    let user = User {
        name: "ann".to_owned(),
        groups: groups.iter().map(|&group| group.to_owned()).collect(),
        ..User::default()
    };
    let request = Request {
        method: "GET",
        path,
        query: "",
        headers: &[],
        body: b"",
        user: &user,
    };
    let response = api.handle(&request, &api.info(&request));
    match response.content {
        Content::Bytes(bytes) => (response.status, String::from_utf8_lossy(&bytes).into_owned()),
        Content::Watch(_) => (response.status, String::new()),
    }
}

/// An object without what differs from server to server.
fn normalized<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    for key in ["uid", "resourceVersion", "creationTimestamp", "managedFields"] {
        object.unset(arena, &["metadata", key]);
    }
    object
}

#[test]
fn objects_are_those_of_kube_apiserver() {
    let arena = Arena::new();
    let recorded = include_str!("../../../conformance/builtin/bootstrap-objects.json");
    let recorded = kindsmith_json::parse_str(&arena, recorded).expect("it is JSON");
    let mut options = Options::default();
    options.service_ranges = vec!["10.0.0.0/24".into()];
    let api = opened(options);
    for (path, expected) in recorded.as_object().expect("lists by path") {
        let (status, body) = get(&api, &["system:masters"], path);
        assert_eq!(status, 200, "{body}");
        let listed = kindsmith_json::parse_str(&arena, arena.alloc_str(&body)).expect("it is JSON");
        let items = |list: Value<'_>| list.as_array().unwrap_or_default().len();
        let found = listed.get("items").unwrap_or_default();
        assert_eq!(items(found), items(expected), "{path}");
        let pairs = found
            .as_array()
            .unwrap_or_default()
            .iter()
            .zip(expected.as_array().unwrap_or_default());
        for (found, expected) in pairs {
            let found = kindsmith_json::to_string(normalized(&arena, *found));
            let now = r#""lastTransitionTime":"1970-01-01T00:00:00Z","#;
            assert_eq!(
                found.replace(now, ""),
                kindsmith_json::to_string(*expected),
                "{path}"
            );
        }
    }
}

#[test]
fn roles_and_bindings_are_those_of_kube_apiserver() {
    let arena = Arena::new();
    let recorded = include_str!("../../../conformance/builtin/bootstrap-rbac.json");
    let recorded = kindsmith_json::parse_str(&arena, recorded).expect("it is JSON");
    let api = api();
    for (resource, count) in [
        ("clusterroles", 73),
        ("clusterrolebindings", 54),
        ("roles", 7),
        ("rolebindings", 7),
    ] {
        let path = format!("/apis/rbac.authorization.k8s.io/v1/{resource}");
        let (status, body) = get(&api, &["system:masters"], &path);
        assert_eq!(status, 200, "{body}");
        let listed = kindsmith_json::parse_str(&arena, arena.alloc_str(&body)).expect("it is JSON");
        let items = listed
            .get("items")
            .and_then(Value::as_array)
            .expect("it is a list");
        let expected = recorded
            .get(resource)
            .and_then(Value::as_array)
            .expect("recorded");
        assert_eq!((items.len(), expected.len()), (count, count), "{resource}");
        for (item, expected) in items.iter().zip(expected) {
            assert_eq!(normalized(&arena, *item), normalized(&arena, *expected));
        }
    }
}

#[test]
fn the_service_of_the_server_has_endpoints() {
    let api = api();
    for (path, expected) in [
        (
            "/api/v1/namespaces/default/services/kubernetes",
            r#""clusterIP":"10.96.0.1""#,
        ),
        (
            "/api/v1/namespaces/default/endpoints/kubernetes",
            r#""ip":"192.0.2.1""#,
        ),
        (
            "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes",
            r#""addresses":["192.0.2.1"]"#,
        ),
    ] {
        let (status, body) = get(&api, &["system:masters"], path);
        assert_eq!(status, 200, "{path}: {body}");
        assert!(body.contains(expected), "{path}: {body}");
    }
}

#[test]
fn aggregated_roles_count_without_a_controller() {
    let api = api();
    let binding = r#"{"metadata":{"name":"b"},"subjects":[{"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"viewers"}],"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"}}"#;
    let user = User {
        name: "admin".to_owned(),
        groups: vec!["system:masters".to_owned()],
        ..User::default()
    };
    let request = Request {
        method: "POST",
        path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        query: "",
        headers: &[("content-type", "application/json")],
        body: binding.as_bytes(),
        user: &user,
    };
    assert_eq!(api.handle(&request, &api.info(&request)).status, 201);
    assert_eq!(get(&api, &["viewers"], "/api/v1/configmaps").0, 200);
    assert_eq!(get(&api, &["viewers"], "/api/v1/secrets").0, 403);
}
