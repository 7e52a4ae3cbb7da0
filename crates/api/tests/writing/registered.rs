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
