//! docs/keps.md: every row names tests that exist, or says why there is none.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::binary::root;

/// Names of all tests in a directory and below.
fn tests_in(directory: &Path, found: &mut HashSet<String>) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("the directory is readable").path();
        if path.is_dir() {
            tests_in(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&path).expect("sources are text");
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                    is_test = true;
                } else if let Some(rest) = line.split("fn ").nth(1).filter(|_| is_test) {
                    let name = rest.split('(').next().unwrap_or_default();
                    found.insert(name.to_owned());
                    is_test = false;
                }
            }
        }
    }
}

/// The tests of a crate, read once.
struct Tests(HashMap<String, HashSet<String>>);

impl Tests {
    fn has(&mut self, test: &str) -> bool {
        let Some((of, name)) = test.split_once("::") else {
            return false;
        };
        let known = self.0.entry(of.to_owned()).or_insert_with(|| {
            let mut found = HashSet::new();
            for part in ["src", "tests"] {
                tests_in(&root().join("crates").join(of).join(part), &mut found);
            }
            found
        });
        known.contains(name)
    }
}

/// What is wrong with a row, if anything.
fn problem(row: &str, tests: &mut Tests) -> Option<String> {
    let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
    let [id, _, _, _, _, shown] = cells[..] else {
        return Some(format!("{row}: not six cells"));
    };
    if shown.starts_with("none: ") || shown.starts_with("no rule: ") {
        return None;
    }
    let named: Vec<&str> = shown.split('`').skip(1).step_by(2).collect();
    if named.is_empty() {
        return Some(format!("{id}: neither a test nor a reason: {shown}"));
    }
    let missing: Vec<&str> = named.into_iter().filter(|test| !tests.has(test)).collect();
    (!missing.is_empty()).then(|| format!("{id}: there is no test {}", missing.join(", ")))
}

#[test]
fn every_row_names_tests_that_exist() {
    let text = std::fs::read_to_string(root().join("docs/keps.md")).expect("the page is there");
    let mut tests = Tests(HashMap::new());
    let is_row = |line: &&str| {
        let id = line
            .trim_start_matches("| ")
            .split(' ')
            .next()
            .unwrap_or_default();
        id.len() > 1
            && id.starts_with(['C', 'D', 'V', 'G'])
            && id[1..].bytes().all(|byte| byte.is_ascii_digit())
    };
    let rows: Vec<&str> = text.lines().filter(is_row).collect();
    assert!(rows.len() >= 350, "only {} rows", rows.len());
    let wrong: Vec<String> = rows.iter().filter_map(|row| problem(row, &mut tests)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_row_without_a_test_is_found() {
    let mut tests = Tests(HashMap::new());
    for (row, is_wrong) in [
        (
            "| C1 | a | = | = | = | `cli::every_row_names_tests_that_exist` |",
            false,
        ),
        ("| C1 | a | = | = | = | `cli::nobody_wrote_this` |", true),
        ("| C1 | a | = | = | = | none: a reason |", false),
        ("| C1 | a | = | = | = | somehow |", true),
        ("| C1 | a | = | = |", true),
    ] {
        assert_eq!(problem(row, &mut tests).is_some(), is_wrong, "{row}");
    }
}
