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
    let elsewhere = r#","insecureSkipTLSVerify":true,"service":{"namespace":"default","name":"a"}"#;
    let answer = server.post(SERVICES, &spec(elsewhere), 201);
    assert!(
        !answer.contains("conditions"),
        "no client sets a status: {answer}"
    );
}
