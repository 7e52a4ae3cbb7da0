//! Rust blocks are excerpts of programs that are compiled; settings and manifests can be read.

use std::path::{Path, PathBuf};

use super::document::{fenced, text};
use super::{DOCUMENTS, OTHERS};
use crate::binary::root;

/// Folders whose programs CI compiles.
const COMPILED: [&str; 3] = ["examples", "crates/kindsmith", "crates/ruletest"];

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            programs(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The lines of a program that count: without marks of documentation tests, and without what an excerpt leaves out.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| {
        let line = line.trim();
        let line = line
            .strip_prefix("//!")
            .or(line.strip_prefix("///"))
            .unwrap_or(line)
            .trim();
        line.strip_prefix("# ").unwrap_or(line).to_owned()
    });
    lines.filter(|line| !line.is_empty() && line != "// …").collect()
}

#[test]
fn rust_blocks_are_parts_of_programs() {
    let mut paths = Vec::new();
    for folder in COMPILED {
        programs(&root().join(folder), &mut paths);
    }
    let programs: Vec<Vec<String>> = paths
        .iter()
        .map(|path| lines(&std::fs::read_to_string(path).expect("a program")))
        .collect();
    let mut wrong = Vec::new();
    for document in DOCUMENTS.iter().chain(&OTHERS) {
        for (line, block) in fenced(&text(document), &["rust"]) {
            let excerpt = lines(block);
            let is_part = |program: &Vec<String>| {
                let mut rest = program.iter();
                excerpt.iter().all(|line| rest.any(|found| found == line))
            };
            if !programs.iter().any(is_part) {
                wrong.push(format!("{document}:{line}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "no program has these lines, in this order: {wrong:?}"
    );
}

#[test]
fn settings_and_manifests_can_be_read() {
    let mut wrong = Vec::new();
    for document in DOCUMENTS.iter().filter(|document| **document != "docs/rules.md") {
        let text = text(document);
        for (line, block) in fenced(&text, &["yaml"]) {
            let arena = kindsmith_json::Arena::new();
            for part in kindsmith_json::yaml::documents(block) {
                if let Err(error) = kindsmith_json::yaml::parse(&arena, part.text.as_bytes()) {
                    wrong.push(format!("{document}:{line}: {error}"));
                }
            }
        }
        for (line, block) in fenced(&text, &["json"]) {
            for value in serde_json::Deserializer::from_str(block).into_iter::<serde_json::Value>() {
                if let Err(error) = value {
                    wrong.push(format!("{document}:{line}: {error}"));
                }
            }
        }
        for (line, block) in fenced(&text, &["toml"]) {
            if block.contains("[lint") || block.contains("kubernetes-version") {
                let errors = kindsmith_lint::Config::parse(block).err().unwrap_or_default();
                wrong.extend(errors.iter().map(|error| format!("{document}:{line}: {error}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
