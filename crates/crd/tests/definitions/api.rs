//! Replays every recorded write of a CRD against an in-memory store; compares the responses, and what is read back once
//! the conditions are set.

use std::collections::BTreeMap;

use kindsmith_conformance::{Known, files};
use kindsmith_crd::Status;
use kindsmith_crd::definition::{Gates, conditions, create, unconditional_update, update, update_status};
use kindsmith_json::{Arena, Value, parse_str, yaml};
use kindsmith_openapi::crd::{self, Definition, InternalDefinition, Names};

use super::patch;

const COLLECTION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const NOW: &str = "2026-01-01T00:00:00Z";

#[test]
fn recorded_writes_of_definitions() {
    let mut replay = Replay::default();
    for (name, text) in files("api") {
        let arena = Arena::new();
        let scenario = parse_str(&arena, &text).expect("a recording is JSON");
        replay.scenario = name;
        replay.store.clear();
        for step in scenario.get("steps").and_then(Value::as_array).expect("steps") {
            replay.step(*step);
        }
    }
    println!("api: steps by method and status {:?}", replay.counts);
    Known::read("api.definitions").hold_against(replay.differences);
}

#[derive(Default)]
struct Replay {
    scenario: String,
    store: BTreeMap<String, Definition>,
    counts: BTreeMap<String, usize>,
    differences: Vec<(String, String)>,
}

/// Our response: a status and the part to compare.
enum Answer {
    Stored(Box<Definition>, Vec<String>),
    Refused(Status),
    BadRequest(String),
}

impl Replay {
    fn step(&mut self, step: Value<'_>) {
        let text = |key| step.get(key).and_then(Value::as_str).unwrap_or_default();
        let (path, query) = text("path").split_once('?').unwrap_or((text("path"), ""));
        let Some(rest) = path.strip_prefix(COLLECTION) else {
            return;
        };
        let (name, subresource) = match rest.strip_prefix('/').unwrap_or_default().split_once('/') {
            Some((name, subresource)) => (name, subresource),
            None => (rest.strip_prefix('/').unwrap_or_default(), ""),
        };
        let arena = Arena::new();
        let answer = match text("method") {
            "DELETE" => {
                self.store.remove(name);
                return;
            }
            "GET" => self.read(name),
            "POST" => self.write(step, None, "", &arena),
            _ => self.write(step, Some(name), subresource, &arena),
        };
        let Some(answer) = answer else {
            return;
        };
        self.compare(step, query, &answer);
        let dry = query.contains("dryRun=All");
        if let (Answer::Stored(definition, _), false) = (answer, dry || text("method") == "GET") {
            self.keep(*definition);
        }
    }

    fn read(&self, name: &str) -> Option<Answer> {
        let stored = self.store.get(name)?;
        Some(Answer::Stored(Box::new(stored.clone()), Vec::new()))
    }

    /// Stores a CRD as the controllers leave it.
    fn keep(&mut self, mut definition: Definition) {
        let name = name_of(&definition);
        let others: Vec<Names> = self
            .store
            .iter()
            .filter(|(other, stored)| **other != name && stored.spec.group == definition.spec.group)
            .map(|(_, stored)| stored.status.accepted_names.clone())
            .collect();
        definition.status = conditions(&definition, &others, NOW);
        let arena = Arena::new();
        let mut metadata = definition.metadata.value(&arena);
        metadata.set(&arena, &["resourceVersion"], Value::Str("1"));
        definition.metadata = metadata.into();
        self.store.insert(name, definition);
    }

    fn write(&self, step: Value<'_>, name: Option<&str>, subresource: &str, arena: &Arena) -> Option<Answer> {
        let ty = step
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or("application/json");
        let old = name.map(|name| self.store.get(name));
        let body = match (body(step, ty, arena)?, old.flatten()) {
            (patch, Some(old)) if ty.contains("merge-patch") => {
                patch::merge(old.to_value(arena), patch, arena)
            }
            (patch, Some(old)) if ty.contains("json-patch") => {
                patch::operations(old.to_value(arena), patch, arena)
            }
            (body, _) => body,
        };
        if body.get("apiVersion").and_then(Value::as_str) != Some("apiextensions.k8s.io/v1") {
            return None;
        }
        let read = match crd::read(body, crd::Source::Unknown) {
            Ok(read) => read,
            Err(error) => return Some(Answer::BadRequest(error.to_string())),
        };
        let mut definition = read.definition;
        definition.default_fields();
        let mut new = definition.to_internal();
        let verdict = match old {
            None => create(&mut new, Gates::default()),
            Some(None) => return None,
            Some(Some(_)) if body.lookup(&["metadata", "resourceVersion"]).is_none() => {
                return Some(Answer::Refused(unconditional_update(name?)));
            }
            Some(Some(old)) => {
                let old: InternalDefinition = old.to_internal();
                if subresource == "status" {
                    update_status(&mut new, &old)
                } else {
                    update(&mut new, &old, Gates::default())
                }
            }
        };
        let mut stored = new.to_v1();
        stored.default_fields();
        if let Some(status) = verdict.status(&name_of(&stored)) {
            return Some(Answer::Refused(status));
        }
        Some(Answer::Stored(Box::new(stored), verdict.warnings))
    }

    fn compare(&mut self, step: Value<'_>, query: &str, answer: &Answer) {
        if step.get("ignore").is_some() {
            return;
        }
        let response = step.get("response").expect("an answer");
        let status = response.get("status").and_then(Value::as_i64).unwrap_or_default();
        let method = step.get("method").and_then(Value::as_str).unwrap_or_default();
        let difference = match (answer, status) {
            (_, 400) if query.contains("fieldValidation=Strict") => return,
            (Answer::Stored(definition, warnings), 200 | 201) => accepted(definition, warnings, response),
            (Answer::Refused(ours), 422) => refused(ours, response),
            (Answer::BadRequest(text), 400) => undecoded(text, response),
            (Answer::Stored(..), 422) => Some(format!("accepted instead of {}", message(response))),
            (Answer::Refused(ours), _) => Some(format!("{status} expected, refused with {}", ours.message)),
            (Answer::BadRequest(text), _) => Some(format!("{status} expected, not decoded: {text}")),
            _ => Some(format!("{status} {}", message(response))),
        };
        *self.counts.entry(format!("{method} {status}")).or_default() += 1;
        if let Some(difference) = difference {
            let step = step.get("name").and_then(Value::as_str).unwrap_or_default();
            self.differences
                .push((format!("{}/{step}", self.scenario), difference));
        }
    }
}

fn body<'a>(step: Value<'a>, ty: &str, arena: &'a Arena) -> Option<Value<'a>> {
    let body = step.get("body")?;
    let Some(text) = body.as_str() else {
        return Some(body);
    };
    if ty.contains("yaml") {
        return yaml::parse(arena, text.as_bytes()).ok();
    }
    parse_str(arena, text).ok()
}

fn name_of(definition: &Definition) -> String {
    let arena = Arena::new();
    let metadata = definition.metadata.value(&arena);
    metadata
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn message(response: Value<'_>) -> String {
    let message = response.lookup(&["body", "message"]);
    message.and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn undecoded(text: &str, response: Value<'_>) -> Option<String> {
    let ours = format!(
        "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: {text}"
    );
    (ours != message(response)).then(|| format!("\n  expected {}\n  found {ours}", message(response)))
}

fn refused(ours: &Status, response: Value<'_>) -> Option<String> {
    let causes = response
        .lookup(&["body", "details", "causes"])
        .and_then(Value::as_array)
        .unwrap_or_default();
    let text = |cause: &Value<'_>, key| {
        let text = cause.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let mut expected: Vec<_> = causes
        .iter()
        .map(|cause| {
            (
                text(cause, "field"),
                text(cause, "reason"),
                text(cause, "message"),
            )
        })
        .collect();
    let found = ours.details.iter().flat_map(|details| details.causes.clone());
    let mut found: Vec<_> = found
        .map(|cause| (cause.field, cause.reason.into_owned(), cause.message))
        .collect();
    expected.sort();
    found.sort();
    let theirs = message(response);
    let same_message = if causes.len() > 1 {
        ours.message.split(" is invalid: ").next() == theirs.split(" is invalid: ").next()
    } else {
        ours.message == theirs
    };
    (expected != found || !same_message).then(|| {
        format!(
            "\n  expected {expected:#?} {theirs}\n  found {found:#?} {}",
            ours.message
        )
    })
}

fn accepted(definition: &Definition, warnings: &[String], response: Value<'_>) -> Option<String> {
    let arena = Arena::new();
    let theirs = response.get("body")?;
    let ours = definition.to_value(&arena);
    for part in ["spec", "status"] {
        let expected = normalized(theirs.get(part));
        let found = normalized(ours.get(part)).replace(NOW, "<lastTransitionTime>");
        if expected != found {
            return Some(format!("{part}\n  expected {expected}\n  found {found}"));
        }
    }
    let generation = |value: Value<'_>| value.lookup(&["metadata", "generation"]).and_then(Value::as_i64);
    if generation(theirs) != generation(ours) {
        return Some(format!(
            "generation {:?} instead of {:?}",
            generation(ours),
            generation(theirs)
        ));
    }
    let expected = response
        .get("warnings")
        .and_then(Value::as_array)
        .unwrap_or_default();
    let expected: Vec<&str> = expected
        .iter()
        .filter_map(|warning| warning.as_str())
        .filter(|warning| !is_about_reading(warning))
        .collect();
    (expected != warnings).then(|| format!("warnings\n  expected {expected:?}\n  found {warnings:?}"))
}

/// A value as text with its members sorted.
fn normalized(value: Option<Value<'_>>) -> String {
    let order = kindsmith_json::write::Order::Sorted;
    value.map_or_else(String::new, |value| {
        kindsmith_json::write::Format::default()
            .order(order)
            .to_string(value)
    })
}

/// Unknown and duplicate fields are reported by the reader, whose tests use the same recordings.
fn is_about_reading(warning: &str) -> bool {
    warning.starts_with("unknown field")
        || warning.starts_with("duplicate field")
        || warning.starts_with("line ")
}
