//! Which patches a resource takes, and what a patch may do to the type of an object.

use std::collections::BTreeMap;
use std::path::Path;

use kindsmith_json::{Arena, Value, parse_str, to_string};

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

/// Objects of the kinds that the recorded tables do not have: where they are created, and what.
const MORE_OBJECTS: &[(&str, &str)] = &[
    (
        "/api/v1/namespaces/conformance-builtin/events",
        r#"{"apiVersion":"v1","metadata":{"name":"a","namespace":"conformance-builtin"},"involvedObject":{"namespace":"conformance-builtin"}}"#,
    ),
    (
        "/apis/events.k8s.io/v1/namespaces/conformance-builtin/events",
        r#"{"apiVersion":"events.k8s.io/v1","metadata":{"name":"b"},"regarding":{"namespace":"conformance-builtin"},"eventTime":"2026-01-01T00:00:00.000000Z",
            "reportingController":"example.com/c","reportingInstance":"i","action":"a","reason":"r","type":"Normal"}"#,
    ),
    (
        "/apis/apps/v1/namespaces/conformance-builtin/controllerrevisions",
        r#"{"apiVersion":"apps/v1","metadata":{"name":"a"},"revision":1,"data":{"a":1}}"#,
    ),
    (
        "/apis/apiregistration.k8s.io/v1/apiservices",
        r#"{"apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":"v1.other.example.com"},"spec":{"group":"other.example.com","version":"v1",
            "groupPriorityMinimum":1,"versionPriority":1,"insecureSkipTLSVerify":true,"service":{"name":"a","namespace":"b"}}}"#,
    ),
    (
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
        r#"{"apiVersion":"admissionregistration.k8s.io/v1","metadata":{"name":"a"},"spec":{"validations":[{"expression":"true"}],"matchConstraints":
            {"resourceRules":[{"apiGroups":["x"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["y"]}]}}}"#,
    ),
    (
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
        r#"{"apiVersion":"admissionregistration.k8s.io/v1","metadata":{"name":"a"},"spec":{"policyName":"a","validationActions":["Deny"]}}"#,
    ),
    (
        "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies",
        r#"{"apiVersion":"admissionregistration.k8s.io/v1","metadata":{"name":"a"},"spec":{"reinvocationPolicy":"Never","mutations":[{"patchType":
            "ApplyConfiguration","applyConfiguration":{"expression":"Object{}"}}],"matchConstraints":
            {"resourceRules":[{"apiGroups":["x"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["y"]}]}}}"#,
    ),
    (
        "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings",
        r#"{"apiVersion":"admissionregistration.k8s.io/v1","metadata":{"name":"a"},"spec":{"policyName":"a"}}"#,
    ),
    (
        "/apis/resource.k8s.io/v1/devicetaintrules",
        r#"{"apiVersion":"resource.k8s.io/v1","metadata":{"name":"a"},"spec":{"deviceSelector":{"driver":"d.example.com"},"taint":{"key":"k","effect":"NoSchedule"}}}"#,
    ),
    (
        "/apis/storagemigration.k8s.io/v1/storageversionmigrations",
        r#"{"apiVersion":"storagemigration.k8s.io/v1","metadata":{"name":"a"},"spec":{"resource":{"group":"apps","resource":"deployments"}}}"#,
    ),
    (
        "/apis/example.com/v1/namespaces/conformance-builtin/gadgets",
        r#"{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"a"},"spec":{"replicas":1}}"#,
    ),
];

/// Creates an object of every kind that can be made with little; returns the path of each by its resource.
fn one_of_each(server: &Server) -> BTreeMap<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/builtin/tables.json");
    let recorded = std::fs::read_to_string(&file).expect("recorded tables");
    let arena = Arena::new();
    let tables = parse_str(&arena, &recorded).expect("JSON");
    let tables = tables.as_array().unwrap_or_default().iter();
    let tables = tables.map(|table| {
        let body = table.get("body").expect("an object");
        (text(*table, "createPath").to_owned(), to_string(body))
    });
    let more = MORE_OBJECTS
        .iter()
        .map(|(path, body)| ((*path).to_owned(), (*body).to_owned()));
    for namespace in ["conformance-builtin", "conformance-limits"] {
        let body = format!(r#"{{"metadata":{{"name":"{namespace}"}}}}"#);
        server.post("/api/v1/namespaces", &body, 201);
    }
    let mut made = BTreeMap::new();
    for (path, body) in tables.chain(more) {
        // Two versions show the same autoscaler.
        let (status, answer) = server.ask("POST", &path, "application/json", &body);
        assert!([201, 409].contains(&status), "{path}: {answer}");
        let object = parse_str(&arena, arena.alloc_str(&body)).expect("JSON");
        let name = text(object.get("metadata").expect("metadata"), "name");
        let collection = path.replace("/namespaces/conformance-builtin", "");
        let collection = collection.replace("/namespaces/conformance-limits", "");
        made.insert(collection, format!("{path}/{name}"));
    }
    let gadgets = format!("{}/gadgets.example.com", super::DEFINITIONS);
    made.insert(super::DEFINITIONS.to_owned(), gadgets);
    made
}

/// Resources whose objects take more than this test has: requests for certificates of pods, and proxies to them.
const LEFT_OUT: &[&str] = &["clustertrustbundles", "podcertificaterequests", "proxy"];

/// Kubernetes takes every patch wherever it takes one, but custom resources have no types that strategic merge patches need.
#[test]
fn every_resource_takes_every_patch() {
    let server = Server::default();
    // Before one more is registered that nobody answers.
    let versions = versions(&server);
    let made = one_of_each(&server);
    let mut seen = 0;
    for (path, version) in versions {
        let (arena, list) = (Arena::new(), server.get(&path, 200));
        let list = parse_str(&arena, &list).expect("JSON");
        let resources = list.get("resources").and_then(Value::as_array);
        for resource in resources.unwrap_or_default() {
            let verbs = resource.get("verbs").and_then(Value::as_array);
            let full = text(*resource, "name");
            if !verbs.unwrap_or_default().contains(&"patch".into())
                || full.split('/').any(|part| LEFT_OUT.contains(&part))
            {
                continue;
            }
            let (name, subresource) = full.split_once('/').unwrap_or((full, ""));
            let object = made.get(&format!("{path}/{name}"));
            let object = object.unwrap_or_else(|| panic!("no object of {path}/{name}"));
            let own = match (text(*resource, "group"), text(*resource, "version")) {
                (_, "") => version.clone(),
                ("", version) => version.to_owned(),
                (group, version) => format!("{group}/{version}"),
            };
            let kind = text(*resource, "kind");
            let end = if subresource.is_empty() {
                String::new()
            } else {
                format!("/{subresource}")
            };
            takes_every_patch(&server, &format!("{object}{end}"), &own, kind);
            seen += 1;
        }
    }
    assert!(seen > 90, "{seen} resources take patches");
}

fn takes_every_patch(server: &Server, target: &str, version: &str, kind: &str) {
    let name = target.split('/').rev().find(|part| {
        !matches!(
            *part,
            "status" | "scale" | "approval" | "resize" | "ephemeralcontainers"
        )
    });
    let name = name.unwrap_or_default();
    let applied = format!(r#"{{"apiVersion":"{version}","kind":"{kind}","metadata":{{"name":"{name}"}}}}"#);
    let labels = r#"{"metadata":{"labels":{"a":"b"}}}"#;
    let is_custom = target.contains("/apis/example.com/");
    for (media, body, expected) in [
        (
            JSON,
            r#"[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]"#,
            200,
        ),
        (MERGE, labels, 200),
        (STRATEGIC, labels, if is_custom { 415 } else { 200 }),
        (APPLY, &*applied, 200),
    ] {
        let query = if media == APPLY {
            "&fieldManager=test&force=true"
        } else {
            ""
        };
        let (status, answer) = server.ask("PATCH", &format!("{target}?dryRun=All{query}"), media, body);
        assert_eq!(status, expected, "{media} {target}: {answer}");
    }
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
