//! Which patches a resource takes, and what a patch may do to the type of an object.

use kindsmith_json::{Arena, Value, parse_str};

use super::server::Server;

const JSON: &str = "application/json-patch+json";
const MERGE: &str = "application/merge-patch+json";
const STRATEGIC: &str = "application/strategic-merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

fn text<'a>(value: Value<'a>, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The paths of discovery documents, with group and version.
fn versions(server: &Server) -> Vec<(String, String)> {
    let (arena, groups) = (Arena::new(), server.get("/apis", 200));
    let groups = parse_str(&arena, &groups).expect("JSON");
    let lists = |value: Value<'_>, key: &str| -> Vec<String> {
        let items = value.get(key).and_then(Value::as_array).unwrap_or_default();
        items
            .iter()
            .map(|item| text(*item, "groupVersion").to_owned())
            .collect()
    };
    let groups = groups.get("groups").and_then(Value::as_array).unwrap_or_default();
    let versions = groups.iter().flat_map(|group| lists(*group, "versions"));
    let others = versions.map(|version| (format!("/apis/{version}"), version));
    [("/api/v1".to_owned(), "v1".to_owned())]
        .into_iter()
        .chain(others)
        .collect()
}

/// Kubernetes takes every patch wherever it takes one, but custom resources have no types that strategic merge patches need.
#[test]
fn every_resource_takes_every_patch() {
    let server = Server::default();
    let mut seen = 0;
    for (path, version) in versions(&server) {
        let (arena, list) = (Arena::new(), server.get(&path, 200));
        let list = parse_str(&arena, &list).expect("JSON");
        let resources = list
            .get("resources")
            .and_then(Value::as_array)
            .unwrap_or_default();
        for resource in resources {
            let verbs = resource
                .get("verbs")
                .and_then(Value::as_array)
                .unwrap_or_default();
            if !verbs.contains(&"patch".into()) {
                continue;
            }
            seen += 1;
            let (name, subresource) = text(*resource, "name")
                .split_once('/')
                .map_or((text(*resource, "name"), String::new()), |(name, part)| {
                    (name, format!("/{part}"))
                });
            let namespace = match resource.get("namespaced") {
                Some(Value::Bool(true)) => "/namespaces/default",
                _ => "",
            };
            let own = match (text(*resource, "group"), text(*resource, "version")) {
                (_, "") => version.clone(),
                ("", version) => version.to_owned(),
                (group, version) => format!("{group}/{version}"),
            };
            let target = format!("{path}{namespace}/{name}/none{subresource}?dryRun=All");
            let kind = text(*resource, "kind");
            let applied = format!(r#"{{"apiVersion":"{own}","kind":"{kind}","metadata":{{"name":"none"}}}}"#);
            let applied_to = format!("{target}&fieldManager=test&force=true");
            for (media, target, body) in [
                (JSON, &target, "[]"),
                (MERGE, &target, "{}"),
                (STRATEGIC, &target, "{}"),
                (APPLY, &applied_to, &*applied),
            ] {
                let (status, answer) = server.ask("PATCH", target, media, body);
                let expected: &[u16] = match media {
                    STRATEGIC if version == "example.com/v1" => &[415],
                    // An apply creates what is missing.
                    APPLY => &[201, 404, 422, 400],
                    _ => &[404, 400],
                };
                assert!(expected.contains(&status), "{media} {target}: {status} {answer}");
            }
        }
    }
    assert!(seen > 80, "{seen} resources take patches");
}

#[test]
fn a_patch_cannot_change_the_type_of_an_object() {
    let server = Server::default();
    let maps = "/api/v1/namespaces/default/configmaps";
    server.post(maps, r#"{"metadata":{"name":"a"},"data":{"a":"b"}}"#, 201);
    let path = format!("{maps}/a");
    let scheme = r#"in scheme \"pkg/api/legacyscheme/scheme.go:30\""#;
    let unnamed = "the name of the object (a based on URL) was undeterminable: name must be provided";
    for (body, status, expected) in [
        (r#"{"kind":""}"#, 200, r#""kind":"ConfigMap""#.to_owned()),
        (
            r#"{"kind":"Nothing"}"#,
            422,
            format!(r#"no kind \"Nothing\" is registered for version \"v1\" {scheme}"#),
        ),
        (r#"{"kind":"Secret"}"#, 422, "illegal base64 data at input byte 0".to_owned()),
        (
            r#"{"apiVersion":"apps/v1"}"#,
            422,
            format!(r#"no kind \"ConfigMap\" is registered for version \"apps/v1\" {scheme}"#),
        ),
        (
            r#"{"apiVersion":"apps/v1","kind":"Deployment"}"#,
            422,
            "converting (v1.Deployment) to (core.ConfigMap): unknown conversion".to_owned(),
        ),
        (r#"{"apiVersion":"a/b/c"}"#, 422, "unexpected GroupVersion string: a/b/c".to_owned()),
        (
            r#"{"kind":7}"#,
            422,
            "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string"
                .to_owned(),
        ),
        (r#"{"apiVersion":null}"#, 400, unnamed.to_owned()),
    ] {
        let (code, answer) = server.ask("PATCH", &path, MERGE, body);
        assert_eq!(code, status, "{body}: {answer}");
        assert!(answer.contains(&expected), "{body}: {answer}");
        assert_eq!(server.ask("PATCH", &path, STRATEGIC, body).0, if body.contains('7') { 422 } else { 200 });
    }
}
