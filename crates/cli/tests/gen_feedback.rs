//! What all generators share: unchanged files, `--check`, JSON output, bad input, and watching.

use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::binary::{Run, kindsmith};

const DOC: &str = "// Package v1 has things.
// +groupName=thing.example.org
// +k8s:openapi-gen=true
// +k8s:defaulter-gen=TypeMeta
// +k8s:validation-gen=TypesWithField=TypeMeta
package v1
";

/// A file with one kind.
fn kind(name: &str, limit: u32) -> String {
    format!(
        "package v1

import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"

// {name} is a thing of {limit}.
// +kubebuilder:object:root=true
type {name} struct {{
	metav1.TypeMeta   `json:\",inline\"`
	metav1.ObjectMeta `json:\"metadata,omitempty\"`
	// Its name.
	// +default=\"a\"
	// +k8s:optional
	// +k8s:maxLength={limit}
	Name string `json:\"name,omitempty\"`
}}
"
    )
}

/// A module for one test, with a package of one kind.
struct Project(PathBuf);

impl Project {
    fn new(test: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("gen_feedback")
            .join(test);
        // What an earlier run left behind.
        let _ = fs::remove_dir_all(&directory);
        let project = Self(directory);
        project.write("go.mod", "module example.org/thing\n\ngo 1.24\n");
        project.write("api/v1/doc.go", DOC);
        project.write("api/v1/types.go", &kind("Thing", 3));
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        let parent = path.parent().expect("a directory");
        fs::create_dir_all(parent).expect("the build directory can be written");
        // In one step, so that a watcher sees either the old file or the new one.
        let beside = parent.join(".beside");
        fs::write(&beside, text).expect("the build directory can be written");
        fs::rename(beside, path).expect("the build directory can be written");
    }

    fn text(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Runs a generator; `@` is the project.
    fn generate(&self, words: &str) -> Run {
        kindsmith(&self.words(words))
    }

    fn words(&self, words: &str) -> String {
        format!("gen {words}").replace('@', &self.0.display().to_string())
    }

    /// Names of the files below a directory, including hidden ones.
    fn names(&self, directory: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(directory)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("readable")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

/// Every generator, with a file it writes.
const GENERATORS: [(&str, &str); 6] = [
    ("crd @/api/... --out @/crd", "crd/thing.example.org_things.yaml"),
    ("go @/api/...", "api/v1/zz_generated.validations.go"),
    ("openapi @/api/... --v2 --out @/v2.json", "v2.json"),
    ("openapi @/api/... --v3 --out @/v3.json", "v3.json"),
    ("docs @/api/... --out @/docs", "docs/thing.example.org_v1.md"),
    (
        "docs @/api/... --out @/docs --format html",
        "docs/thing.example.org_v1.html",
    ),
];

#[test]
fn files_that_would_not_change_are_left_alone() {
    let project = Project::new("alone");
    for (words, file) in GENERATORS {
        let first = project.generate(words);
        assert_eq!(first.code, Some(0), "{words}: {first:?}");
        assert!(
            first.stderr.contains(&format!("{file}\n")),
            "{words}: {}",
            first.stderr
        );
        let made = project.text(file);
        let modified = || {
            fs::metadata(project.path(file))
                .and_then(|about| about.modified())
                .expect("it is there")
        };
        let before = modified();
        let second = project.generate(words);
        assert!(
            second.stderr.contains("0 written, "),
            "{words}: {}",
            second.stderr
        );
        assert_eq!(modified(), before, "{file} was touched");
        fs::remove_file(project.path(file)).expect("it is there");
        assert_eq!(project.generate(words).code, Some(0));
        assert_eq!(project.text(file), made, "{file} is another one");
    }
}

#[test]
fn check_fails_with_a_diff_and_writes_nothing() {
    let project = Project::new("check");
    for (words, file) in GENERATORS {
        let check = format!("{words} --check");
        let run = project.generate(&check);
        assert_eq!(run.code, Some(1), "{check}: {run:?}");
        assert!(
            run.stdout.contains("\n+") && !project.path(file).exists(),
            "{check}: {run:?}"
        );
        assert_eq!(project.generate(words).code, Some(0));
        let fresh = project.generate(&check);
        assert_eq!(fresh.code, Some(0), "{check}: {fresh:?}");
        assert_eq!(fresh.stdout, "", "{check}");
        let stale = format!("stale\n{}", project.text(file));
        project.write(file, &stale);
        let run = project.generate(&check);
        assert_eq!(run.code, Some(1), "{check}: {run:?}");
        assert!(run.stdout.contains("\n-stale\n"), "{check}: {}", run.stdout);
        assert_eq!(project.text(file), stale, "{check} wrote");
        assert_eq!(project.generate(words).code, Some(0));
    }
}

#[test]
fn every_generator_reports_in_json() {
    let project = Project::new("json");
    for (words, file) in GENERATORS {
        for (more, state) in [(" --check", "new"), ("", "new"), ("", "unchanged")] {
            let run = project.generate(&format!("{words}{more} -o json"));
            let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("one document");
            let files = document["files"].as_array().expect("files");
            let is_it =
                |one: &&serde_json::Value| one["path"].as_str().is_some_and(|path| path.ends_with(file));
            let found = files.iter().find(is_it).expect("the file is listed");
            assert_eq!(found["state"], state, "{words}{more}: {document}");
            assert_eq!(found.get("diff").is_some(), more == " --check", "{document}");
        }
    }
    let printed = project.generate("openapi @/api/... --v3 -o json");
    let document: serde_json::Value = serde_json::from_str(&printed.stdout).expect("one document");
    assert!(document["document"]["components"].is_object(), "{document}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn errors_name_the_place_and_the_fix() {
    let project = Project::new("errors");
    project.write("file", "");
    project.write("broken/a.go", "package broken\n\ntype A struct {\n");
    fs::create_dir_all(project.path("empty")).expect("it can be made");
    for (words, code, place, mend) in [
        ("crd @/none", 2, "/none: No such file", ""),
        (
            "go @/empty",
            2,
            "no Go files in",
            "/empty/...` looks in the directories below too",
        ),
        ("docs @/empty/... --out @/out", 2, "no Go files in", ""),
        (
            "docs @/file --out @/out",
            2,
            "/file is not a directory and not a Go file",
            "",
        ),
        (
            "openapi @/broken --v3",
            1,
            "broken/a.go:4:1",
            "add the missing `}`",
        ),
        (
            "docs @/broken --out @/out",
            1,
            "broken/a.go:4:1",
            "add the missing `}`",
        ),
        (
            "crd @/api/... --out @/file",
            2,
            "/file is a file, not a directory",
            "name another directory",
        ),
        (
            "docs @/api/... --out @/file/below",
            2,
            "/file is a file, not a directory",
            "or remove",
        ),
        (
            "openapi @/api/... --v3 --out @/empty",
            2,
            "/empty: it is a directory",
            "name the file",
        ),
        (
            "crd:foo=1 paths=@/api/...",
            2,
            "unknown argument \"foo\"",
            "maxDescLen",
        ),
        (
            "crd:maxDescLen=x paths=@/api/...",
            2,
            "expected integer, got \"x\"",
            "`crd` takes",
        ),
        (
            "crdd @/api/...",
            2,
            "unknown option \"crdd\"",
            "did you mean `crd`?",
        ),
        (
            "crd paths=@/api/... output:crd:to=x",
            2,
            "output:crd:to=x",
            "output:crd:dir=DIR",
        ),
        (
            "crd @/api/... --maxDescLen=x",
            2,
            "invalid value 'x' for '--maxDescLen",
            "",
        ),
        (
            "docs @/api/... --out @/out --format pdf",
            2,
            "'pdf'",
            "markdown, html",
        ),
        ("crd @/api/... --headerFile @/none", 2, "/none: No such file", ""),
    ] {
        let run = project.generate(words);
        assert_eq!(run.code, Some(code), "{words}: {run:?}");
        assert!(
            run.stderr.contains(place) && run.stderr.contains(mend),
            "{words}: {}",
            run.stderr
        );
    }
    assert!(!project.path("out").exists(), "something was written");
}

#[test]
fn packages_without_output_are_reported() {
    let project = Project::new("nothing");
    project.write("none/a.go", "package none\n");
    for (words, said) in [
        ("crd @/none --out @/out", "a kind is a struct with"),
        ("go @/none", "no package asks for code"),
        ("docs @/none --out @/out", "nothing to document"),
        (
            "openapi @/none --v3 --out @/out/v3.json",
            "no type asks for a definition",
        ),
    ] {
        let run = project.generate(words);
        assert_eq!(run.code, Some(0), "{words}: {run:?}");
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
    }
}

#[test]
fn all_files_are_written_or_none() {
    let project = Project::new("atomic");
    project.write("api/v1/other.go", &kind("Whole", 3));
    // The second file cannot be written.
    fs::create_dir_all(project.path("crd/thing.example.org_wholes.yaml")).expect("it can be made");
    let run = project.generate("crd @/api/... --out @/crd");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(project.names("crd"), ["thing.example.org_wholes.yaml"]);
}

#[test]
fn large_crds_are_reported_with_the_limit_they_exceed() {
    let project = Project::new("sizes");
    let fields = "\tA Part `json:\"a,omitempty\"`\n\tB Part `json:\"b,omitempty\"`\n\t// Its name.";
    let types = kind("Thing", 3).replace("\t// Its name.", fields);
    for (kib, limit, advice) in [
        (150, "256 KiB", "kubectl apply --server-side"),
        (600, "1 MiB", "ConfigMap or Secret"),
        (900, "1.5 MiB", "etcd refuses"),
    ] {
        let words = "word ".repeat(kib * 1024 / 5);
        let part =
            format!("\n// Part of it.\ntype Part struct {{\n\t// {words}\n\tC string `json:\"c\"`\n}}\n");
        project.write("api/v1/types.go", &format!("{types}{part}"));
        let run = project.generate("crd @/api/... --out @/crd --sizes");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        for wanted in [limit, advice, "`--maxDescLen=0` leaves out descriptions"] {
            assert!(run.stderr.contains(wanted), "{wanted}: {}", run.stderr);
        }
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert!(lines[0].contains(&format!("more than {limit}")), "{}", run.stdout);
        assert!(lines[1].contains("100%  descriptions"), "{}", run.stdout);
        assert!(
            lines[3].ends_with("100%  v1.a and 1 more like it"),
            "{}",
            run.stdout
        );
        let strict = project.generate("crd @/api/... --out @/strict --strict");
        assert_eq!(strict.code, Some(1), "{}", strict.stderr);
        assert!(!project.path("strict").exists());
        let short = project.generate("crd @/api/... --out @/crd --maxDescLen=0 --sizes -o json");
        let document: serde_json::Value = serde_json::from_str(&short.stdout).expect("one document");
        assert_eq!(document["sizes"][0]["descriptions"], 0);
        assert_eq!(document["report"]["summary"]["warnings"], 0, "{document}");
    }
}

#[test]
fn windows_line_ends_and_byte_order_marks_change_nothing() {
    let project = Project::new("windows");
    for file in ["doc", "types"] {
        let text = project.text(&format!("api/v1/{file}.go")).replace('\n', "\r\n");
        project.write(&format!("windows/v1/{file}.go"), &format!("\u{feff}{text}"));
    }
    for (words, file) in [
        ("crd @/PATH/... --out @/PATH-out", "thing.example.org_things.yaml"),
        ("docs @/PATH/... --out @/PATH-out", "thing.example.org_v1.md"),
    ] {
        let made = ["api", "windows"].map(|path| {
            let run = project.generate(&words.replace("PATH", path));
            assert_eq!(run.code, Some(0), "{run:?}");
            project.text(&format!("{path}-out/{file}"))
        });
        assert_eq!(made[0], made[1]);
    }
}

#[test]
fn packages_with_the_same_names_do_not_overwrite_each_other() {
    let project = Project::new("same");
    project.write("api/again/doc.go", &DOC.replace("package v1", "package again"));
    project.write(
        "api/again/types.go",
        &kind("Thing", 4).replace("package v1", "package again"),
    );
    project.write(
        "api/again/doc.go",
        &DOC.replace("package v1", "// +versionName=v1\npackage again"),
    );
    let run = project.generate("docs @/api/... --out @/docs");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(project.names("docs").len(), 3, "{:?}", project.names("docs"));
}

#[test]
fn files_of_removed_kinds_are_named() {
    let project = Project::new("left");
    assert_eq!(project.generate("crd @/api/... --out @/crd").code, Some(0));
    assert_eq!(project.generate("go @/api/...").code, Some(0));
    project.write("crd/thing.example.org_own.yaml", "mine: true\n");
    project.write("api/v1/types.go", &kind("Other", 3));
    project.write(
        "api/v1/doc.go",
        &DOC.replace("+k8s:validation-gen", "no validation-gen"),
    );
    let run = project.generate("crd @/api/... --out @/crd");
    let left: Vec<&str> = run
        .stderr
        .lines()
        .filter(|line| line.contains("is left"))
        .collect();
    assert!(
        matches!(&left[..], [one] if one.contains("thing.example.org_things.yaml is left")),
        "{}",
        run.stderr
    );
    let run = project.generate("go @/api/... -q");
    assert_eq!(run.stderr, "", "quiet");
    let run = project.generate("go @/api/...");
    assert!(
        run.stderr.contains("zz_generated.validations.go is left"),
        "{}",
        run.stderr
    );
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project = Project::new("links");
    project.write("real/file.yaml", "old\n");
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(project.path("real/file.yaml"), private).expect("it is ours");
    fs::create_dir_all(project.path("crd")).expect("it can be made");
    let link = project.path("crd/thing.example.org_things.yaml");
    symlink("../real/file.yaml", &link).expect("links are there");
    assert_eq!(project.generate("crd @/api/... --out @/crd").code, Some(0));
    assert!(link.is_symlink());
    assert!(
        project
            .text("real/file.yaml")
            .contains("kind: CustomResourceDefinition")
    );
    let about = fs::metadata(project.path("real/file.yaml")).expect("it is there");
    assert_eq!(about.permissions().mode() & 0o777, 0o600);
}

#[cfg(target_os = "linux")]
#[test]
fn streams_are_written_not_replaced() {
    let project = Project::new("streams");
    let run = project.generate("openapi @/api/... --v3 --out /dev/stdout -q");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("{\n"), "{run:?}");
    let run = project.generate("openapi @/api/... --v3 --out /dev/full -q");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("cannot write /dev/full"), "{run:?}");
}

/// A watching generator; it ends with the test.
struct Watching {
    child: Child,
    lines: Lines<BufReader<ChildStderr>>,
}

impl Watching {
    fn start(project: &Project, words: &str) -> Self {
        let words = project.words(&format!("{words} --watch"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
            .args(words.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let lines = BufReader::new(child.stderr.take().expect("it was asked for")).lines();
        Self { child, lines }
    }

    /// Waits for a line.
    fn until(&mut self, wanted: &str) {
        let mut line = || self.lines.next().expect("the binary goes on").expect("text");
        while !line().contains(wanted) {}
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn watching_follows_files_and_packages_that_come_and_go() {
    let project = Project::new("watch");
    let mut watching = Watching::start(&project, "crd @/api/... --out @/crd");
    watching.until("waiting for changes");
    // A file is added and removed.
    project.write("api/v1/other.go", &kind("Other", 3));
    watching.until("created");
    watching.until("waiting");
    fs::remove_file(project.path("api/v1/other.go")).expect("it is there");
    watching.until("thing.example.org_others.yaml");
    watching.until("waiting");
    assert_eq!(project.names("crd"), ["thing.example.org_things.yaml"]);
    // A mistake is made and fixed.
    let before = project.text("crd/thing.example.org_things.yaml");
    project.write("api/v1/types.go", "package v1\n\ntype Thing struct {\n");
    watching.until("struct is never closed");
    watching.until("waiting");
    assert_eq!(project.text("crd/thing.example.org_things.yaml"), before);
    // An editor that writes a temporary file and renames it.
    project.write("api/v1/.types.go.new", &kind("Thing", 4));
    fs::rename(
        project.path("api/v1/.types.go.new"),
        project.path("api/v1/types.go"),
    )
    .expect("it moves");
    watching.until("updated");
    watching.until("waiting");
    // A package is added, moved and removed.
    project.write("api/more/deep/types.go", &kind("Deep", 3));
    project.write(
        "api/more/deep/doc.go",
        &DOC.replace("thing.example", "deep.example"),
    );
    watching.until("deep.example.org_deeps.yaml");
    watching.until("waiting");
    fs::rename(project.path("api/more"), project.path("api/moved")).expect("it moves");
    watching.until("waiting");
    project.write("api/moved/deep/types.go", &kind("Deep", 5));
    watching.until("updated");
    watching.until("waiting");
    fs::remove_dir_all(project.path("api/moved")).expect("it is there");
    watching.until("removed");
    watching.until("waiting");
    assert_eq!(project.names("crd"), ["thing.example.org_things.yaml"]);
    // Everything is removed and comes back.
    fs::rename(project.path("api"), project.path("gone")).expect("it moves");
    watching.until("error: ");
    fs::rename(project.path("gone"), project.path("api")).expect("it moves");
    watching.until("waiting");
}

#[test]
fn watching_ignores_its_own_writes() {
    let project = Project::new("itself");
    let mut watching = Watching::start(&project, "go @/api/...");
    watching.until("waiting");
    project.write("api/v1/types.go", &kind("Thing", 4));
    watching.until("updated");
    watching.until("waiting");
    project.write("api/v1/types.go", &kind("Thing", 5));
    // The next round comes from the next save: a round after our own writes would report that nothing was written.
    let line = watching.lines.next().expect("the binary goes on").expect("text");
    assert!(line.starts_with("updated"), "{line}");
}

#[test]
fn what_only_another_tool_rejects_does_not_stop_a_generator() {
    let project = Project::new("others");
    let field = |tags: &str, field: &str| kind("Thing", 3).replace("}\n", &format!("{tags}{field}}}\n"));
    // openapi-gen writes code that does not compile for two extensions of one name.
    let twice = "\t// +k8s:openapi-gen=x-a:b\n\t// +k8s:openapi-gen=x-a:c\n";
    let openapi = field(twice, "\tOther string `json:\"other,omitempty\"`\n");
    // defaulter-gen writes such code for a default of another type.
    let default = field(
        "\t// +default=\"x\"\n",
        "\tOther *int32 `json:\"other,omitempty\"`\n",
    );
    for (source, code, words, stops) in [
        (
            &openapi,
            "marker-duplicate",
            "openapi @/api/... --v3 --out @/v3.json",
            true,
        ),
        (&openapi, "marker-duplicate", "go @/api/...", false),
        (&openapi, "marker-duplicate", "crd @/api/... --out @/crd", false),
        (
            &default,
            "default-type",
            "openapi @/api/... --v3 --out @/v3.json",
            false,
        ),
        (&default, "default-type", "go @/api/... --only validations", false),
        (&default, "default-type", "go @/api/... --only defaults", true),
    ] {
        project.write("api/v1/types.go", source);
        let run = project.generate(words);
        assert_eq!(run.code, Some(i32::from(stops)), "{words}: {run:?}");
        assert_eq!(
            run.stderr.contains(&format!("error[{code}]")),
            stops,
            "{words}: {}",
            run.stderr
        );
    }
}
