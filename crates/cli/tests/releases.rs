//! `--kubernetes-version` as users see it.

use crate::binary::{Run, kindsmith, root};

/// Runs a command with a release.
fn with(release: &str, arguments: &str) -> Run {
    kindsmith(&format!("{arguments} --kubernetes-version {release}"))
}

const COMMANDS: [&str; 9] = [
    "check fixtures/gate/wrong.yaml",
    "eval",
    "normalize fixtures/gate/wrong.yaml",
    "explain pod.spec",
    "cel 1",
    "test fixtures",
    "lint fixtures/garden/v1",
    "diff fixtures/gate/crd.yaml fixtures/gate/crd.yaml",
    "serve",
];

#[test]
fn every_command_names_the_known_releases() {
    for command in COMMANDS {
        let run = with("1.99", command);
        assert_eq!(run.code, Some(2), "{command}: {}", run.stderr);
        let names_known = ["1.34", "1.38"].iter().all(|known| run.stderr.contains(known));
        assert!(
            names_known || run.stderr.contains("known are 1.29 to 1.38"),
            "{command}: {}",
            run.stderr
        );
    }
}

#[test]
fn expressions_use_the_functions_of_a_release() {
    for (expression, first) in [("[1,2].includes(1)", 37), ("[1,2].distinct()==[1,2]", 34)] {
        for minor in 34..=38 {
            let run = with(&format!("1.{minor}"), &format!("cel {expression}"));
            assert_eq!(
                run.code == Some(0),
                minor >= first,
                "1.{minor} {expression}: {}",
                run.stderr
            );
        }
    }
}

#[test]
fn costs_are_those_of_a_release() {
    let cost = |release: &str| {
        let run = with(
            release,
            r#"cel '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".startsWith("a")'"#,
        );
        let mut lines = run.stdout.lines();
        let line = lines
            .find(|line| line.starts_with("run-time cost"))
            .unwrap_or_default();
        line.split_whitespace().last().unwrap_or_default().to_owned()
    };
    assert_eq!([cost("1.36"), cost("1.37")], ["4", "1"]);
}

#[test]
fn a_failed_rule_shows_what_a_release_shows() {
    let run = |release: &str| {
        with(
            release,
            "check fixtures/gate/wrong.yaml --crds fixtures/gate/crd.yaml",
        )
        .stdout
    };
    assert_ne!(run("1.34"), "");
    assert_eq!(run("1.35"), run("1.38"));
}

#[test]
fn tags_that_a_release_does_not_know_are_reported() {
    let package = root().join("target/tmp/later-tag");
    std::fs::create_dir_all(&package).expect("a directory");
    let tag = "// +k8s:validation-gen=*\npackage v1\n";
    std::fs::write(package.join("doc.go"), tag).expect("a file");
    let source = "package v1\n\ntype Spec struct {\n\t// +k8s:optional\n\t// +k8s:maxProperties=3\n\tLabels map[string]string `json:\"labels,omitempty\"`\n}\n";
    std::fs::write(package.join("types.go"), source).expect("a file");
    let lint = |release: &str| with(release, "lint target/tmp/later-tag --select later-tag");
    let old = lint("1.36");
    assert_eq!(old.code, Some(1), "{}", old.stderr);
    assert!(
        old.stdout
            .contains("`+k8s:maxProperties` came with Kubernetes 1.37; 1.36 does not know it"),
        "{}",
        old.stdout
    );
    assert_eq!(lint("1.37").code, Some(0));
}
