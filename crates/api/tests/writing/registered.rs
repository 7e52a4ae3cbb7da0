//! Objects that say which groups and versions are served.

use super::server::{Server, text};

const SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";
const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

fn crd(plural: &str, versions: &[&str]) -> String {
    let versions: Vec<String> = versions
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let is_stored = index == 0;
            format!(
                r#"{{"name":"{name}","served":true,"storage":{is_stored},"schema":{{"openAPIV3Schema":{{"type":"object"}}}}}}"#
            )
        })
        .collect();
    let versions = versions.join(",");
    format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"{plural}.walls.example.org"}},
        "spec":{{"group":"walls.example.org","scope":"Cluster","names":{{"plural":"{plural}","kind":"K{plural}"}},"versions":[{versions}]}}}}"#
    )
}

#[test]
fn groups_of_crds_are_registered_while_they_are_served() {
    let server = Server::default();
    server.post(CRDS, &crd("gates", &["v1", "v2"]), 201);
    server.post(CRDS, &crd("walls", &["v1"]), 201);
    let service = server.get(&format!("{SERVICES}/v1.walls.example.org"), 200);
    assert_eq!(text(&service, &["spec", "group"]), "walls.example.org");
    let label = ["metadata", "labels", "kube-aggregator.kubernetes.io/automanaged"];
    assert_eq!(text(&service, &label), "true");
    server.delete(&format!("{CRDS}/gates.walls.example.org"), 200);
    server.get(&format!("{SERVICES}/v1.walls.example.org"), 200);
    server.get(&format!("{SERVICES}/v2.walls.example.org"), 404);
    server.delete(&format!("{CRDS}/walls.walls.example.org"), 200);
    server.get(&format!("{SERVICES}/v1.walls.example.org"), 404);
    server.get(&format!("{SERVICES}/v1.apps"), 200);
}

/// Kinds with declarative validation tell an error once. API services have none: bad labels are found as those of an object, of
/// an update, and again by both checks of the kind (`ValidateAPIServiceUpdate`); a status is checked as an update alone.
#[test]
fn an_api_service_repeats_errors() {
    let server = Server::default();
    const MAPS: &str = "/api/v1/namespaces/default/configmaps";
    server.post(MAPS, r#"{"metadata":{"name":"a"}}"#, 201);
    let name = "v1.elsewhere.example.org";
    let spec =
        r#"{"group":"elsewhere.example.org","version":"v1","groupPriorityMinimum":1,"versionPriority":1}"#;
    server.post(
        SERVICES,
        &format!(r#"{{"metadata":{{"name":"{name}"}},"spec":{spec}}}"#),
        201,
    );
    let wrong = r#"{"metadata":{"labels":{"a":"b c"}}}"#;
    for (path, times) in [(format!("{MAPS}/a"), 1), (format!("{SERVICES}/{name}"), 4)] {
        let answer = server.patch(&path, wrong, 422);
        let told = answer.matches(r#""field":"metadata.labels""#).count();
        assert_eq!(told, times, "{answer}");
    }
}

#[test]
fn a_service_is_available_at_once_where_this_server_answers() {
    let server = Server::default();
    let spec = |service: &str| {
        format!(
            r#"{{"metadata":{{"name":"v1.here.example.org"}},"status":{{"conditions":[{{"type":"Available","status":"False"}}]}},
            "spec":{{"group":"here.example.org","version":"v1","groupPriorityMinimum":1,"versionPriority":1{service}}}}}"#
        )
    };
    let answer = server.post(SERVICES, &spec(""), 201);
    for part in [
        r#""status":"True""#,
        r#""reason":"Local""#,
        r#""message":"Local APIServices are always available""#,
    ] {
        assert!(answer.contains(part), "{part}: {answer}");
    }
    server.delete(&format!("{SERVICES}/v1.here.example.org"), 200);
}

const ELSEWHERE: &str = r#"{"metadata":{"name":"v1.there.example.org"},"spec":{"group":"there.example.org","version":"v1",
    "groupPriorityMinimum":2000,"versionPriority":1,"insecureSkipTLSVerify":true,"service":{"namespace":"default","name":"a"}}}"#;

/// The reasons of kube-aggregator's availability controllers, as what they look at comes and goes.
#[test]
fn a_server_elsewhere_is_unavailable_for_a_reason() {
    let server = Server::default();
    let answer = server.post(SERVICES, ELSEWHERE, 201);
    assert!(
        !answer.contains("conditions"),
        "the condition comes later: {answer}"
    );
    let says = |expected: [&str; 3]| {
        let object = server.get(&format!("{SERVICES}/v1.there.example.org"), 200);
        let arena = kindsmith_json::Arena::new();
        let object = kindsmith_json::parse_str(&arena, &object).expect("it is JSON");
        let conditions = object.list(&["status", "conditions"]);
        assert_eq!(conditions.len(), 1, "{expected:?}");
        let found = ["status", "reason", "message"].map(|key| conditions[0].text(key));
        assert_eq!(found, expected);
    };
    says([
        "False",
        "ServiceNotFound",
        r#"service/a in "default" is not present"#,
    ]);
    const PLACES: &str = "/api/v1/namespaces/default/services";
    const SLICES: &str = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    let service = |spec: &str| format!(r#"{{"metadata":{{"name":"a"}},"spec":{{{spec}}}}}"#);
    server.post(
        PLACES,
        &service(r#""clusterIP":"None","ports":[{"port":80,"name":"web"}]"#),
        201,
    );
    says([
        "False",
        "ServicePortError",
        r#"service/a in "default" is not listening on port 443"#,
    ]);
    server.patch(
        &format!("{PLACES}/a"),
        r#"{"spec":{"ports":[{"port":443,"name":"api"}]}}"#,
        200,
    );
    says([
        "False",
        "EndpointsNotFound",
        r#"cannot find endpointslices for service/a in "default""#,
    ]);
    let slice = |ready: bool, port: &str| {
        format!(
            r#"{{"metadata":{{"name":"s","labels":{{"kubernetes.io/service-name":"a"}}}},"addressType":"IPv4","ports":[{{"name":"{port}","port":1}}],
            "endpoints":[{{"addresses":["10.1.1.1"],"conditions":{{"ready":{ready}}}}}]}}"#
        )
    };
    let missing = r#"endpointslices for service/a in "default" have no addresses with port name "api""#;
    server.post(SLICES, &slice(true, "web"), 201);
    says(["False", "MissingEndpoints", missing]);
    server.put(&format!("{SLICES}/s"), &slice(false, "api"), 200);
    says(["False", "MissingEndpoints", missing]);
    server.put(&format!("{SLICES}/s"), &slice(true, "api"), 200);
    says([
        "False",
        "FailedDiscoveryCheck",
        r#"cannot route to service with ClusterIP "None""#,
    ]);
    server.delete(&format!("{PLACES}/a"), 200);
    server.post(
        PLACES,
        &service(r#""type":"ExternalName","externalName":"api.example.org""#),
        201,
    );
    says([
        "False",
        "FailedDiscoveryCheck",
        "failing or missing response from https://api.example.org:443/apis/there.example.org/v1: Get \
         \"https://api.example.org:443/apis/there.example.org/v1\": requests are not passed on to other servers",
    ]);
    let path = format!("{SERVICES}/v1.there.example.org");
    server.patch(
        &path,
        r#"{"spec":{"service":null,"insecureSkipTLSVerify":null}}"#,
        200,
    );
    says(["True", "Local", "Local APIServices are always available"]);
}

/// Discovery names what is registered, and requests to it are refused as by an aggregator that cannot reach the server.
#[test]
fn a_group_elsewhere_is_named_and_unavailable() {
    let server = Server::default();
    let unserved = r#"{"metadata":{"name":"v2.a.example.org"},"spec":{"group":"a.example.org","version":"v2",
        "groupPriorityMinimum":1000,"versionPriority":100}}"#;
    server.post(SERVICES, unserved, 201);
    server.post(SERVICES, ELSEWHERE, 201);
    let groups = server.get("/apis", 200);
    let place = |group: &str| groups.find(&format!(r#""name":"{group}""#)).expect("it is named");
    assert!(
        place("there.example.org") < place("example.com"),
        "2000 comes before 1000"
    );
    assert!(
        place("example.com") < place("a.example.org"),
        "v1.example.com comes before v2.a.example.org"
    );
    let paths = server.get("/", 200);
    assert!(paths.contains("\"/apis/there.example.org/v1\"") && paths.contains("\"/apis/a.example.org\""));
    let group = server.get("/apis/there.example.org", 200);
    assert!(
        group.contains(r#""preferredVersion":{"groupVersion":"there.example.org/v1","version":"v1"}"#),
        "{group}"
    );
    let aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let (_, all) = server.get_bytes("/apis", aggregated);
    let all = String::from_utf8_lossy(&all);
    let stale =
        r#"{"metadata":{"name":"there.example.org"},"versions":[{"version":"v1","freshness":"Stale"}]}"#;
    assert!(all.contains(stale) && !all.contains("a.example.org"), "{all}");
    for path in [
        "/apis/there.example.org/v1",
        "/apis/there.example.org/v1/things/a",
    ] {
        assert_eq!(server.get(path, 503), "service unavailable\n");
    }
    assert_eq!(
        server.get("/apis/there.example.org/v2/things", 404),
        "404 page not found\n"
    );
    server.delete(&format!("{SERVICES}/v1.there.example.org"), 200);
    assert_eq!(
        server.get("/apis/there.example.org/v1", 404),
        "404 page not found\n"
    );
}
