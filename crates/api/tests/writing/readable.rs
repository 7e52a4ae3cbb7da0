//! Whatever a write path stores can be read, listed, watched and deleted.

use super::server::{Racing, Server};
use super::{DEFINITIONS, GADGETS, gadget};

const JSON: &str = "application/json-patch+json";
const MERGE: &str = "application/merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

fn nested(depth: usize, inner: &str) -> String {
    format!("{}{inner}{}", r#"{"a":"#.repeat(depth), "}".repeat(depth))
}

/// Writes to an object that is 5,000 levels deep, and expects a status; then whatever is stored must be readable.
fn check(method: &str, media: &str, body: &str, expected: u16) {
    let server = Server::default();
    let target = format!("{GADGETS}/a");
    let before = server.revision();
    server.post(GADGETS, &gadget(r#"{"name":"a"}"#, &nested(5_000, "1")), 201);
    let separator = if media == APPLY {
        "?fieldManager=m&force=true"
    } else {
        ""
    };
    let (status, answer) = server.ask(method, &format!("{target}{separator}"), media, body);
    assert_eq!(status, expected, "{media}: {answer:.200}");
    for read in [&target, GADGETS] {
        let (status, answer) = server.ask("GET", read, "", "");
        assert_eq!(status, 200, "{read} after {media}: {answer:.200}");
    }
    let (status, answer) = server.ask("DELETE", &target, "", "");
    assert_eq!(status, 200, "{media}: {answer:.200}");
    let events = server.watched(&format!("{GADGETS}?watch=true&resourceVersion={before}"));
    let types: Vec<&str> = events
        .lines()
        .map(|event| event.split('"').nth(3).unwrap_or_default())
        .collect();
    let expected: &[&str] = match expected {
        200 => &["ADDED", "MODIFIED", "DELETED"],
        _ => &["ADDED", "DELETED"],
    };
    assert_eq!(types, expected, "{media}: {events:.200}");
}

/// Walks over values use the stack, of which the threads of a server have as much.
fn with_stack(work: fn()) {
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(work);
    thread.expect("a thread").join().expect("no panic");
}

#[test]
fn what_a_write_stores_can_be_read() {
    with_stack(|| {
        let path = "/a".repeat(5_000);
        let added = |depth| {
            format!(
                r#"[{{"op":"add","path":"/spec{path}","value":{}}}]"#,
                nested(depth, "1")
            )
        };
        check("PATCH", JSON, &added(4_999), 200);
        check("PATCH", JSON, &added(5_000), 400);
        check("PATCH", JSON, &added(6_000), 400);
        let copied = format!(r#"[{{"op":"copy","from":"/spec","path":"/spec{path}"}}]"#);
        check("PATCH", JSON, &copied, 400);
        let spec = |depth| format!(r#"{{"spec":{}}}"#, nested(depth, "1"));
        check("PATCH", MERGE, &spec(9_999), 200);
        check("PATCH", MERGE, &spec(10_000), 400);
        let applied = |depth| gadget(r#"{"name":"a"}"#, &nested(depth, "1"));
        check("PATCH", APPLY, &applied(10_000), 400);
    });
}

/// A server with a good object and one that was stored by somebody who does not know better.
fn with_broken() -> Server {
    let store = Racing::default();
    let server = Server::over(store.clone());
    server.post(GADGETS, &gadget(r#"{"name":"good"}"#, "{}"), 201);
    store.put("/registry/example.com/gadgets/default/bad", "{\"spec\":");
    server
}

#[test]
fn a_list_names_what_cannot_be_read() {
    let server = with_broken();
    let listed = server.get(GADGETS, 500);
    assert!(listed.contains(r#""reason":"StorageReadError""#), "{listed}");
    assert!(
        listed.contains("/registry/example.com/gadgets/default/bad"),
        "{listed}"
    );
    let read = server.get(&format!("{GADGETS}/bad"), 500);
    assert!(read.contains("StorageError: corrupt object"), "{read}");
}

#[test]
fn what_cannot_be_read_can_be_deleted() {
    let server = with_broken();
    let [bad, good] = ["bad", "good"].map(|name| format!("{GADGETS}/{name}"));
    let ignoring = "ignoreStoreReadErrorWithClusterBreakingPotential=true";
    server.delete(&bad, 500);
    let refused = server.delete(&format!("{good}?{ignoring}"), 409);
    assert!(
        refused.contains("the object is decodable from storage"),
        "{refused}"
    );
    server.delete(&format!("{bad}?{ignoring}&gracePeriodSeconds=0"), 422);
    server.delete(&format!("{GADGETS}?{ignoring}"), 422);
    server.delete(&format!("{bad}?{ignoring}&dryRun=All"), 200);
    server.delete(&format!("{bad}?{ignoring}"), 200);
    server.delete(&format!("{bad}?{ignoring}"), 404);
    server.get(GADGETS, 200);
}

#[test]
fn a_definition_takes_what_cannot_be_read_with_it() {
    let server = with_broken();
    let definition = format!("{DEFINITIONS}/gadgets.example.com");
    server.delete(&definition, 200);
    server.get(&definition, 404);
}

/// Managed fields that are deeper than any manager makes them.
#[test]
fn applies_do_not_depend_on_managed_fields() {
    let server = Server::default();
    let mut fields = "{}".to_owned();
    for _ in 0..300 {
        fields = format!(r#"{{"f:a":{fields}}}"#);
    }
    let managed = format!(
        r#"{{"name":"a","managedFields":[{{"manager":"m","operation":"Apply","apiVersion":"example.com/v1",
        "time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{fields}}}]}}"#
    );
    let (target, name) = (format!("{GADGETS}/a"), r#"{"name":"a"}"#);
    server.post(GADGETS, &gadget(&managed, "{}"), 201);
    server.apply(&target, "m", &gadget(name, r#"{"b":1}"#), 200);
    let patch = format!(r#"{{"metadata":{managed}}}"#);
    let (status, answer) = server.ask("PATCH", &target, MERGE, &patch);
    assert_eq!(status, 200, "{answer:.200}");
    server.apply(&target, "m", &gadget(name, r#"{"b":2}"#), 200);
}
