//! The files of recordings.

use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of the project's conformance data.
#[must_use]
pub fn conformance(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// A file's text.
///
/// # Panics
///
/// If it cannot be read.
#[must_use]
pub fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder, sorted, as name without ending and text.
///
/// # Panics
///
/// If it cannot be read.
#[must_use]
pub fn files(folder: &str) -> Vec<(String, String)> {
    let folder = conformance(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths.iter().map(|path| (stem(path), text(path))).collect()
}

/// The names of recorded scenarios that start with one of these prefixes.
///
/// # Panics
///
/// If there are no recordings.
#[must_use]
pub fn scenarios(starts: &[&str]) -> Vec<String> {
    let entries = fs::read_dir(conformance("api")).expect("the recordings are part of the project");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| stem(&path))
        .filter(|name| starts.iter().any(|start| name.starts_with(start)))
        .collect();
    names.sort();
    names
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.expect("file names are text").to_owned()
}
