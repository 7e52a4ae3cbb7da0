//! The examples of the page show what they say.

#![allow(clippy::disallowed_methods, reason = "a test reads its cases")]

use std::fs;
use std::path::Path;

use kindsmith_playground::Session;
use serde_json::{Map, Value};

/// The file names of sections, and the panes they fill. `examples.js` has the same.
const PANES: [(&str, &str); 5] = [
    ("types.go", "go"),
    ("crd.yaml", "crds"),
    ("policy.yaml", "policies"),
    ("object.yaml", "object"),
    ("old.yaml", "old"),
];

fn page() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/page")
}

/// An example as a request, and the verdict that it promises.
fn read(text: &str) -> (Value, String) {
    let mut request = Map::new();
    let mut expected = String::new();
    let mut pane: Option<&str> = None;
    for line in text.lines() {
        let file = line.strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --"));
        if let Some(file) = file {
            pane = PANES
                .iter()
                .find(|(name, _)| *name == file)
                .map(|(_, pane)| *pane);
            assert!(pane.is_some(), "no pane for {file}");
        } else if let Some(pane) = pane {
            let entry = request.entry(pane).or_insert_with(|| "".into());
            *entry = format!("{}{line}\n", entry.as_str().unwrap_or_default()).into();
        } else if let Some((key, value)) = line.split_once(": ") {
            match key {
                "expect" => expected = value.to_owned(),
                "panel" | "profile" | "release" => {
                    request.insert(key.to_owned(), value.into());
                }
                _ => {}
            }
        }
    }
    (request.into(), expected)
}

#[test]
fn every_example_gets_the_answer_that_it_promises() {
    let list = fs::read_to_string(page().join("examples.js")).expect("the list");
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(page().join("examples")).expect("examples") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name")
            .to_owned();
        let (request, expected) = read(&fs::read_to_string(&path).expect("text"));
        assert!(
            list.contains(&format!("[\"{name}\", ")),
            "{name} is not in examples.js"
        );
        count += 1;
        let answer: Value =
            serde_json::from_str(&Session::default().answer(&request.to_string())).expect("JSON");
        if answer["verdict"] != expected.as_str() {
            wrong.push(format!("{name}: {} {answer:#}", answer["summary"]));
        }
        // Only the examples about mistakes have some in their API.
        let findings = answer["findings"].as_array().expect("a list").iter();
        for found in
            findings.filter(|found| !["object", "old"].contains(&found["pane"].as_str().unwrap_or_default()))
        {
            if !["lint", "cost"].contains(&&*name) {
                wrong.push(format!("{name}: {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        count,
        list.matches("\n  [\"").count(),
        "examples.js lists what is not there"
    );
}
