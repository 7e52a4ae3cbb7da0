//! Recorded requests on built-in kinds that the API answers, not the kind: those that `conformance/builtin/not_yet.txt` lists
//! for this reason.

use std::fs;
use std::path::Path;

use kindsmith_json::{Arena, Value, parse_str, to_string};

use super::server::{Server, text};

/// Reasons of the list that this test settles.
const REASONS: &[&str] = &["answered by the API", "refused by an admission plugin of the API"];

/// Requests whose answers depend on what the recorded server was started with: tokens, and rules for everybody.
const ELSEWHERE: &[&str] = &[
    "authentication.k8s.io_v1_SelfSubjectReview-00001",
    "authentication.k8s.io_v1_TokenReview-00005",
    "authentication.k8s.io_v1_TokenReview-00007",
    "authorization.k8s.io_v1_SelfSubjectRulesReview-00003",
];

fn sent(value: Option<Value<'_>>) -> String {
    match value {
        Some(Value::Str(text)) => text.to_owned(),
        Some(value) => to_string(value),
        None => String::new(),
    }
}

/// The answer to a case. Updates carry the version of what is stored.
fn answer(case: Value<'_>) -> (u16, String) {
    let server = Server::default();
    let namespace = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"conformance-builtin"}}"#;
    server.post("/api/v1/namespaces", namespace, 201);
    let word = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default();
    let (path, body) = (word("path"), sent(case.get("body")));
    if word("op") == "CREATE" {
        return server.ask("POST", path, "application/json", &body);
    }
    let mut stored = server.post(word("createPath"), &sent(case.get("old")), 201);
    let version = |stored: &str| text(stored, &["metadata", "resourceVersion"]);
    let versioned = |body: &str, stored: &str| {
        let with = format!(r#""metadata":{{"resourceVersion":"{}","#, version(stored));
        body.replacen(r#""metadata":{"#, &with, 1)
    };
    if let Some(status) = case.get("oldStatus") {
        let plain = path.split_once('?').map_or(path, |(path, _)| path);
        let body = versioned(&to_string(status), &stored);
        stored = server.put(&format!("{plain}/status"), &body, 200);
    }
    server.ask("PUT", path, "application/json", &versioned(&body, &stored))
}

#[test]
fn requests_that_the_api_answers_get_the_recorded_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/builtin");
    let list = fs::read_to_string(folder.join("not_yet.txt")).expect("the list is there");
    let mut compared = 0;
    for line in list.lines() {
        let Some((case, reason)) = line.split_once(" # ") else {
            continue;
        };
        let id = case.split(' ').next().unwrap_or_default();
        if ELSEWHERE.contains(&id) || !REASONS.iter().any(|known| reason.starts_with(known)) {
            continue;
        }
        let file = id.rsplit_once('-').map_or(id, |(file, _)| file);
        let recording =
            fs::read_to_string(folder.join(format!("{file}.jsonl"))).expect("the recording is there");
        let mark = format!(r#"{{"id":"{id}""#);
        let recorded = recording.lines().find(|line| line.starts_with(&mark));
        let arena = Arena::new();
        let case = parse_str(&arena, recorded.expect("the case is there")).expect("a recording is JSON");
        let (status, body) = answer(case);
        // Who set which fields is not part of these recordings.
        let mut body = parse_str(&arena, arena.alloc_str(&body)).expect("answers are JSON");
        body.unset(&arena, &["metadata", "managedFields"]);
        let expected = case.get("response").unwrap_or_default();
        assert_eq!(
            (Some(u64::from(status)), &*to_string(body)),
            (
                expected.get("status").and_then(Value::as_u64),
                &*to_string(expected.get("body").unwrap_or_default())
            ),
            "{id}"
        );
        compared += 1;
    }
    assert!(compared > 8, "{compared} cases are compared");
}
