//! Single requests on built-in kinds get the recorded responses: defaults, errors, warnings. Cases that do not yet are
//! listed by ID; a listed case that passes must be removed from the list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::server::{Server, Step, UID, spaced, unordered};
use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_object::Release;

/// The parameter for creating the objects to update; unlike in other cases they are stored.
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

    /// A member as sent; a string is not JSON, or is JSON that a value cannot represent.
    fn body(&self, key: &str) -> String {
        match self.value.get(key) {
            Some(Value::Str(text)) => text.to_owned(),
            Some(value) => spaced(value),
            None => String::new(),
        }
    }

    /// The body of an update, with the stored resource version unless it has one.
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

    fn answer(&self, release: Release) -> Option<(u16, String, Vec<String>)> {
        // The recorded server had stored other objects before, so the versions in requests are old.
        let mut server = Server::at(100);
        server.release = Some(release);
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

    /// The response as a release gives it, if it differs from an expected one.
    fn difference_from(&self, release: Release, expected: Value<'_>) -> Option<String> {
        let Some((status, body, warnings)) = self.answer(release) else {
            return Some("no answer".to_owned());
        };
        let texts = expected
            .get("warnings")
            .and_then(Value::as_array)
            .unwrap_or_default();
        let body = body
            .replace("abcde", "<suffix>")
            .replace(UID, "<uid>")
            .replace("Key: /registry/", "Key: /<prefix>/");
        let body = self.without_made_up(&body);
        let mut warnings: Vec<String> = warnings.iter().map(|text| self.without_made_up(text)).collect();
        // A server sends each warning once.
        let mut sent = BTreeSet::new();
        warnings.retain(|text| sent.insert(text.clone()));
        let is_right = expected.get("status").and_then(Value::as_u64) == Some(status.into())
            && warnings
                .iter()
                .map(|text| Some(text.as_str()))
                .eq(texts.iter().map(|text| text.as_str()))
            && unordered(&body) == unordered(&to_string(expected.get("body").unwrap_or_default()));
        (!is_right).then(|| format!("{status} {warnings:?} {body}"))
    }
}

impl Case<'_> {
    /// The answer with names for what the server makes up: times, and addresses and ports of services.
    fn without_made_up(&self, body: &str) -> String {
        let asked = ["body", "old", "oldStatus"].map(|key| self.body(key)).concat();
        let mut body = body.to_owned();
        if !asked.contains(NOW) {
            body = body.replace(NOW, "<time>");
        }
        if !self.text("path").contains("/services") {
            return body;
        }
        for key in ["nodePort", "healthCheckNodePort"] {
            body = with_name(&body, &format!("\"{key}\":"), |value| {
                let port = value.parse().unwrap_or(0);
                let is_made_up = (30000..=32767).contains(&port) && !asked.contains(value);
                is_made_up.then(|| format!("\"<{key}>\""))
            });
        }
        with_name(&body, "10.0.0.", |host| {
            let is_made_up = !host.is_empty() && !asked.contains(&format!("10.0.0.{host}"));
            is_made_up.then(String::new)
        })
        .replace("10.0.0.\u{0}", "<clusterIP>")
    }
}

/// The moment of all requests.
const NOW: &str = "2026-01-01T00:00:00Z";

/// The text with other digits behind each start, where there are some.
fn with_name(text: &str, start: &str, name: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = text.split(start);
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part
            .find(|sign: char| !sign.is_ascii_digit())
            .unwrap_or(part.len());
        named.push_str(start);
        match name(&part[..end]) {
            Some(other) if other.is_empty() => named.push('\u{0}'),
            Some(other) => named.push_str(&other),
            None => named.push_str(&part[..end]),
        }
        named.push_str(&part[end..]);
    }
    named
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

/// The results of one file.
#[derive(Default)]
struct Played {
    total: usize,
    /// Cases with another response: ID and coverage, and our response.
    wrong: Vec<(String, String)>,
}

fn play(path: &Path, release: Release) -> Played {
    let mut played = Played::default();
    for line in fs::read_to_string(path).expect("a recording is text").lines() {
        let arena = Arena::new();
        let value = parse_str(&arena, line).expect("a recording is JSON");
        let case = Case { arena: &arena, value };
        played.total += 1;
        let expected = value.get("response").unwrap_or_default();
        if let Some(answer) = case.difference_from(release, expected) {
            let name = format!("{} {}", case.text("id"), case.text("covers"));
            played.wrong.push((name, answer));
        }
    }
    played
}

/// The recordings of a folder, in the order of their names.
fn recordings(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the recordings are there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    paths.sort();
    paths
}

/// Replays the recordings in the folder `RECORDINGS`, of the release `RELEASE`, and prints how many responses of each kind are
/// equal; `SHOW=1` also prints the others.
#[expect(clippy::print_stdout, reason = "the table is what it is for")]
fn print_table(folder: &Path) {
    let shows = std::env::var_os("SHOW").is_some();
    let release = std::env::var("RELEASE").ok();
    let release = release
        .and_then(|text| text.parse().ok())
        .unwrap_or(Release::NEWEST);
    for path in recordings(folder) {
        let played = play(&path, release);
        let kind = path.file_stem().unwrap_or_default().display();
        println!("{kind}: {}/{}", played.total - played.wrong.len(), played.total);
        for (name, answer) in played.wrong.iter().filter(|_| shows) {
            println!("- {name}\n  {answer}");
        }
    }
}

#[test]
fn requests_get_the_recorded_answers() {
    if let Some(folder) = std::env::var_os("RECORDINGS") {
        print_table(Path::new(&folder));
    }
    let mut wrong = BTreeSet::new();
    let mut number = 0;
    for path in recordings(&folder()) {
        let played = play(&path, Release::NEWEST);
        number += played.total;
        wrong.extend(played.wrong.into_iter().map(|(name, _)| name));
    }
    assert!(number > 0, "there are recordings");
    let list = folder().join("not_yet.txt");
    let text = fs::read_to_string(&list).expect("the list is there");
    // Each line may end with the reason.
    let mut listed: BTreeMap<&str, &str> = text
        .lines()
        .map(|line| line.split_once(" # ").unwrap_or((line, "")))
        .collect();
    if std::env::var_os("UPDATE").is_some() {
        listed.retain(|name, _| wrong.contains(*name));
        listed.extend(
            wrong
                .iter()
                .filter(|name| !text.contains(&***name))
                .map(|name| (&**name, "")),
        );
        let lines = listed.iter().map(|(name, reason)| match *reason {
            "" => format!("{name}\n"),
            reason => format!("{name} # {reason}\n"),
        });
        fs::write(&list, lines.collect::<String>()).expect("the list can be written");
    }
    let listed: BTreeSet<String> = listed.keys().map(|&name| name.to_owned()).collect();
    let new: Vec<&String> = wrong.difference(&listed).collect();
    let gone: Vec<&String> = listed.difference(&wrong).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "no longer right: {new:#?}\nright by now, take them off: {gone:#?}"
    );
}

/// Answers of a release by the ID of the case, where they differ from those of the newest. A case that is not among the
/// recordings has its request there, too.
fn older_answers(release: Release) -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder().join("../releases/builtin.jsonl")).expect("the answers are there");
    let name = release.to_string();
    let mut answers = BTreeMap::new();
    for line in text.lines() {
        let arena = Arena::new();
        let case = parse_str(&arena, line).expect("a recording is JSON");
        let releases = case.get("of").and_then(Value::as_array).unwrap_or_default();
        if releases.contains(&Value::Str(&name)) {
            answers.insert(text_of(case, "id").to_owned(), line.to_owned());
        }
    }
    answers
}

/// Plays the cases of a release that are not among the recordings.
fn play_own(release: Release, older: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let mut wrong = Vec::new();
    for (id, line) in older {
        let arena = Arena::new();
        let value = parse_str(&arena, line).expect("a recording is JSON");
        if value.get("op").is_none() {
            continue;
        }
        let expected = value.get("response").unwrap_or_default();
        let case = Case { arena: &arena, value };
        if let Some(found) = case.difference_from(release, expected) {
            wrong.push((id.clone(), found));
        }
    }
    wrong
}

fn text_of<'a>(value: Value<'a>, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Plays a recording as a release: all cases whose answers differ from those of the newest, and every few others.
fn play_release(path: &Path, release: Release, older: &BTreeMap<String, String>) -> Vec<(String, String)> {
    /// One of this many cases that are answered alike is played; `EVERY=1` plays all.
    const EVERY: usize = 4;
    let every = std::env::var("EVERY")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(EVERY);
    let mut wrong = Vec::new();
    let text = fs::read_to_string(path).expect("a recording is text");
    for (index, line) in text.lines().enumerate() {
        let arena = Arena::new();
        let value = parse_str(&arena, line).expect("a recording is JSON");
        let case = Case { arena: &arena, value };
        let answer = older.get(case.text("id"));
        if answer.is_none() && index % every != 0 {
            continue;
        }
        let expected = answer.map_or(value, |answer| {
            parse_str(&arena, answer).expect("a recording is JSON")
        });
        let expected = expected.get("response").unwrap_or_default();
        if let Some(found) = case.difference_from(release, expected) {
            wrong.push((case.text("id").to_owned(), found));
        }
    }
    wrong
}

#[test]
#[expect(clippy::print_stdout, reason = "SHOW=1 prints what differs")]
fn older_releases_get_their_recorded_answers() {
    let newest = fs::read_to_string(folder().join("not_yet.txt")).expect("the list is there");
    let newest: BTreeSet<&str> = newest.lines().filter_map(|line| line.split(' ').next()).collect();
    let list = folder().join("../releases/not_yet.txt");
    let listed = fs::read_to_string(&list).expect("the list is there");
    let mut found = BTreeSet::new();
    for &release in Release::KNOWN {
        let older = older_answers(release);
        let mut wrong = play_own(release, &older);
        for path in recordings(&folder()) {
            wrong.extend(play_release(&path, release, &older));
        }
        for (id, answer) in wrong {
            if newest.contains(&*id) {
                continue;
            }
            if std::env::var_os("SHOW").is_some() {
                println!("- {release} {id}\n  {answer}");
            }
            found.insert(format!("{release} {id}"));
        }
    }
    let mut known: BTreeMap<&str, &str> = listed
        .lines()
        .map(|line| line.split_once(" # ").unwrap_or((line, "")))
        .collect();
    if std::env::var_os("UPDATE").is_some() {
        known.retain(|name, _| found.contains(*name));
        known.extend(
            found
                .iter()
                .map(|name| (&**name, *known.get(&**name).unwrap_or(&"")))
                .collect::<Vec<_>>(),
        );
        let lines = known.iter().map(|(name, reason)| match *reason {
            "" => format!("{name}\n"),
            reason => format!("{name} # {reason}\n"),
        });
        fs::write(&list, lines.collect::<String>()).expect("the list can be written");
    }
    let known: BTreeSet<String> = known.keys().map(|&name| name.to_owned()).collect();
    let new: Vec<&String> = found.difference(&known).collect();
    assert!(new.is_empty(), "no longer right: {new:#?}");
}
