//! `managedFields` round-trips: everything recorded, and what the decoder accepts, drops and rejects.

use std::fs;
use std::path::Path;

use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_merge::{FieldSet, managed};

/// Every list of entries in a value.
fn lists<'a>(value: Value<'a>, found: &mut Vec<Value<'a>>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                match (key, value) {
                    ("managedFields", Value::Array(_)) => found.push(value),
                    _ => lists(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| lists(*item, found)),
        _ => {}
    }
}

#[test]
fn everything_recorded_round_trips() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/api");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the recordings are there") {
        let path = entry.expect("the folder can be listed").path();
        let text = fs::read_to_string(&path).expect("recordings are text");
        let arena = Arena::new();
        let recording = parse_str(&arena, &text).expect("recordings are JSON");
        let steps = recording
            .get("steps")
            .and_then(Value::as_array)
            .unwrap_or_default();
        for response in steps.iter().filter_map(|step| step.get("response")) {
            let mut found = Vec::new();
            lists(response, &mut found);
            for list in found {
                count += 1;
                check_list(&arena, list, &path);
            }
        }
    }
    assert!(count > 1000, "only {count} lists were found");
}

fn check_list<'a>(arena: &'a Arena, list: Value<'a>, path: &Path) {
    // Recorded times are placeholders, and entries of the same second may be in any order.
    let timed = list
        .as_array()
        .unwrap_or_default()
        .iter()
        .zip(0..)
        .map(|(entry, second)| {
            let mut entry = *entry;
            if entry.get("time").is_some() {
                let time = arena.alloc_str(&format!("2026-01-01T00:00:{second:02}Z"));
                entry.set(arena, &["time"], Value::Str(time));
            }
            entry
        });
    let timed: Vec<Value<'a>> = timed.collect();
    let list = Value::Array(arena.alloc_slice_copy(&timed));
    let entries = managed::decode(arena, Some(list)).expect("what the server wrote decodes");
    let written = managed::encode(arena, entries).unwrap_or(Value::Array(&[]));
    // Custom resources are written with sorted keys, the server's own kinds in the order of their sets.
    let sorted = |value| Format::GO.to_string(value);
    assert_eq!(sorted(written), sorted(list), "{}", path.display());
    for (written, read) in written.as_array().unwrap_or_default().iter().zip(timed) {
        let fields = |entry: Value<'_>| to_string(entry.get("fieldsV1").unwrap_or_default());
        let is_in_set_order = fields(read).contains("\"f:") && read.get("manager").is_some();
        let first = read.as_object().and_then(|entry| entry.keys().next());
        if is_in_set_order && first == Some("manager") {
            assert_eq!(fields(*written), fields(read), "{}", path.display());
        }
    }
}

/// Expects `fieldsV1` to be written back like this, or rejected with this error.
fn check(text: &str, expected: &str) {
    let arena = Arena::new();
    let value = parse_str(&arena, text).expect("the case is JSON");
    let found = match FieldSet::decode(&arena, value) {
        Ok(set) => to_string(set.encode(&arena)),
        Err(error) => error.to_string(),
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn elements_are_sorted_and_normalized() {
    check(r#"{"f:b":{},"f:a":{}}"#, r#"{"f:a":{},"f:b":{}}"#);
    check(
        r#"{"v:1":{},"i:0":{},"k:{\"b\":1,\"a\":2}":{},"f:z":{},"v:\"a\"":{}}"#,
        r#"{"f:z":{},"k:{\"a\":2,\"b\":1}":{},"v:1":{},"v:\"a\"":{},"i:0":{}}"#,
    );
    check(r#"{"v: 1":{}}"#, r#"{"v:1":{}}"#);
    check(r#"{"v:1.0":{}}"#, r#"{"v:1":{}}"#);
    check(r#"{"v:1.50":{}}"#, r#"{"v:1.5":{}}"#);
    check(r#"{"i:+07":{}}"#, r#"{"i:7":{}}"#);
    check(r#"{"v:\"a<b\"":{}}"#, r#"{"v:\"a\\u003cb\"":{}}"#);
    check(r#"{"k:{}":{}}"#, r#"{"k:{}":{}}"#);
    check(r#"{"k:null":{}}"#, r#"{"k:{}":{}}"#);
    check(r#"{"f:":{}}"#, r#"{"f:":{}}"#);
}

#[test]
fn dots_mark_parents_as_members() {
    check(r#"{"f:a":{".":{},"f:b":{}}}"#, r#"{"f:a":{".":{},"f:b":{}}}"#);
    check(r#"{"f:a":{".":{}}}"#, r#"{"f:a":{}}"#);
    check(r#"{"f:a":{".":5,"f:b":null}}"#, r#"{"f:a":{".":{},"f:b":{}}}"#);
    check(r#"{".":{}}"#, "{}");
}

#[test]
fn unknown_elements_are_dropped() {
    check(r#"{"x:foo":{},"f:a":{}}"#, r#"{"f:a":{}}"#);
    check(r#"{"f:a":{"x:foo":{"f:b":{}}}}"#, r#"{"f:a":{}}"#);
    check("null", "{}");
}

#[test]
fn malformed_elements_are_rejected() {
    check(r#"{"zz":{}}"#, "parsing key as path element: missing colon: zz");
    check(
        r#"{"f":{}}"#,
        "parsing key as path element: key must be 2 characters long:",
    );
    check(
        r#"{"i:x":{}}"#,
        "parsing key as path element: strconv.Atoi: parsing \"x\": invalid syntax",
    );
    check("5", "ReadMapCB: expect { or n, but found number");
    check(r#"{"f:a":[]}"#, "ReadMapCB: expect { or n, but found array");
    let deep = format!("{}{}{}", r#"{"f:a":"#.repeat(300), "{}", "}".repeat(300));
    check(&deep, "exceeded max depth");
}
