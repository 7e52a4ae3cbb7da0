//! Recorded writes of built-in kinds get the recorded responses, except for managed fields, from a small in-memory
//! server.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::server::{Server, Step, spaced, unordered};
use kindsmith_json::{Arena, Value, parse_str, to_string};

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

/// Method, path, body, status, and parts of the answer; those with a `!` must not be there.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    u16,
    &'static [&'static str],
);

const JOB: &str = r#"{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"manualSelector":true,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}"#;

/// Learned from upstream's sources: pkg/registry/core/node/strategy.go, pkg/apis/core/v1/defaults.go, pkg/apis/apps/v1,
/// pkg/registry/batch/job/strategy.go, pkg/registry/networking/ipaddress/strategy.go.
const LEARNED: &[Case] = &[
    (
        "POST",
        "/api/v1/nodes",
        r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"spec":{"podPreemptionPolicy":{"disableResizePreemption":["a.b/c"]}},"status":{"config":{"error":"e"},"capacity":{"cpu":"1u"}}}"#,
        201,
        &[
            r#""capacity":{"cpu":"1m"}"#,
            "!podPreemptionPolicy",
            r#"!"config""#,
        ],
    ),
    (
        "POST",
        "/apis/apps/v1/namespaces/default/daemonsets",
        r#"{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"updateStrategy":{"type":"OnDelete","rollingUpdate":{"maxSurge":1}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}"#,
        201,
        &[r#""maxUnavailable":0"#, r#""maxSurge":1"#],
    ),
    ("POST", "/apis/batch/v1/namespaces/default/jobs", JOB, 201, &[]),
    (
        "PUT",
        "/apis/batch/v1/namespaces/default/jobs/j/status",
        r#"{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"status":{"active":-1}}"#,
        422,
        &["status.active: Invalid value: -1", "!more ready pods"],
    ),
    (
        "POST",
        "/apis/networking.k8s.io/v1/ipaddresses",
        r#"{"apiVersion":"networking.k8s.io/v1","kind":"IPAddress","metadata":{"generateName":"10.0.0.9"},"spec":{"parentRef":{"resource":"services","namespace":"a","name":"b"}}}"#,
        201,
        &[r#""name":"10.0.0.9""#],
    ),
    (
        "POST",
        "/api/v1/namespaces/default/configmaps",
        r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"binaryData":{"a":null}}"#,
        201,
        &[r#""binaryData":{"a":""}"#],
    ),
];

#[test]
fn rules_of_upstream_hold() {
    let mut server = Server::default();
    for (method, path, body, expected, parts) in LEARNED {
        let step = Step {
            method,
            path,
            query: "",
            media: "application/json",
            body: (*body).to_owned(),
        };
        let (status, answer, _) = server.handle(&step).expect("it is a write");
        assert_eq!(status, *expected, "{body}: {answer}");
        for part in *parts {
            let (is_there, part) = match part.strip_prefix('!') {
                Some(part) => (false, part),
                None => (true, *part),
            };
            assert_eq!(answer.contains(part), is_there, "{part}: {answer}");
        }
    }
}
