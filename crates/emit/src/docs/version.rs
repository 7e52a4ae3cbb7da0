//! The order in which versions of an API appear: `v1alpha1`, `v1beta1`, `v1`, `v2`.

/// The sort key of versions; names of another form come last.
pub(super) fn order(version: &str) -> (bool, u64, u8, u64, &str) {
    let odd = (true, 0, 0, 0, version);
    let Some(rest) = version.strip_prefix('v') else {
        return odd;
    };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (major, rest) = rest.split_at(end);
    let (stage, minor) = match (rest.strip_prefix("alpha"), rest.strip_prefix("beta")) {
        (Some(minor), _) => (0, minor),
        (_, Some(minor)) => (1, minor),
        _ if rest.is_empty() => (2, "0"),
        _ => return odd,
    };
    match (major.parse(), minor.parse()) {
        (Ok(major), Ok(minor)) => (false, major, stage, minor, version),
        _ => odd,
    }
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn older_versions_come_first() {
        let sorted = [
            "v1alpha1", "v1alpha2", "v1beta1", "v1", "v2alpha1", "v2", "v10", "foo", "v", "v1gamma1",
        ];
        let mut again = sorted;
        again.sort_by_key(|version| order(version));
        assert_eq!(again[..8], sorted[..8]);
    }
}
