//! The order of groups and versions: by priority, then groups by name and versions by stability.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::{Catalog, Served};

/// Groups with a priority, highest first (the priorities of their `APIService` objects; the group of `APIService`
/// itself has none and comes first).
const PRIORITIES: &[(&str, u32)] = &[
    ("apiregistration.k8s.io", 20_000),
    ("", 18_000),
    ("apps", 17_800),
    ("events.k8s.io", 17_750),
    ("authentication.k8s.io", 17_700),
    ("authorization.k8s.io", 17_600),
    ("autoscaling", 17_500),
    ("batch", 17_400),
    ("certificates.k8s.io", 17_300),
    ("networking.k8s.io", 17_200),
    ("policy", 17_100),
    ("rbac.authorization.k8s.io", 17_000),
    ("storage.k8s.io", 16_800),
    ("admissionregistration.k8s.io", 16_700),
    ("apiextensions.k8s.io", 16_700),
    ("scheduling.k8s.io", 16_600),
    ("coordination.k8s.io", 16_500),
    ("node.k8s.io", 16_300),
    ("discovery.k8s.io", 16_200),
    ("resource.k8s.io", 16_200),
    ("flowcontrol.apiserver.k8s.io", 16_100),
    ("storagemigration.k8s.io", 15_800),
];

/// The named groups of a catalog with their resources, highest priority first.
pub(crate) fn groups(catalog: &Catalog) -> Vec<(&str, &[Arc<Served>])> {
    let chunks = catalog.served.chunk_by(|left, right| left.group == right.group);
    let mut groups: Vec<(&str, &[Arc<Served>])> = chunks
        .filter_map(|served| Some((&*served.first()?.group, served)))
        .filter(|(group, _)| !group.is_empty())
        .collect();
    groups
        .sort_by(|(left, _), (right, _)| priority(right).cmp(&priority(left)).then_with(|| left.cmp(right)));
    groups
}

/// The priority of a group.
pub(crate) fn priority(group: &str) -> u32 {
    let known = PRIORITIES.iter().find(|(name, _)| *name == group);
    known.map_or(1_000, |&(_, priority)| priority)
}

/// The versions of a group with their resources, preferred version first. The input is sorted by version.
pub(crate) fn versions(served: &[Arc<Served>]) -> Vec<(&str, &[Arc<Served>])> {
    let chunks = served.chunk_by(|left, right| left.version == right.version);
    let mut versions: Vec<(&str, &[Arc<Served>])> = chunks
        .filter_map(|served| Some((&*served.first()?.version, served)))
        .collect();
    versions.sort_by(|(left, _), (right, _)| compare(right, left));
    versions
}

/// Compares two versions (`CompareKubeAwareVersionStrings` in apimachinery's pkg/version): stable before beta before
/// alpha, higher numbers first; other names come last, alphabetically.
fn compare(left: &str, right: &str) -> Ordering {
    match (parse(left), parse(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(_), None) => Ordering::Greater,
        (None, Some(_)) => Ordering::Less,
        (None, None) => right.cmp(left),
    }
}

/// Stability, major number, and number of the alpha or beta.
fn parse(version: &str) -> Option<(u8, u64, u64)> {
    let rest = version.strip_prefix('v')?;
    let end = rest
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(rest.len());
    let (major, rest) = rest.split_at(end);
    let number = |text: &str| {
        if text.starts_with('0') {
            None
        } else {
            text.parse::<u64>().ok()
        }
    };
    let major = number(major)?;
    if rest.is_empty() {
        return Some((2, major, 0));
    }
    let (stability, minor) = match (rest.strip_prefix("beta"), rest.strip_prefix("alpha")) {
        (Some(minor), _) => (1, minor),
        (_, Some(minor)) => (0, minor),
        (None, None) => return None,
    };
    Some((stability, major, number(minor)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stable_versions_come_first() {
        let mut versions = ["foo", "v1alpha1", "v2beta1", "v1", "bar", "v10", "v1beta2", "v01"];
        versions.sort_by(|left, right| compare(right, left));
        assert_eq!(
            versions,
            ["v10", "v1", "v2beta1", "v1beta2", "v1alpha1", "bar", "foo", "v01"]
        );
    }
}
