//! CRDs that are created, updated and deleted: defaults, conditions and refusals, compared with the recording of kube-apiserver.

use std::sync::Arc;

use crate::asking::ask;
use kindsmith_api::{Api, Options, Still};
use kindsmith_json::write::{Format, Order};
use kindsmith_json::{Arena, Value, to_string};
use kindsmith_openapi::crd;
use kindsmith_store::{List, Memory, Store};

fn send<'a>(arena: &'a Arena, api: &Api, step: Value<'_>) -> (i64, Value<'a>) {
    let text = |key| step.get(key).and_then(Value::as_str).unwrap_or_default();
    let body = step.get("body").map(to_string).unwrap_or_default();
    let (status, answer) = ask(api, text("method"), text("path"), &body);
    let answer = kindsmith_json::parse_str(arena, arena.alloc_str(&answer)).expect("it is JSON");
    (i64::from(status), answer)
}

/// The conditions by type: their order is that in which controllers of kube-apiserver came first.
fn conditions<'a>(arena: &'a Arena, object: Value<'a>) -> Option<Value<'a>> {
    let conditions = object.lookup(&["status", "conditions"])?.as_array()?;
    let mut conditions = conditions.to_vec();
    for condition in &mut conditions {
        condition.unset(arena, &["lastTransitionTime"]);
    }
    conditions.sort_by_key(|condition| condition.get("type").and_then(Value::as_str).unwrap_or_default());
    Some(Value::Array(arena.alloc_slice_copy(&conditions)))
}

/// What is recorded of an answer.
fn recorded<'a>(arena: &'a Arena, answer: Value<'a>, expected: Value<'_>) -> Value<'a> {
    let mut answer = answer;
    for key in [
        "uid",
        "resourceVersion",
        "creationTimestamp",
        "deletionTimestamp",
        "managedFields",
    ] {
        answer.unset(arena, &["metadata", key]);
    }
    if let Some(conditions) = conditions(arena, answer) {
        answer.set(arena, &["status", "conditions"], conditions);
    }
    let others: Vec<&str> = answer.as_object().unwrap_or_default().keys().collect();
    for key in others {
        if expected.get(key).is_none() {
            answer.unset(arena, &[key]);
        }
    }
    answer
}

#[test]
fn definitions_are_answered_as_by_kube_apiserver() {
    let arena = Arena::new();
    let steps = include_str!("../../../conformance/builtin/definitions.json");
    let steps = kindsmith_json::parse_str(&arena, steps).expect("it is JSON");
    let api = Api::open(
        Arc::new(Memory::new()),
        Box::new(Still::default()),
        Options::default(),
    );
    let api = api.expect("memory");
    let steps = steps.as_array().expect("steps");
    assert_eq!(steps.len(), 149);
    for step in steps {
        let (status, answer) = send(&arena, &api, *step);
        let expected = step.get("answer").unwrap_or_default();
        let found = recorded(&arena, answer, expected);
        let is_same = Some(status) == step.get("status").and_then(Value::as_i64) && found == expected;
        assert!(is_same, "{}\n{status} {}", to_string(*step), to_string(found));
    }
}

/// The first status is stored with a copy of the spec.
#[test]
fn a_new_definition_is_stored_as_if_it_had_been_read_and_written_again() {
    let store = Arc::new(Memory::new());
    let api = Api::open(store.clone(), Box::new(Still::default()), Options::default());
    let api = api.expect("memory");
    let schema = |default: &str| {
        format!(
            r#"{{"openAPIV3Schema":{{"properties":{{"spec":{{"type":"object","properties":{{
            "z":{{"type":"number","default":{default},"maximum":9e30,"description":"<\u2028\"é"}},
            "a":{{"type":"object","default":{{"y":1.5,"b":[]}},"x-kubernetes-preserve-unknown-fields":true}}}}}}}},"type":"object"}}}}"#
        )
    };
    let version = |name: &str, storage: bool, default: &str| {
        let schema = schema(default);
        format!(
            r#"{{"schema":{schema},"served":true,"name":"{name}","storage":{storage},"selectableFields":[]}}"#
        )
    };
    for (group, second) in [
        ("same.example.org", "1.0"),
        ("other.example.org", "18446744073709551615"),
    ] {
        let versions = [version("v1", true, "1.0"), version("v2", false, second)].join(",");
        let body = format!(
            r#"{{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","spec":{{"scope":"Cluster","group":"{group}",
            "names":{{"kind":"Gate","plural":"gates"}},"versions":[{versions}]}},
            "metadata":{{"name":"gates.{group}","annotations":{{"z":"1","a":"2"}},"labels":{{}}}}}}"#
        );
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        let (status, answer) = ask(&api, "POST", path, &body);
        assert_eq!(status, 201, "{answer}");
    }
    let page = store.list(&List::of(Api::definitions())).expect("memory");
    assert_eq!(page.entries.len(), 2);
    for entry in page.entries {
        let arena = Arena::new();
        let value = kindsmith_json::parse(&arena, &entry.value).expect("it is JSON");
        let read = crd::read(value, crd::Source::Unknown)
            .expect("it is a CRD")
            .definition;
        assert_eq!(read.status.conditions.len(), 2);
        let written = Format::GO.order(Order::Kept).to_string(read.to_value(&arena));
        assert_eq!(written, String::from_utf8_lossy(&entry.value));
    }
}
