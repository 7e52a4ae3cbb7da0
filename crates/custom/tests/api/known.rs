//! Steps whose answer differs on purpose, as listed in `known_differences.toml`.

use std::collections::BTreeMap;

use crate::scenario::{folder, text};

pub(crate) struct Known {
    ids: BTreeMap<String, bool>,
}

impl Known {
    /// Reads the entries `"id" = "reason"` under `[heading]`.
    pub(crate) fn read(heading: &str) -> Self {
        let listed = text(&folder("known_differences.toml"));
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

    /// Whether the step is listed; it then counts as used.
    pub(crate) fn excuses(&mut self, id: &str) -> bool {
        match self.ids.get_mut(id) {
            Some(used) => {
                *used = true;
                true
            }
            None => false,
        }
    }

    /// Entries that no step needs any more.
    pub(crate) fn stale(&self) -> Vec<&str> {
        let unused = self.ids.iter().filter(|(_, used)| !**used);
        unused.map(|(id, _)| id.as_str()).collect()
    }
}
