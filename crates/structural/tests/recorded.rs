//! Recorded writes of custom resources: the errors of schema, list types, embedded resources, scale paths and
//! rules.
//!
//! Uses only part of each transcript: creates and replacements whose body is the object, and only the causes
//! that do not come from metadata. Other tests replay the whole write.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use kindsmith_json::{Arena, Value, parse_str, yaml};
use kindsmith_object::{FieldError, NoTrace};
use kindsmith_schema::JsonSchema;
use kindsmith_structural::{Mode, Part, ScalePaths, StructuralChange, StructuralSchema, ValuePlan};

/// A version of a CRD.
struct Served {
    structure: StructuralSchema,
    scale: Option<ScalePaths>,
    status: bool,
}

#[derive(Default)]
struct Replay<'a> {
    served: HashMap<String, Served>,
    stored: HashMap<String, Value<'a>>,
    compared: usize,
    wrong: Vec<String>,
}

#[test]
fn errors_match_the_recordings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/api");
    let (mut compared, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(folder).expect("the recordings") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("readable");
        let arena = Arena::new();
        let recording = parse_str(&arena, &text).expect("JSON");
        let mut replay = Replay::default();
        for &step in list(recording.get("steps")) {
            replay.step(&arena, &name, step);
        }
        compared += replay.compared;
        wrong.extend(replay.wrong);
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared > 300, "only {compared} writes were compared");
}

fn list(value: Option<Value<'_>>) -> &[Value<'_>] {
    value.and_then(Value::as_array).unwrap_or_default()
}

fn text<'a>(value: Value<'a>, keys: &[&str]) -> &'a str {
    value.lookup(keys).and_then(Value::as_str).unwrap_or_default()
}

fn is_on(value: Value<'_>, keys: &[&str]) -> bool {
    value.lookup(keys).is_some_and(|value| !value.is_null())
}

fn body<'a>(arena: &'a Arena, step: Value<'a>) -> Option<Value<'a>> {
    match step.get("body")? {
        Value::Str(written) if text(step, &["type"]).contains("yaml") => {
            yaml::parse(arena, written.as_bytes()).ok()
        }
        Value::Str(written) => parse_str(arena, written).ok(),
        value => Some(value),
    }
}

impl<'a> Replay<'a> {
    fn step(&mut self, arena: &'a Arena, name: &str, step: Value<'a>) {
        let path = text(step, &["path"]).split('?').next().unwrap_or_default();
        let status = step
            .lookup(&["response", "status"])
            .and_then(Value::as_i64)
            .unwrap_or(0);
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        if path.starts_with("/apis/apiextensions.k8s.io/v1/customresourcedefinitions") {
            if (200..300).contains(&status) && parts.len() < 6 {
                self.define(step.lookup(&["response", "body"]));
            }
            return;
        }
        let ["apis", group, version, rest @ ..] = &parts[..] else {
            return;
        };
        let rest = match rest {
            ["namespaces", _, rest @ ..] => rest,
            rest => rest,
        };
        let (plural, part) = match rest {
            [plural] | [plural, _] => (plural, Part::Whole),
            [plural, _, "status"] => (plural, Part::Status),
            _ => return,
        };
        let key = format!("{plural}.{group}/{version}");
        let answer = step.lookup(&["response", "body"]);
        if matches!(text(step, &["method"]), "POST" | "PUT")
            && !is_on(step, &["ignore"])
            && !text(step, &["path"]).contains('?')
            && matches!(status, 200 | 201 | 422)
            && let (Some(served), Some(object)) = (self.served.get(&key), body(arena, step))
        {
            let old = match rest {
                [_, name, ..] => self.stored.get(&format!("{plural}.{group}/{name}")).copied(),
                _ => None,
            };
            // A replacement without a resourceVersion is rejected before validation.
            let versioned = is_on(object, &["metadata", "resourceVersion"]);
            if text(step, &["method"]) == "POST" || (old.is_some() && versioned) {
                let expected = causes(answer);
                if let Some(found) = served.answer(arena, object, old, part) {
                    self.compared += 1;
                    let label = format!("{name} / {}", text(step, &["name"]));
                    self.compare(&label, found, expected);
                }
            }
        }
        if let (200 | 201, Some(answer)) = (status, answer)
            && let Some(name) = answer.lookup(&["metadata", "name"]).and_then(Value::as_str)
        {
            self.stored.insert(format!("{plural}.{group}/{name}"), answer);
        }
    }

    fn define(&mut self, answer: Option<Value<'a>>) {
        let Some(answer) = answer.filter(|answer| text(*answer, &["kind"]) == "CustomResourceDefinition")
        else {
            return;
        };
        let preserves = answer
            .lookup(&["spec", "preserveUnknownFields"])
            .and_then(Value::as_bool);
        for &version in list(answer.lookup(&["spec", "versions"])) {
            let key = format!(
                "{}/{}",
                text(answer, &["metadata", "name"]),
                text(version, &["name"])
            );
            let Some(schema) = version.lookup(&["schema", "openAPIV3Schema"]) else {
                continue;
            };
            let (model, _) = kindsmith_openapi::schema::read(schema).expect("a schema");
            let Ok(structure) = StructuralSchema::serve(&model, kindsmith_cel::dialect::Dialect::default())
            else {
                continue;
            };
            if preserves == Some(true) {
                continue;
            }
            let scale = version
                .lookup(&["subresources", "scale"])
                .map(|scale| ScalePaths {
                    spec_replicas: text(scale, &["specReplicasPath"]).into(),
                    status_replicas: text(scale, &["statusReplicasPath"]).into(),
                    label_selector: scale
                        .get("labelSelectorPath")
                        .and_then(Value::as_str)
                        .map(Into::into),
                });
            let served = Served {
                structure,
                scale,
                status: is_on(version, &["subresources", "status"]),
            };
            self.served.insert(key, served);
        }
    }

    fn compare(&mut self, label: &str, mut found: Vec<String>, mut expected: Vec<String>) {
        found.sort();
        expected.sort();
        if found != expected {
            self.wrong.push(format!(
                "{label}\n    found    {found:#?}\n    expected {expected:#?}"
            ));
        }
    }
}

impl Served {
    /// The errors of a write; `None` if it is rejected before validation.
    fn answer<'a>(
        &self,
        arena: &'a Arena,
        object: Value<'a>,
        old: Option<Value<'a>>,
        part: Part,
    ) -> Option<Vec<String>> {
        let settle = |object| {
            let arena: &'a Arena = arena;
            let cleaned = self.structure.settle(arena, object, true, &mut NoTrace);
            kindsmith_json::to_string(cleaned)
        };
        let mut new = parse_str(arena, arena.alloc_str(&settle(object))).ok()?;
        let old = old.and_then(|old| parse_str(arena, arena.alloc_str(&settle(old))).ok());
        if self.status {
            match (part, old) {
                (Part::Whole, None) => drop(new.unset(arena, &["status"])),
                (Part::Whole, Some(old)) => match old.get("status") {
                    Some(status) => new.set(arena, &["status"], status),
                    None => drop(new.unset(arena, &["status"])),
                },
                (Part::Status, Some(old)) => {
                    let status = new.get("status");
                    new = old;
                    match status {
                        Some(status) => new.set(arena, &["status"], status),
                        None => drop(new.unset(arena, &["status"])),
                    }
                }
                (Part::Status, None) => return None,
            }
        }
        let change = StructuralChange {
            part,
            old,
            scale: self.scale.as_ref(),
            ..StructuralChange::create(new)
        };
        let verdict = self.structure.validate(&change);
        let shown = |error: &FieldError| format!("{} {}: {}", error.kind.name(), error.path, error.body());
        let errors = verdict.errors.iter();
        Some(
            errors
                .filter(|error| !is_meta(&error.path.to_string()))
                .map(shown)
                .collect(),
        )
    }
}

/// Whether other checks report the field too.
fn is_meta(field: &str) -> bool {
    field.starts_with("metadata") || matches!(field, "kind" | "apiVersion")
}

/// The causes in a response, except for those found before the schema is checked.
fn causes(answer: Option<Value<'_>>) -> Vec<String> {
    list(answer.and_then(|answer| answer.lookup(&["details", "causes"])))
        .iter()
        .filter(|cause| !is_meta(text(**cause, &["field"])))
        .map(|cause| {
            format!(
                "{} {}: {}",
                text(*cause, &["reason"]),
                text(*cause, &["field"]),
                text(*cause, &["message"])
            )
        })
        .collect()
}

/// Random schemas and values, with the errors of the reference, whose order varies.
#[test]
fn values_are_validated_as_recorded() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/values/cases.jsonl");
    let cases = fs::read_to_string(file).expect("the recordings");
    let mut compared = 0;
    for line in cases.lines() {
        let arena = Arena::new();
        let case = parse_str(&arena, line).expect("JSON");
        let (schema, _) =
            kindsmith_openapi::schema::read(case.get("schema").unwrap_or_default()).expect("a schema");
        let new = case.get("new").unwrap_or_default();
        let mut found: Vec<String> = judge(&schema, new, case.get("old"), text(case, &["mode"]))
            .iter()
            .map(|error| format!("{} {error}", error.kind.name()))
            .collect();
        let errors = list(case.get("errors")).iter();
        let mut expected: Vec<String> = errors
            .map(|error| error.as_array().unwrap_or_default())
            .map(|parts| {
                parts
                    .iter()
                    .filter_map(|part| part.as_str())
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{line}");
        compared += 1;
    }
    assert!(compared > 500, "only {compared} cases");
}

fn judge(schema: &JsonSchema, new: Value<'_>, old: Option<Value<'_>>, mode: &str) -> Vec<FieldError> {
    if mode == "default" {
        let (plan, root) = (
            ValuePlan::compile(schema, Mode::Default),
            kindsmith_json::Path::root("p"),
        );
        return plan.validate(plan.root(), new, &root.child("default"));
    }
    let structure = StructuralSchema::compile(schema).expect("structural");
    let change = StructuralChange {
        old,
        ..StructuralChange::create(new)
    };
    structure.validate(&change).errors
}
