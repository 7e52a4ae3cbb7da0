//! The Go file, the report and the model names of the recorded packages equal those of openapi-gen, byte for byte.
#![expect(clippy::print_stdout, reason = "a test run says how much it compared")]

use std::path::PathBuf;

use kindsmith_generate::openapi_gen;
use kindsmith_go::Read;
use kindsmith_testkit::{GoPackages, names, recordings, text};

/// The package that recorded files belong to.
const PACKAGE: &str = "example.org/fixtures/out/openapi";

fn recorded(file: &str) -> PathBuf {
    recordings("openapi-gen").join("files").join(file)
}

/// The folders of `types`, with the patterns that openapi-gen was given.
const CASES: [(&str, &[&str]); 6] = [
    ("collide", &["collide/..."]),
    ("garden", &["garden"]),
    ("limits", &["limits"]),
    ("lists", &["lists"]),
    ("methods", &["methods"]),
    ("models", &["models", "collide/two/v1"]),
];

fn read(patterns: &[&str]) -> Read {
    let packages = GoPackages::default().module("example.org/fixtures", "fixtures");
    let packages = packages.tree(&recordings("openapi-gen").join("types"), "fixtures/types");
    let patterns: Vec<String> = patterns
        .iter()
        .map(|pattern| format!("fixtures/types/{pattern}"))
        .collect();
    packages.read_all(&patterns)
}

/// The first line that differs.
fn difference(case: &str, made: &str, wanted: &str) -> String {
    if made == wanted {
        return String::new();
    }
    let mut lines = made.lines().zip(wanted.lines()).enumerate();
    match lines.find(|(_, (made, wanted))| made != wanted) {
        Some((line, (made, wanted))) => {
            format!("{case}:{}:\n  expected {wanted}\n  found    {made}\n", line + 1)
        }
        None => format!("{case}: one is longer\n"),
    }
}

#[test]
fn files_are_equal() {
    let mut wrong = String::new();
    for (case, patterns) in CASES {
        let read = read(patterns);
        let made = openapi_gen::file(&read.schema, PACKAGE, "");
        assert_eq!(made.problems, [], "{case}");
        let wanted = text(&recorded(&format!("{case}/generated.openapi.go")));
        wrong += &difference(case, &made.text, &wanted);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn reports_are_equal() {
    let mut wrong = String::new();
    for (case, patterns) in CASES {
        let made = openapi_gen::violations(&read(patterns).schema);
        let wanted = text(&recorded(&format!("{case}/violations.txt")));
        wrong += &difference(case, &made, &wanted);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn model_names_are_equal() {
    for (case, patterns) in CASES {
        let made = openapi_gen::model_names(&read(patterns).schema, &[], "");
        let made: Vec<(String, String)> = made
            .into_iter()
            .map(|file| {
                (
                    file.package
                        .rsplit("types/")
                        .next()
                        .unwrap_or_default()
                        .replace('/', "_"),
                    file.text,
                )
            })
            .collect();
        let folder = recorded(case);
        let wanted: Vec<(String, String)> = names(&folder)
            .into_iter()
            .filter_map(|name| {
                let package = name.strip_suffix(".model_name.go")?;
                Some((package.to_owned(), text(&folder.join(&name))))
            })
            .collect();
        assert_eq!(made, wanted, "{case}");
    }
}

#[test]
fn packages_without_names_are_left_alone() {
    let read = read(&["collide/..."]);
    let read_only = ["example.org/fixtures/types/collide/two/v1".to_owned()];
    let made = openapi_gen::model_names(&read.schema, &read_only, "");
    let packages: Vec<&str> = made.iter().map(|file| &*file.package).collect();
    assert_eq!(
        packages,
        ["example.org/fixtures/types/collide/deep/er/than/four/v1"]
    );
}

#[test]
fn files_of_other_recorded_packages_are_equal() {
    let (mut wrong, mut equal) = (String::new(), 0);
    for file in names(&recorded("gen")) {
        let Some(name) = file.strip_suffix(".openapi.go") else {
            continue;
        };
        let folder = ["gen", "gen-more"]
            .map(|folder| recordings(folder).join("types").join(name))
            .into_iter()
            .find(|folder| folder.is_dir());
        let packages = GoPackages::default().module("example.org/gen", "gen");
        let packages = packages.tree(&folder.expect("its types are recorded"), &format!("gen/{name}"));
        let read = packages.read(&format!("gen/{name}/..."));
        let made = openapi_gen::file(&read.schema, &format!("example.org/gen/out/{name}"), "");
        let found = difference(name, &made.text, &text(&recorded("gen").join(&file)));
        equal += usize::from(found.is_empty());
        wrong += &found;
    }
    println!("{equal} files equal");
    assert!(wrong.is_empty() && equal > 0, "{wrong}");
}

#[test]
fn one_file_for_all_remaining_packages_is_equal() {
    let alone = names(&recorded("gen"));
    let mut packages = GoPackages::default().module("example.org/gen", "gen");
    let mut patterns = Vec::new();
    for folder in ["gen", "gen-more"].map(|folder| recordings(folder).join("types")) {
        for name in names(&folder) {
            let package = folder.join(&name);
            if package.is_dir() && !alone.contains(&format!("{name}.openapi.go")) {
                packages = packages.tree(&package, &format!("gen/{name}"));
                patterns.push(format!("gen/{name}/..."));
            }
        }
    }
    patterns.sort();
    let read = packages.read_all(&patterns);
    let made = openapi_gen::file(&read.schema, "example.org/gen/out", "");
    let found = difference("rest", &made.text, &text(&recorded("rest.openapi.go")));
    assert!(found.is_empty() && patterns.len() > 30, "{found}");
}
