//! Made-up objects get the answers that were recorded for them: pods those of Kubernetes' published validation package, objects of
//! all kinds those of kube-apiserver.
//!
//! `UPDATE=1` records pods again where Go is there; `e2e/validation/run` records the others. Of pods, creations only are recorded, with
//! a service account, with privileged containers allowed and all gates at their defaults. Pods that Go cannot decode are left out: the
//! recordings of the API server have those.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::go_program::{self, staging};
use crate::parity::edit;
use crate::sample::Random;
use crate::server::{Server, Step, spaced};
use kindsmith_admission::Alone;
use kindsmith_builtin::find_own;
use kindsmith_json::{Arena, parse_str};
use kindsmith_request::{Body, FieldValidation, Media, Operation, Stamp, Write};

/// How many pods are made up, how long one may be, and how many are kept for each kind of answer.
const MADE_UP: usize = 6000;
const LONGEST: usize = 1500;
const KEPT: usize = 1;

fn conformance(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance")
        .join(name)
}

fn recorded() -> PathBuf {
    conformance("validation/pods.jsonl")
}

/// Our answer to the creation of a pod: empty if it is valid.
fn answer(pod: &str) -> String {
    let kind = find_own(kindsmith_object::Release::NEWEST, "", "v1", "Pod").expect("pods are served");
    let arena = Arena::new();
    let write = Write {
        version: "v1",
        operation: Operation::Create,
        namespace: "n",
        name: "",
        field_validation: FieldValidation::Ignore,
        is_dry_run: false,
        stamp: Stamp {
            uid: "u",
            now: "2026-01-01T00:00:00Z",
            name_suffix: "abcde",
        },
    };
    let body = Body {
        bytes: arena.alloc_str(pod).as_bytes(),
        media: Media::Json,
    };
    let outcome = kind.write(&arena, &write, body, &mut Alone::new(&arena));
    outcome
        .result
        .err()
        .map(|status| status.message)
        .unwrap_or_default()
}

/// Recorded pods that are not too long.
fn bodies() -> Vec<String> {
    let text = fs::read_to_string(conformance("builtin/core_v1_Pod.jsonl")).expect("a recording is text");
    let cases = text.lines().map(|line| {
        let case: serde_json::Value = serde_json::from_str(line).expect("a recording is JSON");
        case["body"].clone()
    });
    let pods = cases.filter(|body| body["kind"] == "Pod");
    let texts = pods.map(|body| body.to_string());
    texts.filter(|text| text.len() < LONGEST).collect()
}

/// Whether a changed body is still sent as a pod to its namespace.
fn is_pod(text: &str) -> bool {
    let pod: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let namespace = &pod["metadata"]["namespace"];
    pod["kind"] == "Pod" && pod["apiVersion"] == "v1" && (namespace.is_null() || namespace == "n")
}

/// An answer without values, so that answers by the same rule are the same.
fn shape(says: &str) -> String {
    let mut parts = says.split('"');
    let mut shape = parts.next().unwrap_or_default().to_owned();
    while let (Some(_), Some(outside)) = (parts.next(), parts.next()) {
        shape.push_str(outside);
    }
    shape.retain(|sign| !sign.is_ascii_digit());
    shape
}

/// Makes pods up, asks Go about them, and keeps a few for each kind of answer.
fn record(program: &Path) -> String {
    let bodies = bodies();
    let mut random = Random(18);
    let pods: Vec<String> = (0..MADE_UP)
        .map(|_| edit::edited(&bodies[random.below(bodies.len() as u64) as usize], &mut random))
        .filter(|pod| pod.len() < LONGEST && is_pod(pod))
        .collect();
    let said = go_program::ask(
        program,
        &pods.iter().map(|pod| format!("{pod}\n")).collect::<String>(),
    );
    let mut kept: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    for (pod, said) in pods.iter().zip(said.lines()) {
        let Ok(Some(says)) = serde_json::from_str::<Option<String>>(said) else {
            continue;
        };
        let of_shape = kept.entry(shape(&says)).or_default();
        let line = format!("{{\"says\":{},\"pod\":{pod}}}\n", serde_json::json!(says));
        of_shape.push((pod.len(), line));
    }
    let mut lines = String::new();
    for mut of_shape in kept.into_values() {
        of_shape.sort_unstable();
        let few = of_shape.into_iter().take(KEPT);
        lines.extend(few.map(|(_, line)| line));
    }
    lines
}

fn program() -> Option<PathBuf> {
    staging::program("validation", include_str!("validation/main.go")).build()
}

/// Whether an answer is about members of maps, which Go visits in any order.
fn is_about_maps(says: &str) -> bool {
    let maps = [
        "limits[",
        "requests[",
        "overhead",
        "nodeSelector",
        "matchLabels",
        "labels: ",
        "metadata.annotations",
    ];
    maps.iter().any(|map| says.contains(map))
}

/// The errors of an answer in a fixed order.
fn sorted(says: &str) -> Vec<String> {
    let (_, says) = says.split_once(" is invalid: ").unwrap_or(("", says));
    let mut errors: Vec<String> = says
        .split(", ")
        .map(|part| part.trim_matches(['[', ']']).to_owned())
        .collect();
    errors.sort();
    errors
}

/// Lines of the recordings that we answer otherwise.
const NOT_YET: &str = include_str!("../../../conformance/validation/not_yet.txt");

/// Fails unless exactly the listed lines of a recording differ. Each comes with its number and what differs.
fn assert_known(recording: &str, wrong: &[(usize, String)]) {
    let known: Vec<usize> = NOT_YET
        .lines()
        .filter_map(|line| line.strip_prefix(recording)?.split(' ').nth(1)?.parse().ok())
        .collect();
    let fresh = wrong.iter().filter(|(number, _)| !known.contains(number));
    let fresh: Vec<String> = fresh.map(|(number, text)| format!("{number}: {text}")).collect();
    assert!(fresh.is_empty(), "{} differ:\n{}", fresh.len(), fresh.join("\n"));
    let found: Vec<usize> = wrong.iter().map(|(number, _)| *number).collect();
    assert_eq!(
        found, known,
        "some of conformance/validation/not_yet.txt do not differ any more"
    );
}

/// Whether two messages say the same; Go visits the members of maps in any order.
fn is_same(theirs: &str, ours: &str) -> bool {
    theirs == ours || (is_about_maps(theirs) && sorted(theirs) == sorted(ours))
}

#[test]
fn changed_pods_get_the_recorded_answers() {
    if std::env::var_os("UPDATE").is_some() {
        let program = program().expect("recording needs Go");
        fs::write(recorded(), record(&program)).expect("the recording can be written");
    }
    let text = fs::read_to_string(recorded()).expect("the recording is there");
    let mut wrong = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let arena = Arena::new();
        let case = parse_str(&arena, line).expect("a recording is JSON");
        let says = case
            .get("says")
            .and_then(kindsmith_json::Value::as_str)
            .unwrap_or_default();
        let pod = kindsmith_json::to_string(case.get("pod").unwrap_or_default());
        let ours = answer(&pod);
        if !is_same(says, &ours) {
            wrong.push((number, format!("{pod}\n  Go: {says}\n  we: {ours}")));
        }
    }
    assert!(text.lines().count() > 1000, "there are recordings");
    assert_known("pods", &wrong);
}

/// Our answer to a recorded request: the status, the message if it is refused, warnings.
fn response(case: kindsmith_json::Value<'_>) -> Option<(u16, String, Vec<String>)> {
    let text = |key| {
        case.get(key)
            .and_then(kindsmith_json::Value::as_str)
            .unwrap_or_default()
    };
    let body = |key| case.get(key).map(spaced).unwrap_or_default();
    let mut server = Server::at(100);
    let mut send = |method, path: &str, body| {
        let (path, query) = path.split_once('?').unwrap_or((path, "fieldValidation=Strict"));
        server.handle(&Step {
            method,
            path,
            query,
            media: "application/json",
            body,
        })
    };
    let (status, body, warnings) = match text("op") {
        "CREATE" => send("POST", text("path"), body("body"))?,
        _ => {
            send("POST", text("createPath"), body("old"))?;
            let (path, _) = text("path").split_once('?').unwrap_or((text("path"), ""));
            if case.get("oldStatus").is_some() {
                let status = format!("{}/status", path.trim_end_matches("/status"));
                send("PUT", &status, body("oldStatus"))?;
            }
            send("PUT", text("path"), body("body"))?
        }
    };
    let body: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
    let says = if status < 400 {
        ""
    } else {
        body["message"].as_str().unwrap_or_default()
    };
    Some((status, says.to_owned(), warnings))
}

#[test]
fn objects_of_all_kinds_get_the_recorded_answers() {
    play("kinds", 1000);
}

#[test]
fn chosen_objects_get_the_recorded_answers() {
    play("chosen", 50);
}

/// Replays a recording with at least this many lines.
fn play(recording: &str, least: usize) {
    let path = conformance(&format!("validation/{recording}.jsonl"));
    let text = fs::read_to_string(path).expect("the recording is there");
    let mut wrong = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let arena = Arena::new();
        let case = parse_str(&arena, line).expect("a recording is JSON");
        let expected: serde_json::Value = serde_json::from_str(line).expect("a recording is JSON");
        let says = expected["says"].as_str().unwrap_or_default();
        let status = expected["status"].as_u64();
        let ours = response(case);
        let is_right = ours.as_ref().is_some_and(|(code, message, warnings)| {
            status == Some((*code).into())
                && is_same(says, message)
                && expected["warnings"]
                    .as_array()
                    .is_none_or(|all| all.len() == warnings.len())
        });
        if !is_right {
            wrong.push((number, format!("{line}\n  we: {ours:?}")));
        }
    }
    assert!(text.lines().count() > least, "there are recordings");
    assert_known(recording, &wrong);
}
