//! Random writes on random schemas with one and two versions, compared with the objects of apimachinery's own field
//! manager (recorded by `benches/go/merge record`).

use std::fs;
use std::path::Path;

use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_merge::{ConvertError, FieldManager, Topology, Versions};

/// The versions of a case: `spec.alpha` of `v1` is `spec.beta` of `v2`.
struct Kind(Vec<(String, Topology)>);

impl Kind {
    fn of(schemas: Option<Value<'_>>) -> Self {
        let schemas = schemas.and_then(Value::as_object).expect("cases have schemas");
        let topologies = schemas.iter().map(|(version, schema)| {
            let (schema, _) = kindsmith_openapi::schema::read(schema).expect("schemas read");
            (
                format!("example.com/{version}"),
                Topology::of_published(Some(&schema), false),
            )
        });
        Kind(topologies.collect())
    }

    fn at<'a>(&self, arena: &'a Arena, object: Value<'a>, api_version: &str) -> Value<'a> {
        if object.get("apiVersion").and_then(Value::as_str) == Some(api_version) {
            object
        } else {
            self.convert(arena, object, api_version)
                .expect("the version is there")
        }
    }
}

impl Versions for Kind {
    fn topology(&self, api_version: &str) -> Option<&Topology> {
        let found = self.0.iter().find(|(version, _)| version == api_version)?;
        Some(&found.1)
    }

    fn convert<'a>(&self, arena: &'a Arena, object: Value<'a>, to: &str) -> Result<Value<'a>, ConvertError> {
        if self.topology(to).is_none() {
            return Err(ConvertError::NoSuchVersion);
        }
        let (from_name, to_name) = match to {
            "example.com/v1" => ("beta", "alpha"),
            _ => ("alpha", "beta"),
        };
        let mut converted = object;
        if let Some(value) = converted.unset(arena, &["spec", from_name]) {
            converted.set(arena, &["spec", to_name], value);
        }
        converted.set(arena, &["apiVersion"], Value::Str(arena.alloc_str(to)));
        Ok(converted)
    }
}

/// The first step that differs, if one does.
fn check(case: Value<'_>) -> Result<usize, String> {
    let arena = Arena::new();
    let mut kind = Kind::of(case.get("schemas"));
    let mut live: Option<Value<'_>> = None;
    let steps = case
        .get("steps")
        .and_then(Value::as_array)
        .expect("cases have steps");
    for (number, step) in steps.iter().enumerate() {
        if let Some(schemas) = step.get("schemas") {
            kind = Kind::of(Some(schemas));
        }
        let text = |key| step.get(key).and_then(Value::as_str).unwrap_or_default();
        let api_version = format!("example.com/{}", text("version"));
        let current = match live {
            None => kind.empty(&arena, &api_version, "Thing"),
            Some(live) => kind.at(&arena, live, &api_version),
        };
        let manager = FieldManager {
            versions: &kind,
            api_version: &api_version,
            kind: "Thing",
            subresource: "",
        };
        let mut object = step.get("object").expect("steps have objects");
        object.set(&arena, &["apiVersion"], Value::Str(arena.alloc_str(&api_version)));
        object.set(&arena, &["kind"], "Thing".into());
        let now = arena.alloc_str(&format!("2026-01-01T00:00:{number:02}Z"));
        let written = match text("op") {
            "apply" => {
                let force = step.get("force") == Some(Value::Bool(true));
                manager.apply(&arena, current, object, text("manager"), force, now)
            }
            _ => {
                if live.is_some() {
                    object.set(&arena, &["metadata", "uid"], "u".into());
                }
                Ok(manager.update(&arena, current, object, text("manager"), now))
            }
        };
        let written = written.map(|mut object| {
            object.set(&arena, &["metadata", "uid"], "u".into());
            object
        });
        // The recorded objects are in the storage version.
        let result = step
            .get("result")
            .map(|result| kind.at(&arena, result, &api_version));
        let (found, recorded) = match (&written, result) {
            (Ok(object), Some(result)) => (shown(&arena, *object), shown(&arena, result)),
            (Ok(object), None) => (shown(&arena, *object), text("error").to_owned()),
            (Err(error), Some(result)) => (error.to_string(), shown(&arena, result)),
            (Err(error), None) => (
                certain(&error.to_string()).to_owned(),
                certain(text("error")).to_owned(),
            ),
        };
        if found != recorded {
            let before = live.map_or_else(String::new, |live| shown(&arena, live));
            return Err(format!(
                "step {number}\n  case     {case:?}\n  before   {before}\n  step     {} {} {}\n  found    {found}\n  recorded {recorded}",
                text("op"),
                text("manager"),
                Format::GO.to_string(object),
            ));
        }
        if let Ok(object) = written {
            live = Some(object);
        }
    }
    Ok(steps.len())
}

/// An object with its entries sorted and a placeholder for every time.
fn shown<'a>(arena: &'a Arena, object: Value<'a>) -> String {
    let mut object = object;
    if let Some(Value::Array(entries)) = object.lookup(&["metadata", "managedFields"]) {
        let mut entries: Vec<Value<'a>> = entries
            .iter()
            .map(|entry| {
                let mut entry = *entry;
                if entry.get("time").is_some() {
                    entry.set(arena, &["time"], "t".into());
                }
                entry
            })
            .collect();
        entries.sort_by_key(|entry| Format::GO.to_string(*entry));
        object.set(
            arena,
            &["metadata", "managedFields"],
            Value::Array(arena.alloc_slice_copy(&entries)),
        );
    }
    Format::GO.to_string(object)
}

/// Go visits map members in random order and stops after an unknown one, so only the beginning of such errors is
/// stable.
fn certain(text: &str) -> &str {
    let is_vague = text.contains("errors:\n") || text.contains("field not declared in schema");
    let end = text.find(" (/a;").filter(|_| is_vague);
    &text[..end.unwrap_or(text.len())]
}

#[test]
fn writes_match_the_recording() {
    let folder = match std::env::var_os("KINDSMITH_MERGE_CASES") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/merge"),
    };
    let (mut steps, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(folder).expect("the recordings are there") {
        let path = entry.expect("the folder can be listed").path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("recordings are text");
        for (number, line) in text.lines().enumerate() {
            let arena = Arena::new();
            let case = parse_str(&arena, line).expect("recordings are JSON");
            match check(case) {
                Ok(checked) => steps += checked,
                Err(why) => wrong.push(format!("{}:{}: {why}", path.display(), number + 1)),
            }
        }
    }
    let shown = wrong
        .iter()
        .take(5)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("\n\n");
    assert!(wrong.is_empty(), "{} cases differ\n{shown}", wrong.len());
    assert!(steps > 1000, "only {steps} steps were compared");
}
