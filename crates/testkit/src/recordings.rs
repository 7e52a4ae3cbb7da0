//! Reads the recordings below `conformance/`. A missing file fails the test.

use std::fs;
use std::path::{Path, PathBuf};

use kindsmith_json::read::{self, BigIntegers};
use kindsmith_json::{Arena, Value};

/// A file or directory of recordings, by its path below `conformance/`.
#[must_use]
pub fn recordings(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    root.join(path)
}

/// The sorted paths in a directory, which must not be empty.
#[must_use]
pub fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    found.sort();
    assert!(!found.is_empty(), "{} is empty", directory.display());
    found
}

/// The sorted names in a directory.
#[must_use]
pub fn names(directory: &Path) -> Vec<String> {
    entries(directory).iter().map(|path| name(path)).collect()
}

/// The last part of a path.
#[must_use]
pub fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// The text of a file.
#[must_use]
pub fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Parses JSON, such as a line of a recording, as a typed decoder would: no digit is lost.
#[must_use]
pub fn json<'a>(arena: &'a Arena, text: &'a str) -> Value<'a> {
    let options = read::Options::default().big_integers(BigIntegers::Exact);
    let read = read::read(arena, text.as_bytes(), options);
    read.unwrap_or_else(|error| panic!("{error}: {text}")).value
}
