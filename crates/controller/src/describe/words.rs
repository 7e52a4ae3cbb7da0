//! Names: singular forms, and when two names mean the same.

use std::collections::{HashMap, HashSet};

/// The singular of a plural, as APIs form it.
pub(super) fn singular(plural: &str) -> String {
    if let Some(stem) = plural.strip_suffix("ies") {
        return format!("{stem}y");
    }
    for ending in ["sses", "xes", "ches", "shes"] {
        if let Some(stem) = plural.strip_suffix("es").filter(|_| plural.ends_with(ending)) {
            return stem.to_owned();
        }
    }
    match plural.strip_suffix('s').filter(|stem| !stem.ends_with('s')) {
        Some(stem) => stem.to_owned(),
        None => plural.to_owned(),
    }
}

/// A name without case and signs.
pub(super) fn folded(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|sign| sign.to_ascii_lowercase())
        .collect()
}

/// The names of an object in the API, to look up in.
pub(super) struct Names<'n> {
    /// Folded, with the names themselves.
    folded: Vec<(String, &'n str)>,
    exact: HashSet<&'n str>,
    /// By their folded form: the name, if there is only one.
    by_folded: HashMap<String, Option<&'n str>>,
}

impl<'n> Names<'n> {
    pub(super) fn new(known: impl IntoIterator<Item = &'n str>) -> Self {
        let folded: Vec<(String, &'n str)> = known.into_iter().map(|name| (folded(name), name)).collect();
        let mut by_folded: HashMap<String, Option<&'n str>> = HashMap::new();
        for (fold, name) in &folded {
            let entry = by_folded.entry(fold.clone());
            entry.and_modify(|only| *only = None).or_insert(Some(*name));
        }
        let exact = folded.iter().map(|(_, name)| *name).collect();
        Names {
            folded,
            exact,
            by_folded,
        }
    }
}

/// The name in the API that a field of the spec means, and whether it is certain.
pub(super) fn same<'n>(name: &str, known: &Names<'n>) -> Option<(&'n str, bool)> {
    if let Some(exact) = known.exact.get(name) {
        return Some((exact, true));
    }
    let wanted = folded(name);
    if let Some(found) = known.by_folded.get(&wanted).copied().flatten() {
        return Some((found, true));
    }
    let by = |test: &dyn Fn(&str) -> bool| {
        let mut found = known.folded.iter().filter(|(folded, _)| test(folded));
        let (_, first) = found.next()?;
        found.next().is_none().then_some(*first)
    };
    let likely: [&dyn Fn(&str) -> bool; 2] = [
        &|known| singular(known) == wanted || singular(&wanted) == *known,
        &|known| {
            let endings = [
                "config", "name", "id", "url", "link", "uri", "enabled", "settings",
            ];
            endings
                .iter()
                .any(|ending| known.strip_suffix(ending) == Some(&wanted))
        },
    ];
    likely
        .iter()
        .find_map(|test| by(test))
        .map(|found| (found, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_matched() {
        for (plural, expected) in [
            ("projects", "project"),
            ("repositories", "repository"),
            ("addresses", "address"),
            ("managedZones", "managedZone"),
            ("dns", "dn"),
            ("access", "access"),
        ] {
            assert_eq!(singular(plural), expected);
        }
        let check = |name, known: &[&'static str], expected| {
            assert_eq!(same(name, &Names::new(known.iter().copied())), expected);
        };
        check("tier", &["tier", "tiers"], Some(("tier", true)));
        check("kmsKey", &["kms_key"], Some(("kms_key", true)));
        check("period", &["periods"], Some(("periods", false)));
        check("kmsKey", &["kmsKeyName"], Some(("kmsKeyName", false)));
        check("network", &["networkUrl", "networkId"], None);
        check("x", &["y"], None);
    }
}
