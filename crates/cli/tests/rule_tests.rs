//! `kindsmith test`: results, exit codes, `--update`, coverage, proposals and equivalence.

use std::path::{Path, PathBuf};

use crate::binary::{Run, kindsmith, kindsmith_in, root};

/// A directory for one test.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rule_tests_{name}"));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("the directory can be made");
    std::fs::copy(root().join("fixtures/gate/crd.yaml"), directory.join("crd.yaml"))
        .expect("the fixture is there");
    directory
}

fn write(directory: &Path, name: &str, text: &str) {
    std::fs::write(directory.join(name), text).expect("the file can be written");
}

/// Without the time, which differs.
fn summary(run: &Run) -> &str {
    let last = run.stderr.lines().last().unwrap_or_default();
    last.split(" in ").next().unwrap_or_default()
}

const WRONG: &str = "\
kind: RuleTests
crd: crd.yaml
base: {apiVersion: park.example.org/v1, kind: Gate, metadata: {name: north}, spec: {name: North}}
tests:
  onCreate:
  # A comment stays.
  - name: too wide
    initial: {spec: {width: 500}}
  - name: the default
    initial: {}
    expected: {spec: {width: 100}}
";

#[test]
fn fixtures_pass() {
    let run = kindsmith("test fixtures");
    assert_eq!((run.code, &*run.stdout), (Some(0), ""));
    assert_eq!(summary(&run), "13 passed, 0 failed; 2 suites");
}

#[test]
fn failures_are_shown_with_their_place_and_can_be_accepted() {
    let directory = scratch("update");
    write(&directory, "gate.yaml", WRONG);
    let run = kindsmith_in(&directory, "test");
    let expected = "\
FAIL gate.yaml:7 too wide [crd.yaml]
    the object is refused: Gate.park.example.org \"north\" is invalid: spec.width: Invalid value: 500: spec.width in body should be less than or equal to 400

FAIL gate.yaml:9 the default [crd.yaml]
    the stored object differs
      ...
        name: north
      spec:
        name: North
    -   width: 100
    +   width: 120

";
    assert_eq!((run.code, &*run.stdout), (Some(1), expected));
    assert_eq!(summary(&run), "0 passed, 2 failed; 1 suite");
    let run = kindsmith_in(&directory, "test --update");
    run.check(0, "", "2 updated, 0 were right\n");
    let text = std::fs::read_to_string(directory.join("gate.yaml")).expect("the suite is there");
    assert!(text.contains("  # A comment stays.\n"), "{text}");
    assert!(
        text.contains("    expectedErrors:\n    - 'spec.width: Invalid value: 500:"),
        "{text}"
    );
    assert_eq!(kindsmith_in(&directory, "test").code, Some(0));
}

#[test]
fn machines_get_json_and_junit() {
    let directory = scratch("formats");
    write(&directory, "gate.yaml", WRONG);
    let run = kindsmith_in(&directory, "test -q -o json");
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!((&json["passed"], &json["failed"]), (&0.into(), &2.into()));
    let run = kindsmith_in(&directory, "test -q -o junit --filter 'too wide'");
    for part in [
        "<testsuites tests=\"1\" failures=\"1\" errors=\"0\"",
        "name=\"too wide\"",
        "<failure message=",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
}

#[test]
fn mistakes_say_how_to_fix_them() {
    let directory = scratch("mistakes");
    let run = kindsmith_in(&directory, "test");
    let hint = "a suite is a YAML file with `kind: RuleTests`; see docs/rule-tests.md";
    run.check(2, "", &format!("error: no suites found\n  = help: {hint}\n"));
    write(
        &directory,
        "gate.yaml",
        "kind: RuleTests\ntests:\n  onCreate:\n  - name: a\n    initial: {kind: A}\n    x: 1\n",
    );
    let run = kindsmith_in(&directory, "test");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr
            .starts_with("error: gate.yaml:6: no field `x`; available: name, initial,"),
        "{}",
        run.stderr
    );
}

#[test]
fn coverage_can_be_required() {
    let run = kindsmith("test fixtures/gate --min-coverage 99");
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout
            .contains("    spec.width maximum: 400: no case breaks it\n"),
        "{}",
        run.stdout
    );
    assert_eq!(kindsmith("test fixtures/gate --min-coverage 30").code, Some(0));
}

#[test]
fn proposals_are_suites_that_pass() {
    let directory = scratch("generate");
    let run = kindsmith_in(&directory, "test --generate --crds crd.yaml --output-dir tests");
    run.check(
        0,
        "",
        "park.example.org/v1 Gate: 32 cases, 0 left to write by hand\n",
    );
    let run = kindsmith_in(&directory, "test tests --min-coverage 100");
    assert_eq!(run.code, Some(0), "{}", run.stdout);
}

#[test]
fn descriptions_are_compared() {
    let directory = scratch("equivalence");
    let crd = std::fs::read_to_string(directory.join("crd.yaml")).expect("the fixture is there");
    write(&directory, "b.yaml", &crd.replace("minimum: 60", "minimum: 61"));
    let run = kindsmith_in(&directory, "test --equivalence crd.yaml b.yaml --budget 500");
    let expected = "\
Gate: the answers differ
new: {\"spec\":{\"name\":\"\",\"width\":60}}
crd.yaml: accepts and stores {\"spec\":{\"name\":\"\",\"width\":60}}
b.yaml: refuses: spec.width: Invalid value: 60: spec.width in body should be greater than or equal to 61
";
    assert_eq!((run.code, &*run.stdout), (Some(1), expected));
    let run = kindsmith_in(&directory, "test --equivalence crd.yaml crd.yaml --budget 100");
    run.check(0, "", "Gate: 100 objects, no difference\n");
}

#[test]
fn crds_beside_a_go_file_are_compared() {
    let directory = scratch("equivalence-embedded");
    let crd = std::fs::read_to_string(directory.join("crd.yaml")).expect("the fixture is there");
    for folder in ["crds", "plain"] {
        std::fs::create_dir_all(directory.join(folder)).expect("the directory can be made");
    }
    write(&directory, "crds/gate.yaml", &crd);
    let embed = "package crds\n\nimport _ \"embed\"\n\n//go:embed gate.yaml\nvar Gate string\n";
    write(&directory, "crds/embed.go", embed);
    let run = kindsmith_in(&directory, "test --equivalence crds crd.yaml --budget 100");
    run.check(0, "", "Gate: 100 objects, no difference\n");
    write(
        &directory,
        "plain/plain.go",
        "package plain\n\ntype Plain struct{}\n",
    );
    let run = kindsmith_in(&directory, "test --equivalence plain crd.yaml --budget 100");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("plain and crd.yaml have no kind in common"),
        "{}",
        run.stderr
    );
}

#[test]
fn rules_of_the_servers_own_types_pass_and_are_covered() {
    let run = kindsmith("test api/rules --min-coverage 80 -o json");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = kindsmith("test fixtures --min-coverage 40 -o json");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn watching_runs_again_when_a_file_changes() {
    use std::io::{BufRead as _, BufReader};
    let directory = scratch("watch");
    write(&directory, "gate.yaml", WRONG);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kindsmith"))
        .args(["test", "--watch"])
        .current_dir(&directory)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it was asked for")).lines();
    let mut until = |wanted: &str| {
        let mut line = || lines.next().expect("the binary goes on").expect("text");
        while !line().contains(wanted) {}
    };
    until("0 passed, 2 failed");
    until("waiting for changes");
    // In one step, so that the watcher sees either the old file or the new one.
    let right = WRONG
        .replace("width: 500", "width: 400")
        .replace("width: 100", "width: 120");
    write(&directory, "new", &right);
    std::fs::rename(directory.join("new"), directory.join("gate.yaml")).expect("it can be renamed");
    until("failed; 1 suite");
    until("waiting for changes");
    // A file that cannot be read is shown, and the next change is still seen.
    write(&directory, "gate.yaml", "kind: RuleTests\ntests: [");
    until("error");
    until("waiting for changes");
    child.kill().expect("it runs");
    child.wait().expect("it ended");
}
