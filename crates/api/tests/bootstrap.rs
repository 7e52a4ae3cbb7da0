//! What a server has from its start, compared with the recording of kube-apiserver.

use std::sync::Arc;

use crate::asking::{ask, ask_as};
use kindsmith_api::{Api, Options, Still};
use kindsmith_json::{Arena, Value};
use kindsmith_store::{Memory, Store};

fn api() -> Api {
    opened(Options::default())
}

fn opened(mut options: Options) -> Api {
    options.host.endpoint = Some(([192, 0, 2, 1], 6443).into());
    Api::open(Arc::new(Memory::new()), Box::new(Still::default()), options).expect("memory")
}

/// An object without what differs from server to server.
fn normalized<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    for key in ["uid", "resourceVersion", "creationTimestamp", "managedFields"] {
        object.unset(arena, &["metadata", key]);
    }
    object.unset(
        arena,
        &["metadata", "annotations", "kubernetes.io/peer-advertise-address"],
    );
    for key in ["holderIdentity", "renewTime"] {
        object.unset(arena, &["spec", key]);
    }
    object
}

#[test]
fn objects_are_those_of_kube_apiserver() {
    let arena = Arena::new();
    let recorded = include_str!("../../../conformance/builtin/bootstrap-objects.json");
    let recorded = kindsmith_json::parse_str(&arena, recorded).expect("it is JSON");
    let mut options = Options::default();
    options.services.ranges = vec!["10.0.0.0/24".into()];
    options.host.name = Some("vm".to_owned());
    let api = opened(options);
    for (path, expected) in recorded.as_object().expect("lists by path") {
        let (status, body) = ask(&api, "GET", path, "");
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
        let (status, body) = ask(&api, "GET", &path, "");
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
        let (status, body) = ask(&api, "GET", path, "");
        assert_eq!(status, 200, "{path}: {body}");
        assert!(body.contains(expected), "{path}: {body}");
        assert!(body.contains(r#""manager":"kube-apiserver""#), "{path}: {body}");
    }
}

#[test]
fn what_the_server_needs_comes_back() {
    let store = Arc::new(Memory::new());
    let mut options = Options::default();
    options.host.endpoint = Some(([192, 0, 2, 1], 6443).into());
    let api = Api::open(Arc::clone(&store) as _, Box::new(Still::default()), options).expect("memory");
    for (path, key) in [
        (
            "/api/v1/namespaces/default/services/kubernetes",
            "services/specs/default/kubernetes",
        ),
        (
            "/api/v1/namespaces/default/endpoints/kubernetes",
            "services/endpoints/default/kubernetes",
        ),
        (
            "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes",
            "endpointslices/default/kubernetes",
        ),
        ("/api/v1/namespaces/kube-node-lease", "namespaces/kube-node-lease"),
    ] {
        let uid = || field(&api, path, &["metadata", "uid"]);
        let before = uid();
        let key = format!("/registry/{key}");
        let entry = store.get(key.as_bytes(), None).expect("memory");
        let modified = entry.expect("it is there").modified;
        store.delete(key.as_bytes(), modified).expect("memory");
        api.restore().expect("memory");
        let after = uid();
        assert_ne!(before, after, "{path}");
        api.restore().expect("memory");
        assert_eq!(uid(), after, "{path}");
    }
    // Deleted by a request, the service gives its address back, and gets it again.
    let service = "/api/v1/namespaces/default/services/kubernetes";
    assert_eq!(ask(&api, "DELETE", service, "").0, 200);
    let arena = Arena::new();
    assert_eq!(addresses(&arena, &api), Vec::<String>::new());
    api.restore().expect("memory");
    let claimed = addresses(&arena, &api);
    assert!(
        claimed.len() == 1 && claimed[0].contains("10.96.0.1"),
        "{claimed:?}"
    );
}

#[test]
fn endpoints_of_the_server_follow_its_address() {
    let store = Arc::new(Memory::new());
    let at = |port| {
        let mut options = Options::default();
        options.host.endpoint = Some(([192, 0, 2, 1], port).into());
        Api::open(Arc::clone(&store) as _, Box::new(Still::default()), options).expect("memory")
    };
    let slice = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
    let endpoints = "/api/v1/namespaces/default/endpoints/kubernetes";
    let seen = |api: &Api| {
        let of = |path, keys: &[&str]| field(api, path, keys);
        let uids = [slice, endpoints].map(|path| of(path, &["metadata", "uid"]));
        let ports = [of(slice, &["ports"]), of(endpoints, &["subsets"])];
        (uids, ports, of(slice, &["metadata", "generation"]))
    };
    let (uids, _, generation) = seen(&at(6443));
    assert_eq!(generation, "1");
    assert_eq!(seen(&at(6443)).2, "1", "nothing changed");
    let (same, ports, generation) = seen(&at(7443));
    assert_eq!((same, generation.as_str()), (uids, "2"));
    assert!(ports.iter().all(|ports| ports.contains("7443")), "{ports:?}");
}

#[test]
fn aggregated_roles_count_without_a_controller() {
    let api = api();
    let binding = r#"{"metadata":{"name":"b"},"subjects":[{"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"viewers"}],"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"}}"#;
    let bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    assert_eq!(ask(&api, "POST", bindings, binding).0, 201);
    assert_eq!(ask_as(&["viewers"], &api, "GET", "/api/v1/configmaps", "").0, 200);
    assert_eq!(ask_as(&["viewers"], &api, "GET", "/api/v1/secrets", "").0, 403);
}

/// One value of an object, as JSON.
fn field(api: &Api, path: &str, field: &[&str]) -> String {
    let (status, body) = ask(api, "GET", path, "");
    assert_eq!(status, 200, "{path}: {body}");
    let arena = Arena::new();
    let object = kindsmith_json::parse_str(&arena, &body).expect("it is JSON");
    kindsmith_json::to_string(object.lookup(field).unwrap_or_default())
}

#[test]
fn the_lease_of_the_server_is_renewed() {
    let store = Arc::new(Memory::new());
    let at = |seconds| {
        let mut options = Options::default();
        options.host.name = Some("vm".to_owned());
        options.host.endpoint = Some(([192, 0, 2, 1], 6443).into());
        Api::open(Arc::clone(&store) as _, Box::new(Still::at(seconds)), options).expect("memory")
    };
    let path =
        "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/apiserver-wlv32tlttr4jl3gtroqexyxapa";
    let first = at(0);
    let spec = |api, key| field(api, path, &["spec", key]);
    let holder = spec(&first, "holderIdentity");
    assert!(
        holder.starts_with("\"apiserver-wlv32tlttr4jl3gtroqexyxapa_"),
        "{holder}"
    );
    assert_eq!(spec(&first, "renewTime"), "\"1970-01-01T00:00:00.000000Z\"");
    let annotations = field(&first, path, &["metadata", "annotations"]);
    assert!(annotations.contains("192.0.2.1:6443"), "{annotations}");
    let later = at(60);
    assert_eq!(spec(&later, "renewTime"), "\"1970-01-01T00:01:00.000000Z\"");
    // The first server runs, too, and says so.
    first.renew_lease().expect("memory");
    assert_eq!(spec(&later, "renewTime"), "\"1970-01-01T00:00:00.000000Z\"");
}

#[test]
fn the_authority_of_clients_is_published() {
    let api = api();
    let path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    assert_eq!(ask(&api, "GET", path, "").0, 404);
    for (authority, expected) in [
        ("one\n", "one\\n"),
        ("one\n", "one\\n"),
        ("two\n", "one\\ntwo\\n"),
    ] {
        api.publish_client_authority(authority).expect("memory");
        let data = field(&api, path, &["data"]);
        assert_eq!(data, format!("{{\"client-ca-file\":\"{expected}\"}}"));
    }
}

#[test]
fn components_are_asked_how_they_are() {
    let mut options = Options::default();
    options.host.probe = Some(|address| match address.port() {
        10259 => Ok(()),
        _ => Err("i/o timeout".to_owned()),
    });
    let api = opened(options);
    for (name, expected) in [
        (
            "scheduler",
            r#"[{"type":"Healthy","status":"True","message":"ok"}]"#,
        ),
        (
            "controller-manager",
            r#"[{"type":"Healthy","status":"False","message":"Get \"https://127.0.0.1:10257/healthz\": dial tcp 127.0.0.1:10257: i/o timeout"}]"#,
        ),
    ] {
        let path = format!("/api/v1/componentstatuses/{name}");
        assert_eq!(field(&api, &path, &["conditions"]), expected, "{name}");
    }
    let (status, body) = ask(&api, "GET", "/api/v1/componentstatuses/x", "");
    assert_eq!(status, 404);
    assert!(
        body.contains(r#""message":"componentstatus \"x\" not found""#),
        "{body}"
    );
}

const ADDRESSES: &str = "/apis/networking.k8s.io/v1/ipaddresses";

/// The addresses of all services but the server's own.
fn addresses(arena: &Arena, api: &Api) -> Vec<String> {
    let (_, body) = ask(api, "GET", ADDRESSES, "");
    let list = kindsmith_json::parse_str(arena, arena.alloc_str(&body)).expect("it is JSON");
    let items = list.get("items").and_then(Value::as_array).unwrap_or_default();
    items
        .iter()
        .map(|item| kindsmith_json::to_string(normalized(arena, *item)))
        .filter(|item| !item.contains(r#""10.0.0.1""#))
        .collect()
}

#[test]
fn addresses_follow_services_as_in_kube_apiserver() {
    let arena = Arena::new();
    let recorded = include_str!("../../../conformance/builtin/service-addresses.json");
    let recorded = kindsmith_json::parse_str(&arena, recorded).expect("it is JSON");
    let mut options = Options::default();
    options.services.ranges = vec!["10.0.0.0/24".into()];
    let api = opened(options);
    for step in recorded.as_array().expect("steps") {
        let text = |key| step.get(key).and_then(Value::as_str).unwrap_or_default();
        let body = step
            .get("body")
            .map(kindsmith_json::to_string)
            .unwrap_or_default();
        let (status, answer) = ask(&api, text("method"), text("path"), &body);
        let shown = kindsmith_json::to_string(*step);
        assert_eq!(
            Some(i64::from(status)),
            step.get("status").and_then(Value::as_i64),
            "{shown}\n{answer}"
        );
        let message = kindsmith_json::to_string(Value::Str(text("message")));
        assert!(status < 400 || answer.contains(&message), "{shown}\n{answer}");
        let expected = step
            .get("addresses")
            .and_then(Value::as_array)
            .unwrap_or_default();
        let expected: Vec<String> = expected
            .iter()
            .map(|item| kindsmith_json::to_string(*item))
            .collect();
        assert_eq!(addresses(&arena, &api), expected, "{shown}");
    }
}

#[test]
fn a_start_repairs_addresses() {
    let store = Arc::new(Memory::new());
    let open = || {
        let mut options = Options::default();
        options.services.ranges = vec!["10.0.0.0/24".into()];
        Api::open(Arc::clone(&store) as _, Box::new(Still::default()), options).expect("memory")
    };
    let api = open();
    let services = "/api/v1/namespaces/default/services";
    let body = r#"{"metadata":{"name":"a"},"spec":{"clusterIP":"10.0.0.9","ports":[{"port":80}]}}"#;
    assert_eq!(ask(&api, "POST", services, body).0, 201);
    assert_eq!(ask(&api, "DELETE", &format!("{ADDRESSES}/10.0.0.9"), "").0, 200);
    let arena = Arena::new();
    let repaired = addresses(&arena, &open());
    assert!(
        repaired.len() == 1 && repaired[0].contains("10.0.0.9"),
        "{repaired:?}"
    );
    // The service goes behind the server's back.
    let key = b"/registry/services/specs/default/a";
    let entry = store.get(key, None).expect("memory").expect("it is there");
    store.delete(key, entry.modified).expect("memory");
    assert_eq!(addresses(&arena, &open()), Vec::<String>::new());
}

#[test]
fn health_checks_and_paths_are_those_of_kube_apiserver() {
    let arena = Arena::new();
    let recorded = include_str!("../../../conformance/builtin/health.json");
    let recorded = kindsmith_json::parse_str(&arena, recorded).expect("it is JSON");
    let api = api();
    for (path, expected) in recorded.as_object().expect("answers by path") {
        let Some(expected) = expected.as_str() else {
            continue;
        };
        assert_eq!(ask(&api, "GET", path, ""), (200, expected.to_owned()), "{path}");
    }
    let index = ask(&api, "GET", "/", "").1;
    assert_eq!(ask(&api, "GET", "/index.html", "").1, index);
    let paths = recorded.get("/").and_then(Value::as_array).expect("recorded");
    // Without tokens there is nobody to name as their issuer.
    for path in paths
        .iter()
        .filter_map(|path| path.as_str())
        .filter(|path| !path.contains("openid"))
    {
        assert!(index.contains(&format!("\"{path}\"")), "{path}");
        assert_eq!(
            ask(&api, "GET", path, "").0,
            // The prefix of the documents is not one of them.
            if ["/metrics", "/openapi/v3/"].contains(&path) {
                404
            } else {
                200
            },
            "{path}"
        );
    }
}

#[test]
fn stored_objects_are_counted() {
    let api = api();
    let counts = api.stored_objects();
    let count = |group: &str, resource: &str| {
        let found = counts
            .iter()
            .find(|count| (&*count.0, &*count.1) == (group, resource));
        found.map(|count| count.2)
    };
    assert_eq!(count("", "namespaces"), Some(4));
    assert_eq!(count("", "pods"), Some(0));
    assert_eq!(count("rbac.authorization.k8s.io", "clusterroles"), Some(73));
    // Both groups of events show the same objects, and reviews are not stored.
    assert_eq!(count("", "events"), Some(0));
    assert_eq!(count("events.k8s.io", "events"), None);
    assert_eq!(count("authorization.k8s.io", "subjectaccessreviews"), None);
}

#[test]
fn deletions_answer_with_the_object_or_a_status() {
    let api = api();
    for (path, body, expected) in [
        (
            "/apis/storage.k8s.io/v1/storageclasses",
            r#"{"metadata":{"name":"a"},"provisioner":"x"}"#,
            r#""kind":"StorageClass""#,
        ),
        (
            "/api/v1/namespaces/default/resourcequotas",
            r#"{"metadata":{"name":"a"},"spec":{}}"#,
            r#""kind":"ResourceQuota""#,
        ),
        (
            "/api/v1/namespaces/default/configmaps",
            r#"{"metadata":{"name":"a"}}"#,
            r#""kind":"Status""#,
        ),
    ] {
        assert_eq!(ask(&api, "POST", path, body).0, 201, "{path}");
        let (status, answer) = ask(&api, "DELETE", &format!("{path}/a"), "");
        assert!(status == 200 && answer.contains(expected), "{path}: {answer}");
    }
}
