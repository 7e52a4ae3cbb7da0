//! Recorded writes of built-in kinds get the recorded responses, except for managed fields, from a small in-memory
//! server.

mod server;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use kindsmith_json::{Arena, Value, parse_str, to_string};
use server::{Server, Step, spaced, unordered};

/// Recordings with nothing but writes of built-in kinds.
const SCENARIOS: &[&str] = &[
    "api-case-of-keys",
    "api-configmap-immutable",
    "api-csr-denied",
    "api-csr-status",
    "api-csr-validation",
    "api-decode-types-native-rc",
    "api-duplicate-keys-native",
    "api-kind-mismatch-native",
    "api-lease-validation",
    "api-names-native",
    "api-namespace-validation",
    "api-numbers-native",
    "api-odd-bytes-native",
    "api-put-identity-native",
    "api-rbac-bindings",
    "api-rbac-bindings-subjects",
    "api-rbac-roles",
    "api-rc-update",
    "api-rc-validation",
    "api-scale-native",
    "api-secret-immutable",
    "api-secret-types",
    "api-serviceaccount",
];

fn replay(path: &Path) -> Vec<String> {
    let arena = Arena::new();
    let text = fs::read_to_string(path).expect("the recording is there");
    let scenario = parse_str(&arena, &text).expect("it is JSON");
    let mut server = Server::default();
    let mut wrong = Vec::new();
    let steps = scenario
        .get("steps")
        .and_then(Value::as_array)
        .unwrap_or_default();
    for step in steps {
        let text = |key| step.get(key).and_then(Value::as_str).unwrap_or_default();
        let (path, query) = text("path").split_once('?').unwrap_or((text("path"), ""));
        let body = match step.get("body") {
            Some(Value::Str(body)) => body.to_owned(),
            Some(body) => spaced(body),
            None => String::new(),
        };
        let request = Step {
            method: text("method"),
            path,
            query,
            media: text("type"),
            body,
        };
        let answer = server.handle(&request);
        let is_compared = step.get("ignore").is_none() && request.method != "GET";
        let (Some((status, body, warnings)), true) = (answer, is_compared) else {
            continue;
        };
        let expected = step.get("response").unwrap_or_default();
        let expected_status = expected.get("status").and_then(Value::as_u64).unwrap_or_default();
        let expected_body = to_string(expected.get("body").unwrap_or_default());
        let expected_warnings = expected
            .get("warnings")
            .and_then(Value::as_array)
            .unwrap_or_default();
        let expected_warnings: Vec<&str> = expected_warnings
            .iter()
            .filter_map(|text| text.as_str())
            .collect();
        if u64::from(status) != expected_status
            || unordered(&body) != unordered(&expected_body)
            || warnings != expected_warnings
        {
            wrong.push(format!(
                "{} {} {}\n  sent     {}\n  expected {expected_status} {expected_warnings:?} {}\n  got      {status} {warnings:?} {}",
                text("name"),
                request.method,
                text("path"),
                request.body,
                unordered(&expected_body),
                unordered(&body)
            ));
        }
    }
    wrong
}

#[test]
fn recorded_writes_get_the_recorded_answers() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../conformance/api");
    let wanted = std::env::var("NATIVE_SCENARIO").unwrap_or_default();
    let mut wrong = BTreeMap::new();
    let names: BTreeSet<&&str> = SCENARIOS.iter().filter(|name| name.contains(&*wanted)).collect();
    for name in names {
        let differences = replay(&folder.join(format!("{name}.json")));
        if !differences.is_empty() {
            wrong.insert(*name, differences);
        }
    }
    let text: Vec<String> = wrong
        .iter()
        .map(|(name, differences)| format!("== {name}: {}\n{}", differences.len(), differences.join("\n")))
        .collect();
    assert!(wrong.is_empty(), "{}", text.join("\n"));
}
