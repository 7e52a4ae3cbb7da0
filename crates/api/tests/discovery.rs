//! Discovery of built-in groups. Kubernetes serves kinds that are not served here, so the documents are compared
//! resource by resource.

use crate::replay::inside::Inside;
use kindsmith_conformance::{Sent, Transport, conformance, text};
use kindsmith_json::{Arena, Value, parse_str};

/// Every resource of our document is in the recorded one, unchanged.
fn check(scenario: &str, path: &str, accept: &str, keys: &[&str], name: &str) {
    let arena = Arena::new();
    let recorded = text(&conformance(&format!("api/{scenario}.json")));
    let recorded = parse_str(&arena, &recorded).expect("a recording is JSON");
    let steps = recorded
        .get("steps")
        .and_then(Value::as_array)
        .unwrap_or_default();
    let step = steps
        .iter()
        .find(|step| step.get("path") == Some(path.into()) && step.get("ignore").is_none())
        .unwrap_or_else(|| panic!("{path} was recorded"));
    let theirs = step.lookup(&["response", "body"]).unwrap_or_default();
    let answer = Inside::new().send(&Sent {
        method: "GET".to_owned(),
        target: path.to_owned(),
        headers: vec![("Accept".to_owned(), accept.to_owned())],
        body: Vec::new(),
    });
    let body = String::from_utf8(answer.body).expect("discovery is text");
    let ours = parse_str(&arena, &body).expect("discovery is JSON");
    let theirs = resources(theirs, keys);
    let ours = resources(ours, keys);
    assert!(ours.len() > 1, "{path} has {} resources", ours.len());
    compare(ours, theirs, name);
}

/// Every item of ours is also in theirs, and so are its parts.
fn compare(ours: &[Value<'_>], theirs: &[Value<'_>], name: &str) {
    for our in ours {
        let their = theirs.iter().find(|their| their.get(name) == our.get(name));
        let their = their.unwrap_or_else(|| panic!("the reference has {our:?}"));
        for (key, value) in our.as_object().unwrap_or_default() {
            let other = their.get(key).unwrap_or_default();
            match (value, other) {
                (Value::Array(parts), Value::Array(others)) if key == "subresources" => {
                    compare(parts, others, "subresource");
                }
                _ => assert_eq!(value, other, "{key} of {our:?}"),
            }
        }
    }
}

fn resources<'a>(document: Value<'a>, keys: &[&str]) -> &'a [Value<'a>] {
    let found = keys.iter().try_fold(document, |value, key| match key.parse() {
        Ok(index) => value.at(index),
        Err(_) => value.get(key),
    });
    found.and_then(Value::as_array).unwrap_or_default()
}

#[test]
fn resources_match_the_recording() {
    for path in [
        "/api/v1",
        "/apis/certificates.k8s.io/v1",
        "/apis/rbac.authorization.k8s.io/v1",
    ] {
        check(
            "api-discovery-native",
            path,
            "application/json",
            &["resources"],
            "name",
        );
    }
}

/// Versions that are not served yet: autoscalers need a conversion, jobs a strategy.
const NOT_SERVED: &[&str] = &["/apis/autoscaling/v1", "/apis/batch/v1"];

#[test]
fn resources_of_every_group_match_the_recording() {
    let arena = Arena::new();
    let recorded = text(&conformance("builtin/discovery.json"));
    let recorded = parse_str(&arena, &recorded).expect("a recording is JSON");
    let mut server = Inside::new();
    for (path, theirs) in recorded.as_object().unwrap_or_default() {
        if theirs.get("resources").is_none() || NOT_SERVED.contains(&path) {
            continue;
        }
        let answer = server.send(&Sent {
            method: "GET".to_owned(),
            target: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        });
        let body = String::from_utf8(answer.body).expect("discovery is text");
        let ours = parse_str(&arena, arena.alloc_str(&body)).expect("discovery is JSON");
        let (ours, theirs) = (resources(ours, &["resources"]), resources(theirs, &["resources"]));
        let is_left_out = matches!(path, "/apis/batch/v1");
        assert_eq!(
            ours.is_empty(),
            is_left_out,
            "{path} has {} resources",
            ours.len()
        );
        compare(ours, theirs, "name");
    }
}

#[test]
fn groups_are_in_recorded_order() {
    let arena = Arena::new();
    let recorded = text(&conformance("builtin/discovery.json"));
    let recorded = parse_str(&arena, &recorded).expect("a recording is JSON");
    let answer = Inside::new().send(&Sent {
        method: "GET".to_owned(),
        target: "/apis".to_owned(),
        headers: Vec::new(),
        body: Vec::new(),
    });
    let body = String::from_utf8(answer.body).expect("discovery is text");
    let ours = parse_str(&arena, &body).expect("discovery is JSON");
    let names = |document: Value<'_>| -> Vec<String> {
        let groups = resources(document, &["groups"]).iter();
        let name = |group: &Value<'_>| group.get("name").and_then(Value::as_str).map(str::to_owned);
        groups
            .filter_map(name)
            .filter(|name| !NOT_SERVED.contains(&&*format!("/apis/{name}/v1")) || name == "autoscaling")
            .collect()
    };
    assert_eq!(names(ours), names(recorded.get("/apis").unwrap_or_default()));
}

#[test]
fn aggregated_discovery_matches_the_recording() {
    let accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let keys = ["items", "0", "versions", "0", "resources"];
    check("api-discovery-aggregated", "/api", accept, &keys, "resource");
}

#[test]
fn groups_can_be_asked_for_as_protobuf() {
    let answer = Inside::new().send(&Sent {
        method: "GET".to_owned(),
        target: "/apis/apps".to_owned(),
        headers: vec![(
            "Accept".to_owned(),
            "application/vnd.kubernetes.protobuf".to_owned(),
        )],
        body: Vec::new(),
    });
    let expected = b"k8s\0\n\x0e\n\x02v1\x12\x08APIGroup\x12$\n\x04apps\x12\r\n\x07apps/v1\x12\x02v1\x1a\r\n\x07apps/v1\x12\x02v1\x1a\0\"\0";
    assert_eq!(
        answer.body.escape_ascii().to_string(),
        expected.escape_ascii().to_string()
    );
}
