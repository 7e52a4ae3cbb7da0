//! `gen crd`: what it writes, when it fails, and what it prints.
#![expect(clippy::print_stdout, reason = "a test run says how much it compared")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::binary::{self, Run, kindsmith, root};

/// A directory for one test, below the build directory.
fn scratch(test: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("gen_crd")
        .join(test);
    // What an earlier run left behind.
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("the build directory can be written");
    directory
}

fn text(path: impl Into<PathBuf>) -> String {
    let path = path.into();
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const LABEL: &str = "conformance/gen/types/label/v1";

/// The note printed if metav1 cannot be read.
const NOTE: &str = "note: the source of k8s.io/apimachinery was not found, so descriptions of library types are Kindsmith's own; \
                    for the published ones run `go mod download` or `go mod vendor`\n";

/// A recorded CRD with the release that Kindsmith names: the recordings were made by a controller-gen built from source.
fn released(recorded: impl Into<PathBuf>) -> String {
    text(recorded).replace("version: (devel)", "version: v0.23.0")
}

fn recorded() -> String {
    released(root().join("conformance/gen/crd/label/label.example.org_labels.yaml"))
}

#[test]
fn writes_what_controller_gen_writes_and_then_leaves_it_alone() {
    let out = scratch("writes");
    let words = format!("gen crd {LABEL} --out {}", out.display());
    let file = out.join("label.example.org_labels.yaml");
    kindsmith(&words).check(
        0,
        "",
        &format!("{NOTE}created {}\n1 written, 0 unchanged\n", file.display()),
    );
    assert_eq!(text(&file), recorded());
    let before = fs::metadata(&file)
        .and_then(|about| about.modified())
        .expect("it is there");
    kindsmith(&words).check(0, "", &format!("{NOTE}0 written, 1 unchanged\n"));
    let after = fs::metadata(&file)
        .and_then(|about| about.modified())
        .expect("it is there");
    assert_eq!(before, after, "the file was touched");
}

#[test]
fn descriptions_of_libraries_are_theirs_where_they_are_found() {
    let library = scratch("library");
    let package = library.join("pkg/apis/meta/v1");
    fs::create_dir_all(&package).expect("the build directory can be written");
    let source = "package v1\n\ntype TypeMeta struct {\n\t// Words of the library.\n\tKind string `json:\"kind,omitempty\"`\n}\n\n\
                  type ObjectMeta struct{}\n";
    fs::write(package.join("types.go"), source).expect("it can be written");
    let out = library.join("out");
    let run = kindsmith(&format!(
        "gen crd {LABEL} --module k8s.io/apimachinery={} --out {}",
        library.display(),
        out.display()
    ));
    assert!(!run.stderr.contains("note:"), "{}", run.stderr);
    let made = text(out.join("label.example.org_labels.yaml"));
    assert!(made.contains("description: Words of the library."), "{made}");
    // Without descriptions there is nothing to note.
    let short = kindsmith(&format!("gen crd {LABEL} --maxDescLen=0 --out {}", out.display()));
    assert!(!short.stderr.contains("note:"), "{}", short.stderr);
}

#[test]
fn controller_gens_command_lines_work() {
    let out = scratch("controller_gen");
    for words in [
        format!("gen crd paths=./{LABEL}/... output:crd:dir={}/a", out.display()),
        format!(
            "gen crd:crdVersions=v1 paths={LABEL} output:dir={}/b",
            out.display()
        ),
        format!(
            "gen paths={LABEL} crd output:crd:artifacts:config={}/c",
            out.display()
        ),
    ] {
        assert_eq!(kindsmith(&words).code, Some(0), "{words}");
    }
    for directory in ["a", "b", "c"] {
        assert_eq!(
            text(out.join(directory).join("label.example.org_labels.yaml")),
            recorded()
        );
    }
    kindsmith(&format!("gen crd paths={LABEL} output:stdout")).check(0, &recorded(), NOTE);
}

#[test]
fn check_shows_what_is_out_of_date() {
    let out = scratch("check");
    let words = format!("gen crd {LABEL} --out {}", out.display());
    assert_eq!(
        kindsmith(&format!("{words} --check")).code,
        Some(1),
        "nothing is there"
    );
    assert_eq!(kindsmith(&words).code, Some(0));
    kindsmith(&format!("{words} --check")).check(0, "", &format!("{NOTE}0 out of date, 1 unchanged\n"));
    let file = out.join("label.example.org_labels.yaml");
    let stale = text(&file).replace("scope: Namespaced", "scope: Cluster");
    fs::write(&file, &stale).expect("it can be written");
    let run = kindsmith(&format!("{words} --check"));
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.contains("-  scope: Cluster\n+  scope: Namespaced\n"),
        "{}",
        run.stdout
    );
    assert_eq!(text(&file), stale, "checking wrote");
}

#[test]
fn json_says_what_was_done() {
    let out = scratch("json");
    let run = kindsmith(&format!("gen crd {LABEL} --out {} -o json", out.display()));
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("one document");
    assert_eq!(document["files"][0]["state"], "new");
    assert_eq!(run.code, Some(0));
}

#[test]
fn problems_are_shown_and_nothing_is_written() {
    let out = scratch("problems");
    let run = kindsmith(&format!(
        "gen crd conformance/gen/types/barometer/v1 --out {}",
        out.display()
    ));
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("found float"), "{}", run.stderr);
    assert_eq!(fs::read_dir(&out).expect("it is there").count(), 0);
}

fn refuses(name: &str, out: &str) -> (bool, Run) {
    let run = kindsmith(&format!(
        "gen crd conformance/gen/rejects/{name}/... --module example.org/gen=conformance/gen --compat v0.22 --out {out} -q"
    ));
    (run.code != Some(0), run)
}

#[test]
fn what_controller_gen_refuses_is_refused() {
    let out = scratch("refused").display().to_string();
    let rejects = root().join("conformance/gen/rejects");
    let (mut wrong, mut count) = (String::new(), 0);
    for line in text(rejects.join("INDEX.jsonl")).lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let name = record["name"].as_str().expect("a name");
        let Some(result) = record["controller-gen"]["result"].as_str() else {
            continue;
        };
        // The index lists more cases than are recorded here.
        if !rejects.join(name).is_dir() {
            continue;
        }
        count += 1;
        let (refused, run) = refuses(name, &out);
        if refused != (result != "accepted") {
            wrong += &format!("{name} is {result}: {}\n", run.stderr);
        }
    }
    println!("{count} packages");
    assert!(wrong.is_empty() && count > 0, "not as recorded:\n{wrong}");
}

#[test]
fn watch_generates_again_when_a_source_changes() {
    let out = scratch("watch");
    let source = out.join("api/types.go");
    fs::create_dir_all(out.join("api")).expect("it can be made");
    let types = text(root().join(LABEL).join("types.go"));
    fs::write(&source, format!("// +groupName=w.example.org\n{types}")).expect("it can be written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
        .args(["gen", "crd", "--watch"])
        .arg(out.join("api"))
        .arg("--out")
        .arg(out.join("crd"))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it was asked for")).lines();
    // A save may be seen half done; only the final state counts.
    let mut until = |wanted: &str| {
        let mut line = || lines.next().expect("the binary goes on").expect("text");
        while !line().starts_with(wanted) {}
    };
    until("created ");
    until("1 written, 0 unchanged");
    fs::write(
        &source,
        format!("// +groupName=w.example.org\n{types}\n// Unused.\ntype Unused string\n"),
    )
    .expect("it can be written");
    until("0 written, 1 unchanged");
    fs::write(&source, format!("// +groupName=other.example.org\n{types}")).expect("it can be written");
    until("created ");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

/// The findings for a package's CRDs.
fn complaints(package: &str, out: &str) -> Vec<String> {
    let floats = if package == "barometer" {
        "--allowDangerousTypes"
    } else {
        ""
    };
    let run = kindsmith(&format!(
        "gen crd conformance/gen/types/{package}/... --tags none --compat v0.22 {floats} --out {out} -o json"
    ));
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("one document");
    let findings = document["report"]["diagnostics"].as_array().expect("findings");
    let texts = findings.iter().filter_map(|finding| finding["message"].as_str());
    let mut texts: Vec<String> = texts
        .filter_map(|text| text.strip_prefix("the API server will reject this CRD: "))
        .map(str::to_owned)
        .collect();
    texts.sort();
    texts
}

#[test]
fn crds_are_validated_as_by_the_api_server() {
    let out = scratch("judged").display().to_string();
    let mut recorded: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
    for line in text(root().join("conformance/gen/crd-accepted.jsonl")).lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let (package, file) = record["file"]
            .as_str()
            .and_then(|file| file.split_once('/'))
            .expect("a file");
        // The index lists more cases than are recorded here.
        if !root()
            .join("conformance/gen/crd")
            .join(package)
            .join(file)
            .is_file()
        {
            continue;
        }
        let errors = recorded.entry(package.to_owned()).or_default();
        let own = record["errors"].as_array().into_iter().flatten();
        errors.extend(own.filter_map(|error| error.as_str()).map(str::to_owned));
        errors.sort();
    }
    let mut wrong = String::new();
    for (package, expected) in &recorded {
        let found = complaints(package, &out);
        if found != *expected {
            wrong += &format!("{package}:\n  recorded {expected:?}\n  found    {found:?}\n");
        }
    }
    println!("{} packages", recorded.len());
    assert!(
        wrong.is_empty() && !recorded.is_empty(),
        "not as recorded:\n{wrong}"
    );
}

#[test]
fn a_key_that_two_families_of_tags_name_is_one_key() {
    let out = std::env::temp_dir().join(format!("kindsmith-gen-{}", std::process::id()));
    let checked = binary::kindsmith(&format!("gen crd fixtures/garden/... --out {}", out.display()));
    let _ = std::fs::remove_dir_all(&out);
    assert_eq!(checked.code, Some(0), "{}{}", checked.stdout, checked.stderr);
    assert!(!checked.stderr.contains("will refuse"), "{}", checked.stderr);
}

const GATED: &str = "// Package v1 is gated.
// +groupName=example.org
package v1

import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"

// Gate is a kind.
// +kubebuilder:object:root=true
type Gate struct {
	metav1.TypeMeta   `json:\",inline\"`
	metav1.ObjectMeta `json:\"metadata,omitempty\"`
	// +k8s:optional
	// +k8s:ifEnabled(Wide)=+k8s:maximum=9
	Width *int32 `json:\"width,omitempty\"`
}
";

#[test]
fn options_switch_the_rules_they_guard() {
    let directory = scratch("options");
    fs::write(directory.join("types.go"), GATED).expect("the build directory can be written");
    let run = |option: &str| {
        kindsmith(&format!(
            "gen crd {0} --out {0}/out {option}",
            directory.display()
        ))
    };
    let written = || text(directory.join("out/example.org_gates.yaml"));
    let undecided = run("");
    assert!(
        undecided
            .stderr
            .contains("will not enforce the rule under option Wide")
            && undecided.stderr.contains("--option NAME=true"),
        "{}",
        undecided.stderr
    );
    assert!(!run("--option Wide=true").stderr.contains("warning"));
    assert!(written().contains("maximum: 9"));
    assert!(!run("--option Wide=false").stderr.contains("warning"));
    assert!(!written().contains("maximum"));
    assert_eq!(run("--option Wide").code, Some(2));
}

#[test]
fn a_default_around_members_with_defaults_is_valid() {
    let out = scratch("defaults");
    let types = "// +groupName=d.example.org
package v1

import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"

type Thing struct {
	metav1.TypeMeta   `json:\",inline\"`
	metav1.ObjectMeta `json:\"metadata,omitempty\"`
	Spec Spec `json:\"spec\"`
}

type Spec struct {
	// +k8s:optional
	// +k8s:maxLength=3
	// +default=\"a\"
	Name string `json:\"name,omitempty\"`
}
";
    fs::create_dir_all(out.join("v1")).expect("it can be made");
    fs::write(out.join("v1/types.go"), types).expect("it can be written");
    let run = kindsmith(&format!("gen crd {0}/v1 --out {0}/crd --strict", out.display()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let made = text(out.join("crd/d.example.org_things.yaml"));
    assert!(
        made.contains("default: {}") && made.contains("default: a"),
        "{made}"
    );
}

#[test]
fn controller_gens_command_lines_fail_where_it_fails_in_packages_of_other_tools_too() {
    let out = scratch("refuses_everywhere");
    let package = out.join("v1");
    fs::create_dir_all(&package).expect("the build directory can be written");
    // A package with model names is meant to be compiled into a server.
    let source = "// +groupName=x.org\n// +k8s:openapi-model-package=org.x.v1\npackage v1\n\n\
                  import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\
                  type Lamp struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\
                  \tmetav1.ObjectMeta `json:\"metadata\"`\n\
                  \t// +kubebuilder:validation:Pattern=a\n\tNames []string `json:\"names\"`\n}\n";
    fs::write(package.join("doc.go"), source).expect("the build directory can be written");
    let run = kindsmith(&format!(
        "gen crd paths={} output:crd:dir={}",
        package.display(),
        out.display()
    ));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let refusal = "error[marker-misuse]: must apply pattern to a textual value, found type \"array\"";
    assert!(run.stderr.contains(refusal), "{}", run.stderr);
}

#[test]
fn wrong_tags_are_reported_and_change_nothing() {
    let out = scratch("hints");
    let package = out.join("v1");
    fs::create_dir_all(&package).expect("the build directory can be written");
    let source = "// +groupName=x.org\npackage v1\n\n\
                  import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\
                  type Lamp struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\
                  \tmetav1.ObjectMeta `json:\"metadata\"`\n\
                  \t// +kubebuilder:validation:MaxLenght=3\n\t// +somebody:elses=tag\n\tName string `json:\"name\"`\n}\n";
    fs::write(package.join("doc.go"), source).expect("the build directory can be written");
    let made = |options: &str| {
        let words = format!("gen crd {} --out {} {options}", package.display(), out.display());
        let run = kindsmith(&words);
        assert_eq!(run.code, Some(0), "{words}: {}", run.stderr);
        run
    };
    let told = "warning[unknown-tag]";
    let run = made("");
    assert_eq!(run.stderr.matches("warning[").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains(told), "{}", run.stderr);
    assert!(
        run.stderr.contains("kubebuilder:validation:MaxLength"),
        "{}",
        run.stderr
    );
    assert_eq!(made("-q").stderr, "");
    let run = made("-o json");
    let account: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let first = &account["report"]["diagnostics"][0];
    assert_eq!(first["code"], "unknown-tag", "{account}");
    assert_eq!(
        account["report"]["diagnostics"][1],
        serde_json::Value::Null,
        "{account}"
    );
}

#[test]
fn a_single_version_includes_the_versions_it_refers_to() {
    const ALONE: &str = "conformance/gen-more/alone";
    let out = scratch("alone");
    let words = format!(
        "gen crd --module example.org/gen/alone={ALONE} {ALONE}/v2 --out {} -q",
        out.display()
    );
    let run = kindsmith(&words);
    assert_eq!(run.code, Some(0), "{words}: {}", run.stderr);
    let mut count = 0;
    for recorded in fs::read_dir(root().join(ALONE).join("crd")).expect("recordings are there") {
        let recorded = recorded.expect("readable");
        assert_eq!(text(out.join(recorded.file_name())), released(recorded.path()));
        count += 1;
    }
    assert_eq!(count, 3);
}

/// Why controller-gen failed, line by line, without places.
fn reasons(recorded: &str) -> Vec<&str> {
    let after_place = |line| {
        let places = [".go:", ":-: ", "panic: "];
        places.iter().find_map(|place| str::split_once(line, place))
    };
    let reason = |line| match after_place(line) {
        Some((_, rest)) => rest
            .trim_start_matches(|c: char| c.is_ascii_digit() || c == ':')
            .trim_start(),
        None => line,
    };
    let lines = recorded
        .lines()
        .filter(|line| !line.starts_with("exit: ") && !line.starts_with("Error: "));
    lines.map(reason).collect()
}

#[test]
fn errors_give_controller_gens_reasons() {
    const REJECTS: &str = "conformance/gen-more/rejects";
    for recorded in fs::read_dir(root().join(REJECTS)).expect("recordings are there") {
        let directory = recorded.expect("readable").path();
        let name = directory
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        let words =
            format!("gen crd --module example.org/gen={REJECTS} paths=./{REJECTS}/{name} output:none");
        let run = kindsmith(&words);
        assert_eq!(run.code, Some(1), "{words}: {}", run.stderr);
        let said = text(directory.join("controller-gen.txt"));
        // controller-gen may report one mistake in several lines.
        let is_told = reasons(&said).iter().any(|reason| run.stderr.contains(reason));
        assert!(is_told, "{words}: {said}\nbut here: {}", run.stderr);
    }
}

#[test]
fn what_controller_gen_accepts_is_accepted() {
    const TYPES: &str = "conformance/gen-more/types";
    let more = root().join("conformance/gen-more/crd");
    for recorded in fs::read_dir(more).expect("recordings are there") {
        let name = recorded.expect("readable").file_name();
        let name = name.to_str().expect("a name");
        let words = format!(
            "gen crd --compat v0.22 --module example.org/gen={TYPES} paths=./{TYPES}/{name}/... output:none"
        );
        let run = kindsmith(&words);
        assert_eq!(run.code, Some(0), "{words}: {}", run.stderr);
    }
}

#[test]
fn keep_going_writes_in_spite_of_errors() {
    let directory = scratch("keep-going");
    let types = "// +groupName=shop.example.org\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\
                 // +kubebuilder:object:root=true\ntype Order struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\
                 \tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\t// +kubebuilder:validation:MaxLength=long\n\
                 \tName string `json:\"name,omitempty\"`\n\t// +kubebuilder:validation:MaxLength=7\n\
                 \tCode string `json:\"code,omitempty\"`\n}\n";
    fs::write(directory.join("types.go"), types).expect("it can be written");
    let file = directory.join("crds/shop.example.org_orders.yaml");
    let words = format!("gen crd {0} --out {0}/crds", directory.display());
    let run = kindsmith(&words);
    assert_eq!((run.code, file.exists()), (Some(1), false), "{}", run.stderr);
    let run = kindsmith(&format!("{words} --keep-going"));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let crd = text(&file);
    assert!(crd.contains("maxLength: 7"), "{crd}");
    assert!(crd.contains("name:\n            type: string\n"), "{crd}");
}
