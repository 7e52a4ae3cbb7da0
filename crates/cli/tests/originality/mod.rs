//! Our sentences are our own: no tracked file has eight words in a row from a description that others published.
//!
//! `published.bin` holds such sequences of Kubernetes' modules, of controller-tools, cel-go, the ANTLR
//! runtime, Go's library and the KEPs, as numbers; `cargo run --example published -- DIR...` makes it. Every fourth
//! sequence of a text is in it, and the first and the last, so that eleven copied words are always found.
//!
//! Messages that must be printed word for word are facts. The generator skips those that are one string in published
//! code; `facts.txt` has the few others.

mod published;
mod sequences;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use published::Published;
use sequences::{Sequence, sequences, spelled};

#[test]
fn no_file_repeats_what_others_published() {
    let published = published();
    let mut facts = Facts::read(include_str!("facts.txt"));
    let mut found = Vec::new();
    for path in files() {
        let text = fs::read(&path).expect("files can be read");
        let name = path.strip_prefix(root()).expect("files lie in the repository");
        for (line, words) in repeated(&published, &mut facts, &text) {
            found.push(format!("{}:{line}: {words}", name.display()));
        }
    }
    assert!(
        found.is_empty(),
        "{} sentences of others; say it in your own words:\n{}",
        found.len(),
        found.join("\n")
    );
    let unused = facts.unused();
    assert!(unused.is_empty(), "facts.txt: nothing says {unused:?} any more");
}

#[test]
fn a_copied_sentence_is_found_however_it_is_written() {
    // Reversed, so that this file passes.
    let words = "represents object this resource REST the representing value string a is Kind";
    let words: Vec<&str> = words.split(' ').rev().collect();
    let published = published();
    for glue in [" ", "\n\t// ", "\\n", "\n# ", " **", "\",\n  \"", ".  "] {
        let text = format!("Our own words, and then {}. And more of ours.", words.join(glue));
        let found = repeated(&published, &mut Facts::default(), text.as_bytes());
        assert!(!found.is_empty(), "{text}");
    }
}

#[test]
fn own_sentences_tags_and_addresses_are_not_found() {
    let published = published();
    for text in [
        "A sentence that nobody but the author of this test would ever think of writing down.",
        "// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp\n",
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#uids",
    ] {
        let found = repeated(&published, &mut Facts::default(), text.as_bytes());
        assert_eq!(found, [], "{text}");
    }
}

fn published() -> Published {
    Published::read(include_bytes!("published.bin"))
}

/// Lines and words of published sequences in a text; those that overlap are one.
fn repeated(published: &Published, facts: &mut Facts, text: &[u8]) -> Vec<(usize, String)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for Sequence { number, start, end } in sequences(text) {
        if !published.has(number) || facts.has(number) {
            continue;
        }
        match runs.last_mut() {
            Some(run) if start < run.1 => run.1 = end,
            _ => runs.push((start, end)),
        }
    }
    let line = |at: usize| text[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    runs.into_iter()
        .map(|(start, end)| (line(start), spelled(text, start, end)))
        .collect()
}

/// Sequences that are allowed because there is no other way to say them.
#[derive(Default)]
struct Facts {
    /// The line of each sequence.
    lines: HashMap<u64, &'static str>,
    used: HashMap<&'static str, bool>,
}

impl Facts {
    /// Reads the file; lines with `#` say why the lines below are facts.
    fn read(text: &'static str) -> Self {
        let mut facts = Self::default();
        let lines = text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            facts.used.insert(line, false);
            let numbers = sequences(line.as_bytes()).into_iter();
            facts
                .lines
                .extend(numbers.map(|sequence| (sequence.number, line)));
        }
        facts
    }

    fn has(&mut self, number: u64) -> bool {
        let line = self.lines.get(&number);
        if let Some(line) = line {
            self.used.insert(line, true);
        }
        line.is_some()
    }

    fn unused(&self) -> Vec<&'static str> {
        let unused = self.used.iter().filter(|(_, used)| !**used);
        unused.map(|(line, _)| *line).collect()
    }
}

fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).expect("the crate lies in crates/cli")
}

/// All files of the repository, without build output.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("folders can be listed") {
            let path = entry.expect("entries can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            let is_left = [
                "target",
                "dist",
                "dist-site",
                "node_modules",
                "artifacts",
                "corpus",
                "kindsmith-data",
            ]
            .contains(&name);
            // What a link leads to is found at its own place.
            if path.is_symlink() {
                continue;
            }
            if path.is_dir() && !name.starts_with('.') && !is_left {
                folders.push(path);
            } else if path.is_file() && name != "published.bin" {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
