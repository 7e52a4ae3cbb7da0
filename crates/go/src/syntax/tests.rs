//! Tests of the syntax layer: a source and its dump.

mod comments;
mod declarations;
mod mistakes;
mod outline;
mod totality;

use std::sync::Arc;

use kindsmith_source::SourceMap;

use super::{Detail, File, dump, parse_with};

fn read(source: &str) -> File {
    read_with(source, Detail::Whole)
}

fn read_with(source: &str, detail: Detail) -> File {
    let text: Arc<str> = source.into();
    let id = SourceMap::default().add("a.go", Arc::clone(&text));
    parse_with(id, &text, detail)
}

/// Compares the dump of `source`, put into a package, with `expected`; both may be indented.
fn check(source: &str, expected: &str) {
    let file = read(&format!("package p\n\n{}", dedent(source)));
    let dumped = dump(&file);
    let actual = dumped.strip_prefix("package p\n").unwrap_or(&dumped);
    assert_eq!(actual.trim_end(), dedent(expected).trim_end(), "\nof:\n{source}");
}

/// Removes the blank first line and the common indentation.
fn dedent(text: &str) -> String {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let shared = lines.map(indent).min().unwrap_or(0);
    let cut = |line: &str| line.get(shared..).unwrap_or("").to_owned() + "\n";
    text.lines().map(cut).collect()
}
