//! Packages recorded with controller-gen, openapi-gen and defaulter-gen: those that they accept have no error
//! here, those that one of them rejects are rejected here for the same reason.

use std::path::{Path, PathBuf};

use crate::linted;
use kindsmith_source::{Diagnostic, Severity};
use kindsmith_testkit::{GoPackages, entries, name, recordings, text};
use serde_json::Value;

/// The packages in folders below `conformance/`.
fn packages(folders: [&str; 2]) -> Vec<PathBuf> {
    let found = folders.iter().flat_map(|folder| entries(&recordings(folder)));
    found.filter(|path| path.is_dir()).collect()
}

/// The findings in all packages below a directory.
fn findings(directory: &Path, below: &str) -> Vec<Diagnostic> {
    let packages = GoPackages::default()
        .module("example.org/gen", "gen")
        .opaque_containers();
    linted::findings(&packages.tree(directory, below), &format!("{below}/..."))
}

fn errors(findings: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
}

#[test]
fn accepted_packages_have_no_errors() {
    let mut wrong = String::new();
    for package in packages(["gen/types", "gen-more/openapi-accepted"]) {
        let name = name(&package);
        for error in errors(&findings(&package, &format!("gen/{name}"))) {
            wrong += &format!("{name}: {}\n", error.message);
        }
    }
    assert!(wrong.is_empty(), "errors upstream does not have:\n{wrong}");
}

/// Rejected unless the tool is run with an option, which the source does not show: notes here.
const UNLESS_OPTION: &[&str] = &["go-float-without-option"];

/// Whether a tool rejected the package, or generated Go code that does not work.
fn is_refused(record: &Value) -> bool {
    let tools = ["controller-gen", "openapi-gen", "defaulter-gen"];
    tools.iter().any(|tool| {
        let result = record[tool]["result"].as_str().unwrap_or("accepted");
        !matches!(result, "accepted" | "logged only")
    })
}

#[test]
fn refused_packages_are_refused() {
    let rejects = recordings("gen/rejects");
    let mut wrong = String::new();
    for line in text(&rejects.join("INDEX.jsonl")).lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        let name = record["name"].as_str().expect("a name");
        // The index lists more than was recorded here.
        if !rejects.join(name).is_dir() {
            continue;
        }
        let found = findings(&rejects.join(name), &format!("gen/rejects/{name}"));
        let wanted = if UNLESS_OPTION.contains(&name) {
            Severity::Note
        } else {
            Severity::Error
        };
        let found = found.iter().filter(|finding| finding.severity == wanted);
        let messages: Vec<&str> = found.map(|finding| finding.message.as_str()).collect();
        if is_refused(&record) == messages.is_empty() {
            wrong += &format!("{name}: {messages:?}\n");
        }
    }
    assert!(wrong.is_empty(), "not as recorded:\n{wrong}");
}

/// The reasons in a tool's output, without place and envelope.
fn reasons(tool: &str, output: &str) -> Vec<String> {
    let after = |line: &str| -> Option<String> {
        if tool == "controller-gen" {
            let (_, place) = line.split_once(".go:")?;
            return place.splitn(3, ':').nth(2).map(|reason| reason.trim().to_owned());
        }
        let (_, reason) = line.split_once("some targets had errors: ")?;
        Some(reason.to_owned())
    };
    let mut reasons: Vec<String> = output.lines().filter_map(after).collect();
    reasons.dedup();
    reasons
}

/// Rejections with other messages: those of declarative validation or of the Go reader, and those of one tool
/// where two reject the package.
const OTHER_WORDS: &[&str] = &[
    "default-nonzero-no-tag",
    "default-on-uintptr",
    "go-anonymous-struct",
    "kep1929-capital-type-keyword",
];

#[test]
fn rejections_have_the_messages_of_the_tools() {
    let mut wrong = String::new();
    let mut compared = 0;
    for package in packages(["gen/rejects", "gen-more/openapi-rejects"]) {
        let name = name(&package);
        if OTHER_WORDS.contains(&&*name) {
            continue;
        }
        let found = findings(&package, &format!("gen/rejects/{name}"));
        for tool in ["controller-gen", "openapi-gen"] {
            let output = package.join(format!("{tool}.txt"));
            if !output.is_file() {
                continue;
            }
            let said = |reason: &String| {
                found.iter().any(|finding| {
                    let upstream = finding.upstream.as_deref().unwrap_or_default();
                    upstream.contains(reason.as_str()) || reason.ends_with(&finding.message)
                })
            };
            for reason in reasons(tool, &text(&output)) {
                compared += 1;
                if !said(&reason) {
                    wrong += &format!("{name}: {tool}: {reason}\n");
                }
            }
        }
    }
    assert!(compared > 50, "only {compared} texts were compared");
    assert!(wrong.is_empty(), "texts that are missing:\n{wrong}");
}
