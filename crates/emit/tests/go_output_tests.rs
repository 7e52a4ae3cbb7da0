//! Upstream's own test suites pass with our files instead of theirs. The packages are taken from the
//! published `k8s.io/code-generator` module when the test runs.

use std::path::Path;

use crate::toolchain;
use kindsmith_emit::go::{self, File, Options};
use kindsmith_schema::Schema;
use kindsmith_testkit::go_toolchain::Go;
use kindsmith_testkit::tool::say;
use kindsmith_testkit::{entries, name, text};

const MODULE: &str = "k8s.io/code-generator";

/// Files that upstream's generators wrote, and files that only call them.
const LEFT_BEHIND: &[&str] = &[
    "zz_generated.validations.go",
    "zz_generated.defaults.go",
    "generate.go",
];

/// Copies packages of the published module, without generated files.
fn copy(go: &Go, from: &Path, to: &str) {
    for path in entries(from) {
        let name = name(&path);
        if path.is_dir() {
            copy(go, &path, &format!("{to}/{name}"));
        } else if !LEFT_BEHIND.contains(&&*name) {
            go.write(&format!("{to}/{name}"), &text(&path));
        }
    }
}

fn write(go: &Go, files: &[File]) {
    for file in files {
        let directory = file
            .package
            .strip_prefix(MODULE)
            .expect("a package of the module");
        go.write(&format!(".{directory}/{}", file.name), &file.text);
    }
}

/// Replaces the generated files of a suite and runs its tests; returns the number of packages, and of those
/// with tests.
fn suite(name: &str, folders: &[&str], generate: impl Fn(&Schema) -> Vec<File>) {
    let Some(go) = toolchain::go(name, &format!("{name}'s own suite with our files")) else {
        return;
    };
    let module = go.module(MODULE);
    for file in ["go.mod", "go.sum"] {
        go.write(file, &text(&module.join(file)));
    }
    for folder in folders {
        copy(&go, &module.join(folder), folder);
    }
    let read = go.read(&format!("{}/...", folders[0]));
    let files = generate(&read.schema);
    write(&go, &files);
    go.gofmt();
    let pattern = format!("./{}/...", folders[0]);
    let said = go.run(&["test", "-vet=off", "-ldflags=-s -w", &pattern]);
    let passed = said.lines().filter(|line| line.starts_with("ok ")).count();
    let silent = said
        .lines()
        .filter(|line| line.contains("[no test files]"))
        .count();
    say(&format!(
        "{name}: {} files written; {passed} packages with tests pass, {silent} without tests compile\n",
        files.len()
    ));
    assert!(passed > 0, "{said}");
}

#[test]
fn validation_gen() {
    let folders = ["cmd/validation-gen/output_tests", "cmd/validation-gen/testscheme"];
    suite("validation-gen", &folders, |schema| {
        let generated = go::validations(schema, &Options::default());
        assert_eq!(generated.problems, Vec::new());
        let mut files = generated.files;
        files.extend(go::fixtures(schema, &Options::default()).files);
        files
    });
}

#[test]
fn defaulter_gen() {
    suite("defaulter-gen", &["cmd/defaulter-gen/output_tests"], |schema| {
        let generated = go::defaults(schema, &Options::default());
        assert_eq!(generated.problems, Vec::new());
        generated.files
    });
}
