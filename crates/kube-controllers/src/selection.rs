//! Which controllers run, by the names of kube-controller-manager.

use std::collections::BTreeSet;
use std::fmt;

use crate::controller::{CONTROLLERS, Controller};
use crate::settings::Settings;

/// Which controllers run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    names: BTreeSet<&'static str>,
}

/// A name that no controller has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownController(String);

impl fmt::Display for UnknownController {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Selection::all().collect();
        let (name, names) = (&self.0, names.join(", "));
        write!(out, "no controller `{name}`; available: *, {names}")
    }
}

impl std::error::Error for UnknownController {}

impl Selection {
    /// Reads names as `--controllers` has them: `*` for all, `-name` for all but one; `-controller` at the end of a name may
    /// be left out.
    ///
    /// # Errors
    ///
    /// If there is no controller of that name.
    pub fn parse<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Selection, UnknownController> {
        let mut selection = Selection::default();
        let mut without = Vec::new();
        for name in names {
            if name == "*" {
                selection.names.extend(Selection::all());
                continue;
            }
            let (known, list) = (name.trim_start_matches('-'), name.starts_with('-'));
            let short = known.strip_suffix("-controller").unwrap_or(known);
            let found = Selection::all().find(|known| *known == short);
            let found = found.ok_or_else(|| UnknownController(known.to_owned()))?;
            if list {
                without.push(found);
            } else {
                selection.names.insert(found);
            }
        }
        for name in without {
            selection.names.remove(name);
        }
        Ok(selection)
    }

    /// All names.
    pub fn all() -> impl Iterator<Item = &'static str> {
        CONTROLLERS.iter().map(|(name, _)| *name)
    }

    /// Whether no controller runs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether a controller runs.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// New controllers of the selected names.
    pub(crate) fn start(&self, settings: &Settings) -> Vec<Box<dyn Controller>> {
        let selected = CONTROLLERS.iter().filter(|(name, _)| self.has(name));
        selected.map(|(_, make)| make(settings)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], expected: Result<&[&str], &str>) {
        let selection = Selection::parse(names.iter().copied());
        let names: Result<Vec<&str>, String> = selection
            .map(|selection| selection.names.into_iter().collect())
            .map_err(|UnknownController(name)| name);
        assert_eq!(
            names.as_deref(),
            expected.map_err(str::to_owned).as_ref().copied()
        );
    }

    #[test]
    fn controllers_are_selected_by_name() {
        check(&[], Ok(&[]));
        check(
            &["namespace", "garbage-collector-controller"],
            Ok(&["garbage-collector", "namespace"]),
        );
        check(&["namespaces"], Err("namespaces"));
        let all = Selection::parse(["*"]).expect("known");
        assert!(Selection::all().all(|name| all.has(name)));
        let but = Selection::parse(["*", "-endpoints-controller"]).expect("known");
        assert!(!but.has("endpoints") && but.has("namespace"));
    }
}
