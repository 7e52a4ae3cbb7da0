//! Packages recorded with validation-gen: those that it accepts have no error here, those that it rejects are
//! rejected here for the same reason.

use std::path::Path;

use crate::linted;
use kindsmith_source::{Diagnostic, Severity};
use kindsmith_testkit::{GoPackages, entries, recordings, text};

/// The findings in a recorded package.
fn findings(package: &Path) -> Vec<Diagnostic> {
    linted::findings(&GoPackages::native(package).0, "p")
}

/// The findings with only `types.go`.
fn findings_alone(package: &Path) -> Vec<Diagnostic> {
    let types = text(&package.join("types.go"));
    let packages = GoPackages::default().module(&GoPackages::native(package).1, "p");
    linted::findings(&packages.file("p/types.go", types), "p")
}

#[test]
fn accepted_packages_have_no_errors() {
    let mut wrong = String::new();
    for package in entries(&recordings("native/types")) {
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
    let rejects = ["native/rejects", "native-more/rejects"].map(recordings);
    for package in rejects.iter().flat_map(|folder| entries(folder)) {
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
