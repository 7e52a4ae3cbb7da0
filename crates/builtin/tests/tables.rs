//! `kubectl get` shows objects as the reference does: the columns of each kind, and the cells of one object.

use std::fs;
use std::path::Path;

use crate::server::{Server, Step, UID, spaced};
use kindsmith_builtin::own_kinds;
use kindsmith_builtin::table::Row;
use kindsmith_json::{Arena, Value, parse_str, to_string};

/// The time of the server that writes objects, in nanoseconds since 1970.
const NOW: i128 = 1_767_225_600_000_000_000;

/// Kinds whose columns are not those of the reference yet.
const MISSING: &[&str] = &[];

#[test]
fn tables_are_those_of_the_reference() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/builtin/tables.json");
    let text = fs::read_to_string(file).expect("the recording is there");
    let arena = Arena::new();
    let recorded = parse_str(&arena, &text).expect("it is JSON");
    let mut wrong = Vec::new();
    for case in recorded.as_array().unwrap_or_default() {
        let path = case.get("createPath").and_then(Value::as_str).unwrap_or_default();
        let (ours, theirs) = (shown(&arena, *case), expected(*case));
        let is_missing = MISSING.iter().any(|missing| path.ends_with(missing));
        if (ours == theirs) == is_missing {
            wrong.push(format!("{path}\n  ours   {ours}\n  theirs {theirs}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Columns and cells in one line.
fn expected(case: Value<'_>) -> String {
    let body = case.lookup(&["response", "body"]).unwrap_or_default();
    let columns = body.get("columnDefinitions").and_then(Value::as_array);
    let columns = columns.unwrap_or_default().iter().map(|column| {
        let text = |key| column.get(key).and_then(Value::as_str).unwrap_or_default();
        let priority = column.get("priority").and_then(Value::as_i64).unwrap_or_default();
        format!("{}:{}:{}:{priority}", text("name"), text("type"), text("format"))
    });
    let row = body.get("rows").and_then(Value::as_array).unwrap_or_default()[0];
    let cells = row.get("cells").unwrap_or_default();
    format!("{} {}", columns.collect::<Vec<_>>().join(" "), to_string(cells))
}

/// The same of an object that is written here.
fn shown(arena: &Arena, case: Value<'_>) -> String {
    let path = case.get("createPath").and_then(Value::as_str).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let mut server = Server::at(100);
    let answer = server.handle(&Step {
        method: "POST",
        path,
        query: "",
        media: "application/json",
        body: spaced(case.get("body").unwrap_or_default()),
    });
    let Some((_, body, _)) = answer else {
        return "no answer".to_owned();
    };
    let object = parse_str(arena, arena.alloc_str(&body)).expect("answers are JSON");
    let version = object
        .get("apiVersion")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let name = object.get("kind").and_then(Value::as_str).unwrap_or_default();
    let kind = own_kinds(kindsmith_object::Release::NEWEST)
        .iter()
        .find(|kind| *kind.names.kind == *name && kind.names.api_version() == version);
    let Some(kind) = kind else { return body };
    let table = kind.table();
    let columns = table
        .headings
        .iter()
        .map(|(name, kind, format, priority, _)| format!("{name}:{kind}:{format}:{priority}"));
    let row = Row {
        arena,
        object,
        now: NOW,
        release: kind.release,
    };
    let cells = (table.cells)(&row);
    let cells = to_string(Value::Array(&cells))
        .replace("\"0s\"", "\"<age>\"")
        .replace("2026-01-01T00:00:00Z", "<time>")
        .replace(UID, "<uid>");
    let cells = if path.ends_with("/services") {
        with_address(&cells)
    } else {
        cells
    };
    format!("{} {cells}", columns.collect::<Vec<_>>().join(" "))
}

/// The cells with a name for the address that the server made up.
fn with_address(cells: &str) -> String {
    let Some((before, after)) = cells.split_once("\"10.0.0.") else {
        return cells.to_owned();
    };
    let rest = after.split_once('"').map(|(_, rest)| rest).unwrap_or_default();
    format!("{before}\"<clusterIP>\"{rest}")
}
