//! The order of groups and versions: by priority, then groups by name, of their own or of an `APIService`, and versions by stability.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::registered::Registration;
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

/// A group with its versions, preferred one first.
pub(crate) struct Group<'c> {
    pub(crate) name: &'c str,
    pub(crate) versions: Vec<Version<'c>>,
    priority: u32,
}

/// A version of a group.
pub(crate) struct Version<'c> {
    pub(crate) name: &'c str,
    /// Its resources; none if another server answers.
    pub(crate) served: &'c [Arc<Served>],
    group_priority: u32,
    priority: u32,
}

/// What decides between groups of the same priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ties {
    /// Their name (`calculateAPIGroupsLocked` in apiserver's pkg/endpoints/discovery/aggregated/handler.go).
    Name,
    /// The name of an `APIService`, which begins with the version (`ByGroupPriorityMinimum` in kube-aggregator's
    /// pkg/apis/apiregistration/v1/helper).
    ApiService,
}

/// The named groups of a catalog and of other servers, highest priority first.
pub(crate) fn groups<'c>(
    catalog: &'c Catalog,
    elsewhere: impl Iterator<Item = &'c Registration>,
    ties: Ties,
) -> Vec<Group<'c>> {
    let chunks = catalog.served.chunk_by(|left, right| left.group == right.group);
    let mut versions: BTreeMap<&str, Vec<Version<'c>>> = chunks
        .filter_map(|served| Some((&*served.first()?.group, of_catalog(served))))
        .collect();
    for known in elsewhere {
        versions.entry(&known.group).or_default().push(Version {
            name: &known.version,
            served: &[],
            group_priority: known.group_priority,
            priority: known.version_priority,
        });
    }
    versions.remove("");
    let mut groups: Vec<Group<'c>> = versions
        .into_iter()
        .map(|(name, versions)| group(name, versions))
        .collect();
    match ties {
        Ties::Name => groups.sort_by_key(|group| Reverse(group.priority)),
        Ties::ApiService => {
            groups.sort_by_cached_key(|group| (Reverse(group.priority), group.first_service()));
        }
    }
    groups
}

/// The core group of a catalog, if it has one.
pub(crate) fn core(catalog: &Catalog) -> Option<Group<'_>> {
    let end = catalog.served.partition_point(|served| served.group.is_empty());
    (end > 0).then(|| group("", of_catalog(&catalog.served[..end])))
}

fn of_catalog(served: &[Arc<Served>]) -> Vec<Version<'_>> {
    let chunks = served.chunk_by(|left, right| left.version == right.version);
    let versions = chunks.filter_map(|served| {
        let first = served.first()?;
        Some(Version {
            name: &first.version,
            served,
            group_priority: priority(&first.group),
            priority: version_priority(&first.group, &first.version, first.resource.is_custom()),
        })
    });
    versions.collect()
}

fn group<'c>(name: &'c str, mut versions: Vec<Version<'c>>) -> Group<'c> {
    let before = |version: &Version<'_>| Reverse(version.priority);
    versions.sort_by(|left, right| {
        let by_priority = before(left).cmp(&before(right));
        by_priority.then_with(|| compare(right.name, left.name))
    });
    let priority = versions.iter().map(|version| version.group_priority).max();
    Group {
        name,
        versions,
        priority: priority.unwrap_or_default(),
    }
}

impl Group<'_> {
    /// The name of the first `APIService` among those that give the group its priority.
    fn first_service(&self) -> String {
        let decisive = self
            .versions
            .iter()
            .filter(|version| version.group_priority == self.priority);
        let names = decisive.map(|version| format!("{}.{}", version.name, self.name));
        names.min().unwrap_or_default()
    }
}

/// The priority of a group.
pub(crate) fn priority(group: &str) -> u32 {
    let known = PRIORITIES.iter().find(|(name, _)| *name == group);
    known.map_or(1_000, |&(_, priority)| priority)
}

/// The priority of a version in its group (`apiVersionPriorities` in pkg/controlplane/apiserver/aggregator.go).
pub(crate) fn version_priority(group: &str, version: &str, is_custom: bool) -> u32 {
    match (group, version) {
        _ if is_custom => 100,
        ("", _) => 1,
        ("autoscaling", "v2") => 30,
        ("flowcontrol.apiserver.k8s.io" | "resource.k8s.io", "v1") => 21,
        _ => 15,
    }
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
