//! `kindsmith diff` as users call it: sides, formats, exit codes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::binary::{Run, kindsmith, kindsmith_in, with_env};

const CRD: &str = include_str!("../../../../fixtures/gate/crd.yaml");

/// A directory of its own with files.
fn directory(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "diff", name].iter().collect();
    let _ = std::fs::remove_dir_all(&root);
    for (file, text) in files {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }
    root
}

/// The CRD with a rule that needs no other field.
fn base() -> String {
    CRD.replace("self.from < self.to", "self.to > 0")
}

/// The CRD with another default, a tighter bound and without a field.
fn changed() -> String {
    base().replace("default: 120", "default: 100")
        .replace("maxLength: 20", "maxLength: 10")
        .replace("                      from:\n                        type: integer\n                        default: 8\n", "")
}

fn old_and_new(name: &str) -> PathBuf {
    directory(name, &[("old/crd.yaml", &base()), ("new/crd.yaml", &changed())])
}

#[test]
fn equal_apis_are_clean() {
    let root = directory("equal", &[("crd.yaml", CRD)]);
    kindsmith_in(&root, "diff crd.yaml .").check(0, "", "no changes\n");
}

#[test]
fn changes_are_grouped_by_kind_and_class() {
    let root = old_and_new("text");
    kindsmith_in(&root, "diff old new").check(
        1,
        "\
Gate.park.example.org v1
  breaks clients
    spec.hours[*].from: the field is gone [diff-removed-field]
      = stored: its values are dropped when objects are read
  ratchets
    spec.name: maxLength changes from 20 to 10 [diff-bounds]
      = stored: a stored value that breaks it is kept while it does not change
  changes meaning
    spec.width: the default changes from 120 to 100 [diff-default]
      = stored: objects that were stored with the old default keep it
",
        "1 breaks clients, 1 ratchets, 1 changes meaning\n",
    );
}

#[test]
fn the_exit_code_follows_the_class() {
    let root = directory(
        "classes",
        &[
            ("old/crd.yaml", CRD),
            ("new/crd.yaml", &CRD.replace("default: 120", "default: 100")),
        ],
    );
    for (words, code) in [
        ("", 1),
        ("--fail-on meaning", 1),
        ("--fail-on ratchets", 0),
        ("--fail-on never", 0),
        ("--ignore diff-default", 0),
    ] {
        let run = kindsmith_in(&root, &format!("diff old new {words}"));
        assert_eq!(run.code, Some(code), "{words}: {}", run.stderr);
    }
    let wrong = kindsmith_in(&root, "diff old new --ignore diff-defualt");
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.stderr.contains("did you mean `diff-default`?"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn other_formats_are_for_machines() {
    let root = old_and_new("formats");
    let json: serde_json::Value =
        serde_json::from_str(&kindsmith_in(&root, "diff old new -o json").stdout).expect("JSON");
    assert_eq!(json["summary"]["breaks-clients"], 1);
    assert_eq!(json["changes"][0]["path"], "spec.hours[*].from");
    let github = kindsmith_in(&root, "diff old new -o github").stdout;
    let first = github.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        "::error file=new/crd.yaml,line=48,title=breaks clients [diff-removed-field]::Gate.park.example.org v1 spec.hours[*].from: the field is gone\
         %0Astored: its values are dropped when objects are read"
    );
    assert_eq!(json["changes"][0]["line"], 48);
    let markdown = kindsmith_in(&root, "diff old new -o markdown").stdout;
    assert!(markdown.starts_with("### API changes\n\n1 breaks clients, 1 ratchets, 1 changes meaning\n"));
    assert!(
        markdown.contains("| **breaks clients** | `spec.hours[*].from` | the field is gone ("),
        "{markdown}"
    );
}

#[test]
fn objects_are_run_through_both() {
    let objects = "\
apiVersion: v1
kind: List
items:
- apiVersion: park.example.org/v1
  kind: Gate
  metadata: {name: north, namespace: a, uid: x, resourceVersion: '7'}
  spec: {name: A name of fifteen, width: 80}
- apiVersion: park.example.org/v1
  kind: Gate
  metadata: {name: south, namespace: a}
  spec: {name: South, hours: [{day: Mon, from: 9, to: 10}]}
- apiVersion: park.example.org/v1
  kind: Gate
  metadata: {name: wrong}
  spec: {}
- apiVersion: zoo.example.org/v1
  kind: Cage
  metadata: {name: other}
";
    let root = old_and_new("objects");
    std::fs::write(root.join("dump.yaml"), objects).expect("the file can be written");
    let run = kindsmith_in(&root, "diff old new --objects dump.yaml");
    for expected in [
        "Gate.park.example.org v1 dump.yaml: a/north\n  ratchets\n    spec.name: a new object like this is refused: spec.name: Too long",
        "Gate.park.example.org v1 dump.yaml: a/south\n  changes meaning\n",
        "    spec.hours[0].from: 9 is dropped [diff-object-pruned]",
        "    spec.width: is 100 instead of 120 [diff-object-changed]",
    ] {
        assert!(run.stdout.contains(expected), "{expected}\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("<nil>"), "{}", run.stdout);
    assert!(
        run.stderr
            .starts_with("2 objects compared, 1 of other kinds, 1 that the old API refuses already\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn objects_of_built_in_kinds_alone_are_an_error() {
    let root = old_and_new("builtin-objects");
    let objects = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: b}\n";
    std::fs::write(root.join("dump.yaml"), objects).expect("the file can be written");
    refused(
        &kindsmith_in(&root, "diff old new --objects dump.yaml"),
        "no object is of a kind with a CRD in OLD; there are ConfigMap, Deployment",
    );
}

const TYPES: &str = r#"// +groupName=park.example.org
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GateSpec `json:"spec"`
}

type GateSpec struct {
	// +optional
	Color string `json:"color,omitempty"`
}
"#;

fn git(root: &Path, words: &str) {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.org",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(words.split(' '))
        .current_dir(root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn revisions_of_go_types_and_crds() {
    let root = directory(
        "git",
        &[
            ("go.mod", "module example.org/park\n"),
            ("api/v1/types.go", TYPES),
            ("crd/gate.yaml", CRD),
        ],
    );
    git(&root, "init -q -b main .");
    git(&root, "add -A");
    git(&root, "commit -q -m one");
    std::fs::write(
        root.join("api/v1/types.go"),
        TYPES
            .replace("\t// +optional\n", "")
            .replace(",omitempty\"`\n}", "\"`\n}"),
    )
    .expect("the file can be written");
    std::fs::write(root.join("crd/gate.yaml"), changed()).expect("the file can be written");
    let required = "spec.color: the field must be set now [diff-requiredness]";
    for sides in [
        "main:api/v1 api/v1",
        "HEAD:api/... ./api/...",
        "main:./api/v1 api/v1",
    ] {
        let run = kindsmith_in(&root, &format!("diff {sides}"));
        assert!(
            run.stdout.contains(required),
            "{sides}: {}{}",
            run.stdout,
            run.stderr
        );
        assert_eq!(run.code, Some(1));
    }
    let github = kindsmith_in(&root, "diff main:api/v1 api/v1 -o github").stdout;
    assert!(
        github.starts_with("::error file=api/v1/types.go,line=14,title=breaks clients"),
        "{github}"
    );
    let crds = kindsmith_in(&root, "diff main:crd crd");
    assert!(
        crds.stdout.contains("diff-removed-field"),
        "{}{}",
        crds.stdout,
        crds.stderr
    );
    let inner = kindsmith_in(&root.join("crd"), "diff main:./gate.yaml gate.yaml");
    assert!(
        inner.stdout.contains("diff-removed-field"),
        "{}{}",
        inner.stdout,
        inner.stderr
    );
    refused(
        &kindsmith_in(&root, "diff main:nothing crd"),
        "main has no nothing",
    );
    refused(
        &kindsmith_in(&root, "diff v9:crd crd"),
        "git has no revision `v9` here",
    );
}

#[test]
fn versions_in_the_module_cache() {
    let cache = directory(
        "modules",
        &[
            ("example.org/!park@v1.0.0/go.mod", "module example.org/Park\n"),
            ("example.org/!park@v1.0.0/api/v1/types.go", TYPES),
            ("example.org/!park@v1.1.0/go.mod", "module example.org/Park\n"),
            (
                "example.org/!park@v1.1.0/api/v1/types.go",
                &TYPES.replace("color", "paint"),
            ),
        ],
    );
    let cache = cache.to_str().expect("a name");
    for sides in [
        "example.org/Park/api/v1@v1.0.0 example.org/Park/api/v1@v1.1.0",
        "example.org/Park@v1.0.0 example.org/Park@v1.1.0",
        "example.org/Park/api/...@v1.0.0 example.org/Park/api/...@v1.1.0",
    ] {
        let run = with_env(&format!("diff {sides}"), "GOMODCACHE", cache);
        assert!(
            run.stdout.contains("spec.color: the field is gone"),
            "{sides}: {}{}",
            run.stdout,
            run.stderr
        );
    }
    let missing = with_env(
        "diff example.org/Park@v2.0.0 fixtures/gate/crd.yaml",
        "GOMODCACHE",
        cache,
    );
    refused(&missing, "`go mod download MODULE@v2.0.0` puts the module there");
}

#[track_caller]
fn refused(run: &Run, part: &str) {
    assert_eq!(run.code, Some(2), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains(part), "{}", run.stderr);
}

#[test]
fn a_new_crd_that_the_server_refuses_is_named() {
    let root = directory(
        "refused",
        &[
            ("old.yaml", CRD),
            (
                "new.yaml",
                &CRD.replace("self.from < self.to", "self.form < self.to"),
            ),
        ],
    );
    let run = kindsmith_in(&root, "diff old.yaml new.yaml");
    assert!(
        run.stderr
            .starts_with("warning: the API server of Kubernetes 1.37 refuses new.yaml: ")
            && run.stderr.contains("undefined field 'form'"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_cannot_be_compared_is_said() {
    let twice = directory(
        "twice",
        &[
            ("a/crd.yaml", CRD),
            ("b/crd.yaml", &changed()),
            ("empty/x.txt", ""),
        ],
    );
    refused(
        &kindsmith_in(&twice, "diff . a"),
        "Gate.park.example.org is in ./a/crd.yaml and, different, in ./b/crd.yaml",
    );
    refused(
        &kindsmith_in(&twice, "diff empty a"),
        "no CRDs and no kinds in empty",
    );
    refused(
        &kindsmith("diff no/such/dir fixtures/gate"),
        "there is no file or directory no/such/dir",
    );
}

#[test]
fn a_dependency_that_is_not_there_ends_the_comparison() {
    let types = "// +groupName=shop.example.org\npackage v1\n\nimport (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\
                 \tparts \"parts.example.com/lib/v2/parts\"\n)\n\n// +kubebuilder:object:root=true\ntype Order struct {\n\
                 \tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\
                 \tPart *parts.Part `json:\"part,omitempty\"`\n}\n";
    let root = directory(
        "missing",
        &[
            (
                "go.mod",
                "module shop.example.org\n\nrequire parts.example.com/lib/v2 v2.3.0\n",
            ),
            ("api/types.go", types),
        ],
    );
    let run = kindsmith_in(&root, "diff api api");
    assert_eq!(run.code, Some(2), "{}{}", run.stdout, run.stderr);
    for part in [
        "package parts.example.com/lib/v2/parts was not found, and its types are published",
        "go mod download parts.example.com/lib/v2@v2.3.0",
    ] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
}
