//! The output shown in documents is what the binary prints.

mod binary;

use std::path::Path;

/// The commands in a document, with their output.
fn shown(document: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    let text = std::fs::read_to_string(path).expect("the document is there");
    let blocks = text
        .split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```").map(|(block, _)| block));
    blocks
        .filter_map(|block| block.strip_prefix("$ kindsmith ")?.split_once('\n'))
        .map(|(command, output)| (command.to_owned(), output.to_owned()))
        .collect()
}

fn check(document: &str) {
    let shown = shown(document);
    assert!(!shown.is_empty(), "{document} shows commands");
    for (command, output) in shown {
        let run = binary::kindsmith(&command);
        let real = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(output.trim_end(), real.trim_end(), "kindsmith {command}");
    }
}

#[test]
fn the_readme_is_real() {
    check("README.md");
}

#[test]
fn the_guide_to_checking_is_real() {
    check("docs/check.md");
}

#[test]
fn the_guide_to_expressions_is_real() {
    check("docs/cel.md");
}

#[test]
fn the_guide_to_controllers_is_real() {
    check("docs/controllers.md");
}
