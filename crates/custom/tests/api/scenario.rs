//! Recorded scenarios: files of steps, each a request with the reference's answer.

use std::path::PathBuf;

use kindsmith_json::read::{BigIntegers, Options};
use kindsmith_json::{Arena, Value};

/// Where the project's recordings are.
pub(crate) fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance")
        .join(name)
}

pub(crate) fn text(path: &PathBuf) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of all recorded scenarios of some areas.
pub(crate) fn names(areas: &[&str]) -> Vec<String> {
    let files = std::fs::read_dir(folder("api")).expect("the recordings are part of the project");
    let mut names: Vec<String> = files
        .filter_map(|file| file.expect("a readable folder").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .filter(|name| areas.iter().any(|area| name.starts_with(area)))
        .collect();
    names.sort();
    names
}

/// One request with its recorded answer.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a>(Value<'a>);

pub(crate) fn steps<'a>(arena: &'a Arena, text: &'a str) -> Vec<Step<'a>> {
    // Integers are sent as they were written.
    let options = Options::default().big_integers(BigIntegers::Exact);
    let read = kindsmith_json::read::read(arena, text.as_bytes(), options).expect("a scenario");
    let steps = read.value.get("steps").and_then(Value::as_array).expect("steps");
    steps.iter().copied().map(Step).collect()
}

impl<'a> Step<'a> {
    fn field(self, key: &str) -> &'a str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn name(self) -> &'a str {
        self.field("name")
    }

    pub(crate) fn method(self) -> &'a str {
        self.field("method")
    }

    pub(crate) fn path(self) -> &'a str {
        self.field("path")
    }

    /// The content type of the body.
    pub(crate) fn media(self) -> &'a str {
        match self.field("type") {
            "" => "application/json",
            media => media,
        }
    }

    pub(crate) fn accept(self) -> &'a str {
        self.field("accept")
    }

    pub(crate) fn is_ignored(self) -> bool {
        self.0.get("ignore") == Some(Value::Bool(true))
    }

    /// The body as it was sent.
    pub(crate) fn body(self) -> Option<String> {
        self.0.get("body").map(|body| match body {
            Value::Str(text) => text.to_owned(),
            other => sent(other),
        })
    }

    /// Values of the answer that later steps use: a name and a dotted path each.
    pub(crate) fn saves(self) -> Vec<(&'a str, Vec<&'a str>)> {
        let saves = self.0.get("save").and_then(Value::as_object).unwrap_or_default();
        let path = |path: Value<'a>| path.as_str().unwrap_or_default().split('.').collect();
        saves.iter().map(|(name, at)| (name, path(at))).collect()
    }

    pub(crate) fn status(self) -> i64 {
        let status = self.0.lookup(&["response", "status"]).and_then(Value::as_i64);
        status.expect("a status")
    }

    pub(crate) fn answer(self) -> Value<'a> {
        self.0.lookup(&["response", "body"]).unwrap_or_default()
    }

    pub(crate) fn warnings(self) -> Vec<&'a str> {
        let warnings = self.0.lookup(&["response", "warnings"]).and_then(Value::as_array);
        warnings
            .unwrap_or_default()
            .iter()
            .filter_map(|text| text.as_str())
            .collect()
    }
}

/// JSON with a space after colons and commas, which is how bodies were sent.
fn sent(value: Value<'_>) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().copied().map(sent).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(object) => {
            let members = object.iter();
            let members: Vec<String> = members
                .map(|(key, value)| format!("{}: {}", kindsmith_json::to_string(key.into()), sent(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        // A float keeps its point, or it would arrive as an integer.
        Value::Float(number) => format!("{number:?}"),
        scalar => kindsmith_json::to_string(scalar),
    }
}
