//! Packages have the same import paths, however their directory is named.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory that is removed when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("paths-{name}-{}", std::process::id()));
        // What an aborted run left behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a writable directory");
        Self(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
        fs::write(path, text).expect("writable");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A module with two packages, one of which uses the other.
fn module(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("mod/go.mod", "module example.org/shop\n\ngo 1.26\n");
    scratch.write(
        "mod/api/v1/types.go",
        "package v1\n\nimport \"example.org/shop/api/shared\"\n\ntype Cart struct {\n\tOwner shared.Name `json:\"owner\"`\n}\n",
    );
    scratch.write("mod/api/shared/types.go", "package shared\n\ntype Name string\n");
    scratch
}

/// The type names that `kindsmith types` prints, in order.
fn types(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
        .arg("types")
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{arguments:?}: {errors}");
    assert_eq!(errors, "", "{arguments:?}");
    let words = text.split_whitespace().filter(|word| word.contains('.'));
    let mut found: Vec<String> = words
        .filter(|word| word.ends_with(".Cart") || word.ends_with(".Name"))
        .map(str::to_owned)
        .collect();
    found.sort();
    found.dedup();
    found
}

const BOTH: [&str; 2] = ["example.org/shop/api/shared.Name", "example.org/shop/api/v1.Cart"];

#[test]
fn from_the_module_and_below() {
    let scratch = module("below");
    let check = |from: &str, path: &str| {
        assert_eq!(types(&scratch.0.join(from), &[path]), BOTH, "{path} in {from}");
    };
    for (from, path) in [
        ("mod", "./..."),
        ("mod", "api/..."),
        ("mod", "api/v1"),
        ("mod", "./api/v1/"),
        ("mod", "api/v1/types.go"),
        ("mod/api", "./..."),
        ("mod/api", "v1"),
        ("mod/api", "./v1/"),
        ("mod/api/v1", "."),
        ("mod/api/v1", "types.go"),
        ("mod/api/shared", "../v1"),
        ("mod/api/shared", "../v1/"),
        ("mod/api/shared", "../..."),
        ("mod/api/shared", "../../api/v1/types.go"),
        (".", "mod/..."),
        (".", "mod/api/v1"),
    ] {
        check(from, path);
    }
}

#[test]
fn by_absolute_path() {
    let scratch = module("absolute");
    let api = scratch.0.join("mod/api");
    let v1 = api.join("v1/");
    let all = api.join("...");
    for path in [&v1, &all] {
        let path = path.to_str().expect("text");
        assert_eq!(types(&scratch.0, &[path]), BOTH, "{path}");
        assert_eq!(types(&api, &[path, "v1"]), BOTH, "{path} and v1");
    }
}

#[test]
fn through_links() {
    let scratch = module("links");
    symlink(scratch.0.join("mod/api/v1"), scratch.0.join("outside")).expect("links work");
    symlink(scratch.0.join("mod/api"), scratch.0.join("mod/inside")).expect("links work");
    symlink(scratch.0.join("mod"), scratch.0.join("mod/api/circle")).expect("links work");
    assert_eq!(types(&scratch.0, &["outside"]), BOTH);
    assert_eq!(types(&scratch.0, &["outside/"]), BOTH);
    assert_eq!(types(&scratch.0.join("mod"), &["inside/v1"]), BOTH);
    assert_eq!(types(&scratch.0.join("mod"), &["./..."]), BOTH);
}

/// They may lead back to the directory they are in, which is there 41 times then, or to the whole machine.
#[test]
fn manifests_are_not_looked_for_behind_links_to_directories() {
    let scratch = module("circles");
    let (inside, outside) = (scratch.0.join("inside"), scratch.0.join("outside"));
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    for directory in [&inside, &outside] {
        fs::create_dir(directory).expect("it is new");
        fs::write(directory.join("map.yaml"), map).expect("it is new");
    }
    for name in ["back", "again", "links.yaml"] {
        symlink(&inside, inside.join(name)).expect("links work");
    }
    symlink(&outside, inside.join("out")).expect("links work");
    symlink(outside.join("map.yaml"), inside.join("file.yaml")).expect("links work");
    let check = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kindsmith"));
        let output = command.arg("check").args(words).current_dir(&scratch.0).output();
        let output = output.expect("the binary runs");
        let said = String::from_utf8(output.stderr).expect("text");
        (output.status.code(), said)
    };
    for (words, expected) in [
        (["inside"], "2 objects in 2 files"),
        (["inside/**/*.yaml"], "2 objects in 2 files"),
        (["inside/out"], "1 object in 1 file"),
    ] {
        let (code, said) = check(&words);
        assert_eq!(code, Some(0), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
    }
}

#[test]
fn with_a_module_given() {
    let scratch = module("given");
    fs::remove_file(scratch.0.join("mod/go.mod")).expect("it is there");
    let from = scratch.0.join("mod/api");
    for directory in ["..", "../", "../../mod"] {
        let given = format!("--module=example.org/shop={directory}");
        assert_eq!(types(&from, &["./v1", &given]), BOTH, "{given}");
    }
}

/// Exit code and standard output of `lint`.
fn lint(directory: &Path, path: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
        .args(["lint", path])
        .current_dir(directory)
        .output()
        .expect("the binary runs");
    (
        output.status.code(),
        String::from_utf8(output.stdout).expect("text"),
    )
}

#[test]
fn findings_in_the_directory_itself() {
    let scratch = Scratch::new("itself");
    scratch.write(
        "p/types.go",
        "package p\n\ntype T struct {\n\tA Missing `json:\"a\"`\n}\n",
    );
    for (from, path) in [("p", "."), ("p", "types.go"), ("p", "./..."), (".", "p")] {
        let (code, text) = lint(&scratch.0.join(from), path);
        assert_eq!(code, Some(1), "{path} in {from}");
        assert!(text.contains("undefined: Missing"), "{path} in {from}: {text}");
    }
}

#[test]
fn a_binary_file_is_one_finding() {
    let scratch = Scratch::new("binary");
    scratch.write("p/x.go", "\u{7f}ELF\0\0@@\n");
    let (code, text) = lint(&scratch.0, "p");
    assert_eq!(code, Some(1));
    assert!(
        text.starts_with("error[go-package]: the file cannot be read: it is not text\n"),
        "{text}"
    );
    assert_eq!(text.matches("error[").count(), 1, "{text}");
}

/// Directories above a module may have any name; so may those that arguments name.
#[test]
fn below_names_that_are_not_text() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    let scratch = module("bytes");
    let odd = scratch.0.join(OsString::from_vec(b"caf\xe9".to_vec()));
    fs::rename(scratch.0.join("mod"), &odd).expect("names are bytes");
    let run = |from: &Path, arguments: &[OsString]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
            .args(arguments)
            .current_dir(from)
            .output()
            .expect("the binary runs");
        let (text, errors) = (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        );
        assert!(output.status.success(), "{arguments:?} in {from:?}: {errors}");
        text
    };
    let all = OsString::from_vec(b"caf\xe9/...".to_vec());
    let file = OsString::from_vec(b"caf\xe9/api/v1/types.go".to_vec());
    for (from, path) in [
        (&odd, "./...".into()),
        (&odd, "api/v1".into()),
        (&scratch.0, all.clone()),
        (&scratch.0, file),
        (&scratch.0, odd.join("api/v1").into_os_string()),
    ] {
        let text = run(from, &["types".into(), path]);
        assert!(BOTH.iter().all(|name| text.contains(name)), "{text}");
    }
    let types = "package v1\n\n// +kubebuilder:object:generate=true\ntype Cart struct {\n\tNames []string `json:\"names\"`\n}\n";
    fs::write(odd.join("api/v1/types.go"), types).expect("writable");
    run(&scratch.0, &["gen".into(), "object".into(), all]);
    let made = fs::read_to_string(odd.join("api/v1/zz_generated.deepcopy.go"));
    assert!(made.is_ok_and(|text| text.contains("func (in *Cart) DeepCopy()")));
}
