//! Names: singular forms, and when two names mean the same.

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

/// The name in the API that a field of the spec means, and whether it is certain.
pub(super) fn same<'n>(name: &str, known: &[&'n str]) -> Option<(&'n str, bool)> {
    if let Some(exact) = known.iter().find(|known| **known == name) {
        return Some((exact, true));
    }
    let wanted = folded(name);
    let by = |test: &dyn Fn(&str) -> bool| {
        let mut found = known.iter().filter(|known| test(&folded(known)));
        let first = found.next()?;
        found.next().is_none().then_some(*first)
    };
    if let Some(found) = by(&|known| known == wanted) {
        return Some((found, true));
    }
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
        let check = |name, known: &[&'static str], expected| assert_eq!(same(name, known), expected);
        check("tier", &["tier", "tiers"], Some(("tier", true)));
        check("kmsKey", &["kms_key"], Some(("kms_key", true)));
        check("period", &["periods"], Some(("periods", false)));
        check("kmsKey", &["kmsKeyName"], Some(("kmsKeyName", false)));
        check("network", &["networkUrl", "networkId"], None);
        check("x", &["y"], None);
    }
}
