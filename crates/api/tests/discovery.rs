//! Discovery of built-in groups: the reference serves kinds that are not served here, so its documents are compared
//! resource by resource.

mod replay {
    pub(crate) mod inside;
}

use kindsmith_conformance::{Sent, Transport, conformance, text};
use kindsmith_json::{Arena, Value, parse_str};

use replay::inside::Inside;

/// Every resource of our document is in the recorded one, as it is.
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

/// Each of ours is one of theirs; of its parts that holds too.
fn compare(ours: &[Value<'_>], theirs: &[Value<'_>], name: &str) {
    for our in ours {
        let their = theirs.iter().find(|their| their.get(name) == our.get(name));
        let their = their.unwrap_or_else(|| panic!("the reference has {our:?}"));
        for (key, value) in our.as_object().unwrap_or_default().iter() {
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
fn resources_are_as_the_reference_lists_them() {
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

/// Every group, as far as it is served.
#[test]
fn resources_of_every_group_are_as_the_reference_lists_them() {
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

/// Groups come in the order of their priorities.
#[test]
fn groups_are_in_the_order_of_the_reference() {
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
fn the_document_of_all_groups_lists_the_same() {
    let accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let keys = ["items", "0", "versions", "0", "resources"];
    check("api-discovery-aggregated", "/api", accept, &keys, "resource");
}
