//! Packages recorded with validation-gen: those that it accepts have no error here, those that it rejects are
//! rejected here for the same reason.

use std::fs;
use std::path::{Path, PathBuf};

use kindsmith_go::Profile;
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_lint::Input;
use kindsmith_source::{Diagnostic, Severity};
use serde_json::Value;

/// Packages in folders of `conformance`.
fn recordings(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut found = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(root.join(folder)).expect("recordings are there");
        found.extend(entries.map(|entry| entry.expect("readable").path()));
    }
    found.sort();
    assert!(!found.is_empty(), "{folders:?} hold recordings");
    found
}

/// The findings in a recorded package. Its package-level tags are in a file of their own.
fn findings(package: &Path) -> Vec<Diagnostic> {
    let about = about(package);
    let path = about["package"].as_str().expect("an import path");
    let name = path.rsplit('/').next().expect("a last element");
    let tags = about["packageTags"].as_array().into_iter().flatten();
    let tags: String = tags
        .map(|tag| format!("// +{}\n", tag.as_str().expect("text")))
        .collect();
    let doc = format!("{tags}\n// Package {name} is recorded.\npackage {name}\n");
    findings_in(package, &[("p/doc.go", doc)])
}

/// The findings with only `types.go`.
fn findings_alone(package: &Path) -> Vec<Diagnostic> {
    findings_in(package, &[])
}

fn about(package: &Path) -> Value {
    serde_json::from_str(&text(&package.join("package.json"))).expect("JSON")
}

fn findings_in(package: &Path, more: &[(&str, String)]) -> Vec<Diagnostic> {
    let path = about(package)["package"]
        .as_str()
        .expect("an import path")
        .to_owned();
    let mut files = MemoryFiles::default();
    for (name, text) in more {
        files.add(*name, text.clone());
    }
    files.add("p/types.go", text(&package.join("types.go")));
    let options = Options {
        modules: vec![(path, "p".to_owned())],
        ..Options::default()
    };
    let mut loader = Loader::new(&files, options);
    let packages = loader.load("p");
    let read = kindsmith_go::read(loader, packages, Profile::Upstream);
    let mut findings = read.diagnostics;
    findings.extend(kindsmith_lint::check(Input::new(&read.schema, &read.origins)));
    findings
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn accepted_packages_have_no_errors() {
    let mut wrong = String::new();
    for package in recordings(&["native/types"]) {
        for finding in findings(&package)
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
        {
            wrong += &format!("{}: {}\n", package.display(), finding.message);
        }
    }
    assert!(wrong.is_empty(), "errors upstream does not have:\n{wrong}");
}

/// Rejections whose recorded output is a crash, with our message.
const CRASHES: &[(&str, &str)] = &[
    ("crashunknown", "unknown tag"),
    ("formateachvalunion", "k8s:unionMember"),
];

/// Rejected unless the generator is run with an option that its usual script passes: warnings here.
const UNLESS_OPTION: &[&str] = &["foreignfield", "foreignlist"];

/// Compares the findings in recorded packages with the recorded output.
fn check_reasons(of: impl Fn(&str) -> bool, findings: impl Fn(&Path) -> Vec<Diagnostic>) {
    let mut wrong = String::new();
    let mut compared = 0;
    for package in recordings(&["native/rejects", "native-more/rejects"]) {
        let name = package.file_name().expect("a name").to_str().expect("text");
        if !of(name) {
            continue;
        }
        compared += 1;
        let reason = text(&package.join("error.txt"));
        let findings = findings(&package);
        let wanted = if UNLESS_OPTION.contains(&name) {
            Severity::Warning
        } else {
            Severity::Error
        };
        if !findings.iter().any(|finding| {
            finding.severity == wanted && is_reason(name, reason.trim_end_matches('\n'), finding)
        }) {
            wrong += &format!("{name}\n  recorded: {reason}\n");
            for finding in &findings {
                wrong += &format!(
                    "  ours: {} {} | {:?}\n",
                    finding.severity.as_str(),
                    finding.message,
                    finding.upstream
                );
            }
        }
    }
    assert!(compared > 100, "only {compared} refusals were compared");
    assert!(wrong.is_empty(), "of {compared} refusals these differ:\n{wrong}");
}

#[test]
fn rejected_packages_are_rejected_for_the_same_reason() {
    check_reasons(|_| true, findings);
}

/// The reason is in the package tags.
fn needs_package_tags(name: &str) -> bool {
    name.starts_with("package") || name.starts_with("lint")
}

#[test]
fn types_alone_are_rejected_for_the_same_reason() {
    check_reasons(|name| !needs_package_tags(name), findings_alone);
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
