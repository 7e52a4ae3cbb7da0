//! Recorded packages: read from `conformance/`, compiled, and compared with a list of known differences.

use std::collections::BTreeMap;

use kindsmith_engine::Plan;
use kindsmith_schema::{Schema, TypeName};
use kindsmith_testkit::{GoPackages, recordings, text};

/// A package with the plans compiled from its types so far.
pub(crate) struct Package {
    schema: Schema,
    path: String,
    plans: BTreeMap<String, Plan>,
}

impl Package {
    pub(crate) fn new(packages: &GoPackages, pattern: &str, path: &str) -> Self {
        Self {
            schema: packages.read(pattern).schema,
            path: path.to_owned(),
            plans: BTreeMap::new(),
        }
    }

    /// The plan of a type, by its name in the package or with its import path.
    pub(crate) fn plan(&mut self, ty: &str) -> &Plan {
        if !self.plans.contains_key(ty) {
            let (path, name) = ty.rsplit_once('.').unwrap_or((&self.path, ty));
            let id = self.schema.find(&TypeName::new(path, name));
            let id = id.unwrap_or_else(|| panic!("{path} has no type {name}"));
            let plan = Plan::compile(&self.schema, id);
            self.plans.insert(ty.to_owned(), plan);
        }
        &self.plans[ty]
    }
}

/// Cases whose answer differs on purpose, by id: one heading of `known_differences.toml`.
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

    /// Whether the case is listed; marks the entry as used.
    pub(crate) fn excuses(&mut self, id: &str) -> bool {
        match self.ids.get_mut(id) {
            Some(used) => {
                *used = true;
                true
            }
            None => false,
        }
    }

    /// Entries that no case needs any longer.
    pub(crate) fn stale(&self) -> Vec<&str> {
        let unused = self.ids.iter().filter(|(_, used)| !**used);
        unused.map(|(id, _)| id.as_str()).collect()
    }
}
