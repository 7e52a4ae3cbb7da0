//! Recordings and the list of known differences.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of recordings.
pub(crate) fn recordings(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance")
        .join(name)
}

pub(crate) fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder, sorted, as name without ending and text.
pub(crate) fn files(folder: &str) -> Vec<(String, String)> {
    let folder = recordings(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let stem = |path: &Path| {
        path.file_stem()
            .and_then(|stem| stem.to_str())
            .expect("text")
            .to_owned()
    };
    paths.iter().map(|path| (stem(path), text(path))).collect()
}

/// Cases whose answer differs on purpose, listed under a heading of `known_differences.toml`.
pub(crate) struct Known {
    ids: BTreeMap<String, bool>,
}

impl Known {
    /// Reads the entries `"id" = "reason"` under `[heading]`.
    pub(crate) fn read(heading: &str) -> Self {
        let listed = text(&recordings("known_differences.toml"));
        let mut inside = false;
        let mut ids = BTreeMap::new();
        for line in listed.lines().map(str::trim) {
            if line.starts_with('[') {
                inside = line == format!("[{heading}]");
            } else if inside && let Some((id, reason)) = line.split_once(" = ") {
                assert!(reason.len() > 10, "{id} needs a reason");
                ids.insert(id.trim_matches('"').to_owned(), false);
            }
        }
        Self { ids }
    }

    /// Fails unless exactly the listed cases differ.
    pub(crate) fn hold_against(mut self, differences: Vec<(String, String)>) {
        let mut unknown = Vec::new();
        for (id, difference) in differences {
            match self.ids.get_mut(&id) {
                Some(used) => *used = true,
                None => unknown.push(format!("{id}: {difference}")),
            }
        }
        let stale: Vec<&String> = self
            .ids
            .iter()
            .filter(|(_, used)| !**used)
            .map(|(id, _)| id)
            .collect();
        assert!(
            stale.is_empty(),
            "listed as known differences but equal: {stale:?}"
        );
        assert!(
            unknown.is_empty(),
            "{} differ:\n{}",
            unknown.len(),
            unknown.join("\n")
        );
    }
}
