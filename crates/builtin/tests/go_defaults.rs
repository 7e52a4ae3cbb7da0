//! If Go is installed: defaults are those of Kubernetes' published scheme, on recorded objects with changes and on random ones.
//!
//! Not compared: CustomResourceDefinition, whose defaults are in another crate and tested with its recordings; objects that Go
//! refuses to decode; and the members in `ELSEWHERE`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::go_program::{self, staging};
use crate::parity::edit;
use crate::sample::{self, Random};
use kindsmith_builtin::{Kind, own_kinds};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_request::WriteSteps;
use kindsmith_testkit::tool::{Tool, left_out, say};

/// How many random objects of each kind, and how many recorded ones with changes.
const ROUNDS: (u64, usize) = (20, 40);

fn program() -> Option<PathBuf> {
    staging::program("go_defaults", include_str!("go_defaults/main.go")).build()
}

/// Recorded bodies of new objects, by API version and kind.
fn recorded() -> BTreeMap<(String, String), Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/builtin");
    let mut bodies: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the recordings are there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("a recording is text");
        for line in text.lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("a recording is JSON");
            let text = |key: &str| case["body"][key].as_str().map(str::to_owned);
            if let (Some(version), Some(kind)) = (text("apiVersion"), text("kind")) {
                bodies
                    .entry((version, kind))
                    .or_default()
                    .push(case["body"].to_string());
            }
        }
    }
    bodies.values_mut().for_each(|bodies| bodies.sort_unstable());
    bodies
}

/// Objects of a kind: random ones, and recorded ones with and without changes.
fn objects(kind: &Kind, recorded: &[String], random: &mut Random) -> Vec<String> {
    let (made_up, edited) = ROUNDS;
    let mut all: Vec<String> = (0..made_up)
        .map(|_| sample::object(&kind.schema, kind.ty, random))
        .collect();
    if !recorded.is_empty() {
        all.extend((0..edited).map(|_| {
            let body = &recorded[random.below(recorded.len() as u64) as usize];
            edit::edited(body, random)
        }));
    }
    all
}

/// The object with our defaults, or why it cannot be decoded.
fn defaulted(kind: &'static Kind, text: &str) -> Result<String, String> {
    let arena = Arena::new();
    let value = parse_str(&arena, text).map_err(|error| error.to_string())?;
    let filled = WriteSteps::take_mutated(kind, &arena, value).map_err(|status| status.message)?;
    Ok(kind.plan().encode(Value::Object(filled.object)))
}

/// Members that are not compared, by kind (`*` for all), because both sides set them, but not both as defaults: what
/// conversions set and what the clock says.
const ELSEWHERE: &[(&str, &[&str])] = &[
    ("DeviceTaintRule", &["timeAdded"]),
    ("Job", &["labels"]),
    ("Node", &["podCIDR", "podCIDRs"]),
    ("ResourceSlice", &["timeAdded"]),
    ("Secret", &["data", "stringData"]),
    ("StatefulSet", &["kind", "apiVersion"]),
];

fn comparable(kind: &str, text: &str) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_str(text).expect("objects are JSON");
    // Our server sets the kind, Go's types keep it.
    if let Some(members) = value.as_object_mut() {
        members.remove("kind");
        members.remove("apiVersion");
    }
    for (of, names) in ELSEWHERE {
        if *of == "*" || *of == kind {
            remove(&mut value, names);
        }
    }
    if kind == "DaemonSet" && value["spec"]["updateStrategy"]["type"] != "RollingUpdate" {
        convert_rolling_update(&mut value);
    }
    value
}

/// An unused rolling update gets zeros when the server converts it to its internal type, which Go's published scheme does not.
fn convert_rolling_update(daemon_set: &mut serde_json::Value) {
    let rolling = daemon_set.pointer_mut("/spec/updateStrategy/rollingUpdate");
    if let Some(rolling) = rolling.and_then(serde_json::Value::as_object_mut) {
        for name in ["maxSurge", "maxUnavailable"] {
            rolling.entry(name).or_insert(serde_json::json!(0));
        }
    }
}

fn remove(value: &mut serde_json::Value, names: &[&str]) {
    match value {
        serde_json::Value::Object(members) => {
            members.retain(|key, _| !names.contains(&key.as_str()));
            members.values_mut().for_each(|member| remove(member, names));
            // It may have had a signal alone.
            if members
                .get("lifecycle")
                .is_some_and(|lifecycle| *lifecycle == serde_json::json!({}))
            {
                members.remove("lifecycle");
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| remove(item, names)),
        _ => {}
    }
}

/// Places at which two values differ, with both.
fn differences(
    path: &str,
    (theirs, ours): (&serde_json::Value, &serde_json::Value),
    found: &mut Vec<(String, String)>,
) {
    use serde_json::Value::{Array, Null, Object};
    match (theirs, ours) {
        (Object(left), Object(right)) => {
            let keys: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            for key in keys {
                let pair = (left.get(key).unwrap_or(&Null), right.get(key).unwrap_or(&Null));
                differences(&format!("{path}.{key}"), pair, found);
            }
        }
        (Array(left), Array(right)) if left.len() == right.len() => {
            for pair in left.iter().zip(right) {
                differences(&format!("{path}[]"), pair, found);
            }
        }
        _ if theirs == ours => {}
        _ => found.push((path.to_owned(), format!("Go has {theirs}, we have {ours}"))),
    }
}

#[test]
fn defaults_match_the_published_scheme() {
    let Some(program) = program() else {
        left_out(Tool::Go, "defaults beside those of the published scheme");
        return;
    };
    let recorded = recorded();
    let mut random = Random(38);
    let mut input = String::new();
    let mut samples: Vec<(&'static Kind, String)> = Vec::new();
    for kind in own_kinds(kindsmith_object::Release::NEWEST) {
        let name = &kind.schema.ty(kind.ty).name;
        let key = (kind.names.api_version(), kind.names.kind.to_string());
        let known = recorded.get(&key).map_or(&[][..], |bodies| &**bodies);
        for object in objects(kind, known, &mut random) {
            input += &format!(
                "{{\"type\":\"{}.{}\",\"object\":{object}}}\n",
                name.package, name.name
            );
            samples.push((kind, object));
        }
    }
    let output = go_program::ask(&program, &input);
    assert_eq!(output.lines().count(), samples.len());
    let mut tally = Tally::default();
    for ((kind, object), theirs) in samples.iter().zip(output.lines()) {
        tally.add(kind, object, theirs);
    }
    tally.assert_equal();
}

#[derive(Default)]
struct Tally {
    equal: u64,
    /// Objects that Go cannot decode.
    undecoded: u64,
    /// Kinds that the published scheme does not have.
    unknown: BTreeMap<String, u64>,
    different: BTreeMap<String, (u64, String)>,
}

impl Tally {
    fn add(&mut self, kind: &'static Kind, object: &str, theirs: &str) {
        let name = format!("{} {}", kind.names.api_version(), kind.names.kind);
        if theirs == "unknown" {
            *self.unknown.entry(name).or_default() += 1;
            return;
        }
        if theirs.starts_with("error: ") {
            self.undecoded += 1;
            return;
        }
        let theirs = comparable(&kind.names.kind, theirs);
        let ours = defaulted(kind, object).map(|ours| comparable(&kind.names.kind, &ours));
        let mut found = Vec::new();
        match &ours {
            Ok(ours) => differences("", (&theirs, ours), &mut found),
            Err(error) => found.push((String::new(), format!("Go decodes {object}, we say {error}"))),
        }
        self.equal += u64::from(found.is_empty());
        for (path, what) in found {
            let place = format!("{name} {path}");
            self.different.entry(place).or_insert((0, what)).0 += 1;
        }
    }

    fn assert_equal(&self) {
        say(&format!(
            "defaults: {} objects equal, {} not decoded by Go, not in the published scheme: {:?}",
            self.equal, self.undecoded, self.unknown
        ));
        let text: Vec<String> = self
            .different
            .iter()
            .map(|(name, (count, example))| format!("{name}: {count} times, such as {example}"))
            .collect();
        assert!(text.is_empty(), "{}", text.join("\n"));
    }
}
