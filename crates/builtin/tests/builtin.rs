//! Single requests about built-in kinds get the answers of the reference: defaults, errors, warnings. Those that do not
//! yet are listed by id; one that does is taken off the list.

mod server;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kindsmith_json::{Arena, Value, parse_str, to_string};
use server::{Server, Step, spaced, unordered};

/// How objects to be updated are made: stored, unlike those of other cases.
const STRICT: &str = "fieldValidation=Strict";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/builtin")
}

/// One recorded request.
struct Case<'a> {
    arena: &'a Arena,
    value: Value<'a>,
}

impl<'a> Case<'a> {
    fn text(&self, key: &str) -> &'a str {
        self.value.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// A member as it was sent; text is no JSON, or JSON that only text can say.
    fn body(&self, key: &str) -> String {
        match self.value.get(key) {
            Some(Value::Str(text)) => text.to_owned(),
            Some(value) => spaced(value),
            None => String::new(),
        }
    }

    /// The body of an update, with the version that is stored unless it says one.
    fn update(&self, revision: u64) -> String {
        let mut body = self.value.get("body").unwrap_or_default();
        let path = ["metadata", "resourceVersion"];
        if body.as_object().is_none() || body.lookup(&path).is_some() {
            return self.body("body");
        }
        let revision = self.arena.alloc_str(&revision.to_string());
        body.set(self.arena, &path, Value::Str(revision));
        spaced(body)
    }

    fn answer(&self) -> Option<(u16, String, Vec<String>)> {
        let mut server = Server::default();
        let (path, query) = split(self.text("path"));
        if self.text("op") == "CREATE" {
            return server.handle(&step("POST", path, query, self.body("body")));
        }
        let (collection, _) = split(self.text("createPath"));
        server.handle(&step("POST", collection, STRICT, self.body("old")));
        if self.value.get("oldStatus").is_some() {
            let status = format!("{}/status", path.trim_end_matches("/status"));
            server.handle(&step("PUT", &status, STRICT, self.body("oldStatus")));
        }
        let body = self.update(server.revision);
        server.handle(&step("PUT", path, query, body))
    }

    /// Whether the answer is the recorded one.
    fn is_right(&self) -> bool {
        let Some((status, body, warnings)) = self.answer() else {
            return false;
        };
        let expected = self.value.get("response").unwrap_or_default();
        let texts = expected
            .get("warnings")
            .and_then(Value::as_array)
            .unwrap_or_default();
        let body = body.replace("abcde", "<suffix>");
        expected.get("status").and_then(Value::as_u64) == Some(status.into())
            && warnings
                .iter()
                .map(|text| Some(&**text))
                .eq(texts.iter().map(|text| text.as_str()))
            && unordered(&body) == unordered(&to_string(expected.get("body").unwrap_or_default()))
    }
}

fn step<'s>(method: &'s str, path: &'s str, query: &'s str, body: String) -> Step<'s> {
    Step {
        method,
        path,
        query,
        media: "application/json",
        body,
    }
}

fn split(path: &str) -> (&str, &str) {
    path.split_once('?').unwrap_or((path, ""))
}

#[test]
fn requests_get_the_recorded_answers() {
    let mut wrong = BTreeSet::new();
    let mut number = 0;
    for entry in fs::read_dir(folder()).expect("the recordings are there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in fs::read_to_string(path).expect("a recording is text").lines() {
            let arena = Arena::new();
            let value = parse_str(&arena, line).expect("a recording is JSON");
            let case = Case { arena: &arena, value };
            number += 1;
            if !case.is_right() {
                wrong.insert(format!("{} {}", case.text("id"), case.text("covers")));
            }
        }
    }
    assert!(number > 0, "there are recordings");
    let list = folder().join("not_yet.txt");
    if std::env::var_os("UPDATE").is_some() {
        let lines: Vec<&str> = wrong.iter().map(String::as_str).collect();
        fs::write(&list, lines.join("\n") + "\n").expect("the list can be written");
    }
    let listed = fs::read_to_string(list).expect("the list is there");
    let listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    let new: Vec<&String> = wrong.difference(&listed).collect();
    let gone: Vec<&String> = listed.difference(&wrong).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "no longer right: {new:#?}\nright by now, take them off: {gone:#?}"
    );
}
