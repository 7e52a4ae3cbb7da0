//! Cases whose response differs on purpose, as listed in `known_differences.toml`.

use std::collections::BTreeMap;

use crate::files::{conformance, text};

/// The cases under one heading of the list.
#[derive(Debug)]
pub struct Known {
    ids: BTreeMap<String, bool>,
}

impl Known {
    /// Reads the entries `"id" = "reason"` under `[heading]`.
    ///
    /// # Panics
    ///
    /// If an entry has no reason.
    #[must_use]
    pub fn read(heading: &str) -> Self {
        let listed = text(&conformance("known_differences.toml"));
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
        Known { ids }
    }

    /// Whether a case is listed; marks it as used.
    pub fn excuses(&mut self, id: &str) -> bool {
        match self.ids.get_mut(id) {
            Some(used) => {
                *used = true;
                true
            }
            None => false,
        }
    }

    /// Entries that no case needs anymore.
    #[must_use]
    pub fn stale(&self) -> Vec<&str> {
        let unused = self.ids.iter().filter(|(_, used)| !**used);
        unused.map(|(id, _)| id.as_str()).collect()
    }

    /// Fails unless exactly the listed cases differ.
    ///
    /// # Panics
    ///
    /// If another case differs, or a listed one does not.
    pub fn hold_against(mut self, differences: Vec<(String, String)>) {
        self.excuse_some(differences);
        assert_eq!(self.stale(), Vec::<&str>::new(), "these no longer differ");
    }

    /// Fails unless all that differ are listed: for a part of the cases.
    ///
    /// # Panics
    ///
    /// If another case differs.
    pub fn excuse_some(&mut self, differences: Vec<(String, String)>) {
        let unknown: Vec<String> = differences
            .into_iter()
            .filter(|(id, _)| !self.excuses(id))
            .map(|(id, difference)| format!("{id}: {difference}"))
            .collect();
        assert!(
            unknown.is_empty(),
            "{} differ:\n\n{}",
            unknown.len(),
            unknown.join("\n\n")
        );
    }
}
