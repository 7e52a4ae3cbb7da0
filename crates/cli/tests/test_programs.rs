//! What `cargo test` compiles, links and starts for a crate: nothing twice, and nothing for tests that are not there.

use std::fs;
use std::path::Path;

use crate::binary::root;
use crate::tidy::{check, files};

/// A crate's tests are one program, so that it is linked once. What needs a process of its own is a program of its own, listed in
/// `Cargo.toml` with the reason in its file. Cargo then looks for no tests itself, and a file that nobody names would not run.
#[test]
fn every_test_file_runs_and_is_linked_once() {
    let manifests: Vec<_> = files("toml")
        .into_iter()
        .filter(|path| path.starts_with(root().join("crates")) && path.ends_with("Cargo.toml"))
        .collect();
    check(&manifests, |path, manifest| {
        let tests = root().join(path).with_file_name("tests");
        let roots = test_roots(&tests);
        if !manifest.contains("\nautotests = false\n") {
            let programs = roots.iter().filter(|root| !root.ends_with("mod.rs")).count();
            return (programs > 1)
                .then(|| format!("{programs} test programs; see the other crates' `tests/main.rs`"))
                .into_iter()
                .collect();
        }
        let modules = fs::read_to_string(tests.join("main.rs")).unwrap_or_default();
        let is_run = |root: &&String| {
            let module = root.trim_end_matches("/mod.rs").trim_end_matches(".rs");
            modules.lines().any(|line| line == format!("mod {module};"))
                || manifest.contains(&format!("path = \"tests/{root}\""))
        };
        let missing = roots.iter().filter(|root| !is_run(root));
        missing
            .map(|root| format!("tests/{root} is in no program: add it to tests/main.rs"))
            .collect()
    });
}

/// The files below `tests` that are a program or a module of one.
fn test_roots(tests: &Path) -> Vec<String> {
    let mut roots = Vec::new();
    for entry in fs::read_dir(tests).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rs") {
            roots.push(name);
        } else {
            let inner = ["main.rs", "mod.rs"].map(|root| format!("{name}/{root}"));
            roots.extend(inner.into_iter().filter(|root| tests.join(root).exists()));
        }
    }
    roots
}

/// Cargo compiles a library once more for its unit tests, and starts rustdoc to look for doc tests. Crates without any say so, and
/// no others.
#[test]
fn tests_are_looked_for_where_there_are_some() {
    let libraries: Vec<_> = files("toml")
        .into_iter()
        .filter(|path| path.ends_with("Cargo.toml") && path.with_file_name("src").join("lib.rs").exists())
        .filter(|path| path.starts_with(root().join("crates")))
        .collect();
    let sources = files("rs");
    check(&libraries, |path, manifest| {
        let folder = root().join(path).with_file_name("src");
        let own = sources.iter().filter(|source| source.starts_with(&folder));
        let texts: Vec<String> = own
            .map(|source| fs::read_to_string(source).expect("source files are text"))
            .collect();
        let library = manifest.split("\n[").find(|section| section.starts_with("lib]"));
        let is_looking = |kind: &str| {
            let line = format!("{kind} = false");
            !library.is_some_and(|section| section.lines().any(|one| one == line))
        };
        let wrong = [
            ("doctest", texts.iter().any(|text| has_doc_test(text))),
            ("test", texts.iter().any(|text| has_unit_test(text))),
        ];
        let wrong = wrong
            .into_iter()
            .filter(|(kind, is_there)| is_looking(kind) != *is_there);
        wrong
            .map(|(kind, is_there)| format!("{kind} = {is_there} below [lib]"))
            .collect()
    });
}

fn has_unit_test(text: &str) -> bool {
    ["#[test]", "::test]", "::test(", "proptest! {"]
        .iter()
        .any(|mark| text.contains(mark))
}

/// Whether a block of code in a comment is one that rustdoc runs or compiles.
fn has_doc_test(text: &str) -> bool {
    let comments = text.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
    });
    let fences = comments.filter_map(|comment| comment.trim_start().strip_prefix("```"));
    let mut openings = fences.step_by(2).map(str::trim);
    let languages = ["", "rust", "no_run", "should_panic", "compile_fail"];
    text.contains("doc = include_str!") || openings.any(|language| languages.contains(&language))
}

#[test]
fn finds_doc_tests() {
    for text in ["/// ```\n/// f();\n/// ```", "//! ```no_run\n//! f();\n//! ```"] {
        assert!(has_doc_test(text), "{text}");
    }
    for text in ["/// ```text\n/// f();\n/// ```", "// ```\n// f();\n// ```"] {
        assert!(!has_doc_test(text), "{text}");
    }
}
