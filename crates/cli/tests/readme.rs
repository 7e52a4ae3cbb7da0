//! The output shown in documents is what the binary prints.

use std::path::Path;

use crate::binary;

/// The commands in a document, with their output. Blocks with several commands, or with a pipe, need a shell: other tests run
/// them (`controlled`).
fn shown(document: &str) -> Vec<(String, String)> {
    let text = text(document);
    let blocks = text
        .split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```").map(|(block, _)| block));
    blocks
        .filter(|block| {
            !block.contains("\n$ ") && !block.lines().next().is_some_and(|line| line.contains(" | "))
        })
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

fn text(document: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    std::fs::read_to_string(path).expect("the document is there")
}

#[test]
fn figures_of_the_server_are_those_of_the_performance_page() {
    let (readme, page) = (text("README.md"), text("docs/performance.md"));
    let row = readme
        .lines()
        .find(|line| line.starts_with("| server ready, resident memory |"));
    let cells: Vec<&str> = row.expect("the row is there").split('|').map(str::trim).collect();
    for figure in cells[2].split(", ") {
        assert!(page.contains(figure), "{figure}");
    }
}

#[test]
fn what_is_not_supported_is_not_there() {
    let readme = text("README.md");
    let (_, section) = readme
        .split_once("## Not supported")
        .expect("the section is there");
    let section = section.split("\n## ").next().unwrap_or_default();
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|symbol: char| !symbol.is_ascii_alphanumeric());
        words.map(str::to_owned).collect()
    };
    let is_plugin = |word: &&String| word.chars().filter(char::is_ascii_uppercase).count() > 1;
    let plugins = words(&text("docs/envtest.md"));
    let named = words(section);
    let named: Vec<_> = named
        .iter()
        .filter(is_plugin)
        .filter(|word| plugins.contains(word))
        .collect();
    assert!(named.is_empty(), "{named:?} is supported");
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
