//! Recorded requests, as data to send again.

use std::fs;
use std::path::Path;

use kindsmith_json::{Arena, Value, parse_str, to_string};

use crate::server::{Server, Step};

/// A recorded request.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) is_create: bool,
    pub(crate) path: String,
    pub(crate) create_path: String,
    pub(crate) body: String,
    pub(crate) old: String,
    pub(crate) old_status: Option<String>,
}

fn path_of(text: &str) -> String {
    text.split('?').next().unwrap_or_default().to_owned()
}

/// All recorded requests of built-in kinds.
pub(crate) fn all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/builtin");
    let entries = fs::read_dir(folder).expect("the recordings are there");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    paths.sort();
    let texts = paths
        .iter()
        .map(|path| fs::read_to_string(path).expect("a recording is text"));
    texts
        .flat_map(|text| text.lines().map(case).collect::<Vec<Case>>())
        .collect()
}

fn case(line: &str) -> Case {
    let arena = Arena::new();
    let value = parse_str(&arena, line).expect("a recording is JSON");
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    let body = |key: &str| match value.get(key) {
        Some(Value::Str(text)) => text.to_owned(),
        Some(value) => to_string(value),
        None => String::new(),
    };
    Case {
        is_create: text("op") == "CREATE",
        path: path_of(text("path")),
        create_path: path_of(text("createPath")),
        body: body("body"),
        old: body("old"),
        old_status: value.get("oldStatus").map(to_string),
    }
}

impl Case {
    /// Stores what the request updates.
    pub(crate) fn prepare(&self, server: &mut Server) {
        if self.is_create {
            return;
        }
        server.handle(&step("POST", &self.create_path, self.old.clone()));
        if let Some(status) = &self.old_status {
            let path = format!("{}/status", self.path.trim_end_matches("/status"));
            server.handle(&step("PUT", &path, status.clone()));
        }
    }

    /// Sends the request with a body.
    pub(crate) fn send(&self, server: &mut Server, body: String) -> Answer {
        let method = if self.is_create { "POST" } else { "PUT" };
        let body = if self.is_create {
            body
        } else {
            with_version(&body, server.revision)
        };
        let answer = server.handle(&step(method, &self.path, body));
        let (status, text, _) = answer.unwrap_or_default();
        Answer { status, text }
    }
}

/// What a request got; status 0 if it is not supported here.
pub(crate) struct Answer {
    pub(crate) status: u16,
    text: String,
}

impl Answer {
    /// Whether the request was refused for this reason, at this field among others.
    pub(crate) fn has_cause(&self, reason: &str, field: &str) -> bool {
        let arena = Arena::new();
        let Ok(value) = parse_str(&arena, &self.text) else {
            return false;
        };
        let causes = value.lookup(&["details", "causes"]).and_then(Value::as_array);
        causes.unwrap_or_default().iter().any(|cause| {
            cause.get("reason") == Some(Value::Str(reason)) && cause.get("field") == Some(Value::Str(field))
        })
    }
}

fn step<'s>(method: &'s str, path: &'s str, body: String) -> Step<'s> {
    Step {
        method,
        path,
        query: "",
        media: "application/json",
        body,
    }
}

/// The body of an update with the stored version, unless it has one.
fn with_version(body: &str, revision: u64) -> String {
    let arena = Arena::new();
    let Ok(mut value) = parse_str(&arena, body) else {
        return body.to_owned();
    };
    let path = ["metadata", "resourceVersion"];
    if value.as_object().is_none() || value.lookup(&path).is_some() {
        return body.to_owned();
    }
    value.set(&arena, &path, Value::Str(arena.alloc_str(&revision.to_string())));
    to_string(value)
}
