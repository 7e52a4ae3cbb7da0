//! Packages recorded with validation-gen: those it accepts have no error here, those it refuses are refused here for
//! the same reason.

use std::fs;
use std::path::{Path, PathBuf};

use kindsmith_go::Profile;
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_lint::Input;
use kindsmith_source::{Diagnostic, Severity};
use serde_json::Value;

fn recordings(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance/native")
        .join(folder);
    let mut found: Vec<PathBuf> = fs::read_dir(&root)
        .expect("recordings are there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{} holds recordings", root.display());
    found
}

/// The findings in a recorded package. Its package-level tags stand in a file of their own.
fn findings(package: &Path) -> Vec<Diagnostic> {
    let about: Value = serde_json::from_str(&text(&package.join("package.json"))).expect("JSON");
    let path = about["package"].as_str().expect("an import path");
    let name = path.rsplit('/').next().expect("a last element");
    let tags = about["packageTags"].as_array().into_iter().flatten();
    let tags: String = tags
        .map(|tag| format!("// +{}\n", tag.as_str().expect("text")))
        .collect();
    let mut files = MemoryFiles::default();
    files.add(
        "p/doc.go",
        format!("{tags}\n// Package {name} is recorded.\npackage {name}\n"),
    );
    files.add("p/types.go", text(&package.join("types.go")));
    let options = Options {
        modules: vec![(path.to_owned(), "p".to_owned())],
        ..Options::default()
    };
    let mut loader = Loader::new(&files, options);
    let packages = loader.load("p");
    let read = kindsmith_go::read(loader, packages, Profile::Upstream);
    let mut findings = read.diagnostics;
    findings.extend(kindsmith_lint::check(Input {
        schema: &read.schema,
        origins: &read.origins,
        read_only: &[],
    }));
    findings
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn accepted_packages_have_no_errors() {
    let mut wrong = String::new();
    for package in recordings("types") {
        for finding in findings(&package)
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
        {
            wrong += &format!("{}: {}\n", package.display(), finding.message);
        }
    }
    assert!(wrong.is_empty(), "errors upstream does not have:\n{wrong}");
}

/// Refusals whose recorded text is that of a crash, with what we say instead.
const CRASHES: &[(&str, &str)] = &[
    ("crashunknown", "unknown tag"),
    ("formateachvalunion", "k8s:unionMember"),
];

#[test]
fn refused_packages_are_refused_for_the_same_reason() {
    let mut wrong = String::new();
    let rejects = recordings("rejects");
    for package in &rejects {
        let name = package.file_name().expect("a name").to_str().expect("text");
        let reason = text(&package.join("error.txt"));
        let findings = findings(package);
        if !findings.iter().any(|finding| {
            finding.severity != Severity::Note && is_reason(name, reason.trim_end_matches('\n'), finding)
        }) {
            wrong += &format!("{name}\n  recorded: {reason}\n");
            for finding in &findings {
                wrong += &format!("  ours: {} | {:?}\n", finding.message, finding.upstream);
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "of {} refusals these differ:\n{wrong}",
        rejects.len()
    );
}

fn is_reason(name: &str, reason: &str, finding: &Diagnostic) -> bool {
    if let Some((_, ours)) = CRASHES.iter().find(|(crash, _)| *crash == name) {
        return finding.message.contains(ours);
    }
    let Some(upstream) = &finding.upstream else {
        return false;
    };
    // The linter lists all its findings in one text.
    if let Some(listed) = reason.strip_prefix("lint failed:\n") {
        return upstream
            .lines()
            .skip(1)
            .all(|line| listed.lines().any(|other| other == line));
    }
    upstream == reason
}
