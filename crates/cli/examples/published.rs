//! Makes `tests/originality/published.bin` from published sources: the comments and help texts of Go files, and Markdown.
//!
//! ```text
//! cargo run -p kindsmith-cli --example published -- DIR...
//! ```
//!
//! Directories are those of Go modules (`go mod download -json MODULE@VERSION` prints them), of packages below `src` of an
//! installed Go, and of the KEPs. Nothing is downloaded, and no text is kept: only numbers are written.
//!
//! The file was made from k8s.io/api, apimachinery, apiextensions-apiserver and apiserver v0.38.0-alpha.0 and alpha.2,
//! component-base and kube-aggregator v0.38.0-alpha.0, code-generator v0.37.2, gengo v2, kube-openapi (be32def86098),
//! kubernetes v1.38.0-alpha.0 (`pkg/printers`), controller-tools v0.23.0, structured-merge-diff v6.4.2, cel-go v0.32.0,
//! antlr4-go v4.13.1, the packages time, net, encoding/json, io/fs and math/big of Go 1.26, and KEP-1929, KEP-5073 and those
//! on defaults of CRDs.
#![expect(clippy::print_stdout, reason = "the generator says what it did")]
#![allow(clippy::disallowed_methods, reason = "an example reads what it shows")]

#[path = "../tests/originality/published.rs"]
mod published;
#[path = "../tests/originality/sequences.rs"]
mod sequences;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sequences::{Sequence, sequences, spelled};

/// One in this many sequences of a text is kept.
const STEP: usize = 4;

/// How many different words a sequence must have: tables of `true` and `false` belong to nobody.
const DISTINCT: usize = 5;

/// A longer string in Go code is a document, not a message.
const MESSAGE: usize = 300;

/// What precedes strings that are published as descriptions.
const DESCRIBING: [&str; 6] = [
    "Help:",
    "Description:",
    "description:",
    "Summary:",
    "Usage:",
    "Doc(",
];

fn main() {
    let directories: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let mut collected = Collected::default();
    for directory in &directories {
        collected.directory(directory);
    }
    let kept: BTreeSet<u64> = collected
        .descriptions
        .difference(&collected.messages)
        .copied()
        .collect();
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/originality/published.bin");
    let bytes = published::write(&kept);
    fs::write(&target, &bytes).expect("the file can be written");
    println!(
        "{} sequences of {} files in {} bytes",
        kept.len(),
        collected.files,
        bytes.len()
    );
}

#[derive(Default)]
struct Collected {
    descriptions: BTreeSet<u64>,
    /// Sequences inside strings that programs print: facts for everybody who prints the same message.
    messages: BTreeSet<u64>,
    files: usize,
}

impl Collected {
    fn directory(&mut self, directory: &Path) {
        let entries = fs::read_dir(directory).expect("directories can be listed");
        for entry in entries {
            let path = entry.expect("entries can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            if path.is_dir() {
                if !["testdata", "vendor", "third_party"].contains(&name) {
                    self.directory(&path);
                }
                continue;
            }
            let is_go = name.ends_with(".go") && !name.ends_with("_test.go");
            if is_go || name.ends_with(".md") {
                let text = fs::read(&path).expect("files can be read");
                let text = String::from_utf8_lossy(&text);
                self.files += 1;
                if is_go {
                    self.go(&text, path.to_string_lossy().contains("generated"));
                } else {
                    self.describe(&without_data(&text));
                }
            }
        }
    }

    /// Keeps every fourth sequence of a text, and the last.
    fn describe(&mut self, text: &str) {
        let text = without_struct_tags(text);
        let is_sentence = |found: &&Sequence| {
            let words = spelled(text.as_bytes(), found.start, found.end);
            words.split(' ').collect::<BTreeSet<_>>().len() >= DISTINCT
        };
        let all = sequences(text.as_bytes());
        let kept = all.iter().step_by(STEP).chain(all.last());
        let numbers = kept.filter(is_sentence).map(|found| found.number);
        self.descriptions.extend(numbers);
    }

    fn go(&mut self, text: &str, is_generated: bool) {
        for piece in pieces(text) {
            match piece {
                Piece::Comment(comment) if is_license(&comment) => {}
                Piece::Comment(comment) => self.describe(&comment),
                Piece::String {
                    text,
                    describes: true,
                } => self.describe(text),
                Piece::String { text, .. } if is_generated || text.len() > MESSAGE => {}
                Piece::String { text, .. } => {
                    let numbers = |Sequence { number, .. }| number;
                    self.messages
                        .extend(sequences(text.as_bytes()).into_iter().map(numbers));
                }
            }
        }
    }
}

/// The parts of Go code that matter here.
enum Piece<'a> {
    /// Comments on consecutive lines, or one block comment.
    Comment(String),
    /// A literal, and whether it is published as a description.
    String { text: &'a str, describes: bool },
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let (mut at, mut last_comment) = (0, None);
    while at < text.len() {
        let rest = &text[at..];
        let end = if rest.starts_with("//") {
            let end = at + rest.find('\n').unwrap_or(rest.len());
            let line = text[at..end].trim_start_matches('/');
            let follows = last_comment
                .is_some_and(|last| text[last..at].trim().is_empty() && lines(&text[last..at]) == 1);
            last_comment = Some(end);
            match pieces.last_mut() {
                _ if line.starts_with("go:") => {}
                Some(Piece::Comment(comment)) if follows => {
                    comment.push('\n');
                    comment.push_str(line);
                }
                _ => pieces.push(Piece::Comment(line.to_owned())),
            }
            end
        } else if rest.starts_with("/*") {
            let end = at + rest.find("*/").map_or(rest.len(), |end| end + 2);
            pieces.push(Piece::Comment(text[at..end].to_owned()));
            end
        } else if let Some(end) = literal(rest) {
            let before = text[..at].trim_end();
            pieces.push(Piece::String {
                text: &rest[1..end.max(2) - 1],
                describes: DESCRIBING.iter().any(|word| before.ends_with(word)),
            });
            at + end
        } else {
            at + rest.chars().next().map_or(1, char::len_utf8)
        };
        at = end;
    }
    pieces
}

fn lines(text: &str) -> usize {
    text.matches('\n').count()
}

/// Where a string or character at the start of a text ends.
fn literal(text: &str) -> Option<usize> {
    let quote = text.bytes().next().filter(|byte| b"\"'`".contains(byte))?;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if quote != b'`' => is_escaped = true,
            b'\n' if quote != b'`' => return None,
            _ if byte == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn is_license(comment: &str) -> bool {
    ["Licensed under", "Copyright", "DO NOT EDIT"]
        .iter()
        .any(|sign| comment.contains(sign))
}

/// Markdown without fenced blocks in other languages than Go.
fn without_data(text: &str) -> String {
    let (mut kept, mut fence) = (String::new(), None);
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = match fence {
                Some(_) => None,
                None => Some(language.trim().starts_with("go")),
            };
        } else if fence.unwrap_or(true) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The text without struct tags: names on the wire are facts.
fn without_struct_tags(text: &str) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        let mut parts = line.split('`');
        kept.push_str(parts.next().unwrap_or_default());
        for part in parts.filter(|part| !part.contains(":\"")) {
            kept.push(' ');
            kept.push_str(part);
        }
        kept.push('\n');
    }
    kept
}
