//! The served kinds: the server's own, and those of other packages.

mod kinds;
mod plain;
mod types;

use std::sync::Arc;

use kindsmith_object::meta::Scope;
use kindsmith_object::{PerRelease, Release};
use kindsmith_schema::{Schema, TypeName};

use crate::types::{History, first_read};
use crate::{Kind, Names, Strategy};

pub use types::kinds_of;

/// One of the server's own kinds: package, type, resource, scope, strategy.
type Line = (
    &'static str,
    &'static str,
    &'static str,
    Scope,
    &'static dyn Strategy,
);

const CLUSTER: Scope = Scope::Cluster;
const NAMESPACED: Scope = Scope::Namespaced;

/// The server's own kinds in a release, sorted by group and resource. Their types are read on the first call.
#[must_use]
pub fn own_kinds(release: Release) -> &'static [Arc<Kind>] {
    static OWN: PerRelease<Vec<Arc<Kind>>> = PerRelease::new();
    OWN.get(release, || make(release, kinds::KINDS.iter().chain(plain::KINDS)))
}

/// One of the server's own kinds in a release, including those that are not resources.
#[must_use]
pub fn find_own(release: Release, group: &str, version: &str, kind: &str) -> Option<&'static Arc<Kind>> {
    static PART: PerRelease<Vec<Arc<Kind>>> = PerRelease::new();
    let parts = PART.get(release, || make(release, kinds::PARTS));
    own_kinds(release).iter().chain(parts).find(|known| {
        let names = &known.names;
        *names.kind == *kind && *names.group == *group && *names.version == *version
    })
}

/// One of the server's own kinds by its resource, in any version and release.
#[must_use]
pub fn find_own_resource(group: &str, resource: &str) -> Option<&'static Arc<Kind>> {
    let find = |release| {
        let mut kinds = own_kinds(release).iter();
        kinds.find(|known| *known.names.group == *group && *known.names.plural == *resource)
    };
    first_read().and_then(find).or_else(|| find(Release::NEWEST))
}

fn make<'l>(release: Release, lines: impl IntoIterator<Item = &'l Line>) -> Vec<Arc<Kind>> {
    let history = History::after(release);
    let lines = lines.into_iter();
    let made = lines.filter(|(package, kind, ..)| {
        let name = format!("{package}.{kind}");
        history.since(&name, "*").is_none()
    });
    let made: Vec<Kind> = made.filter_map(|line| own(release, line)).collect();
    let (others, stored): (Vec<Kind>, Vec<Kind>) = made
        .into_iter()
        .partition(|kind| kind.strategy.conversion().is_some());
    let mut kinds: Vec<Arc<Kind>> = stored.into_iter().map(Arc::new).collect();
    for mut kind in others {
        let wanted = kind.strategy.conversion();
        let (group, version) = wanted.map_or(("", ""), |wanted| (wanted.group, wanted.version));
        let storage = kinds.iter().find(|other| {
            *other.names.group == *group
                && other.names.kind == kind.names.kind
                && *other.names.version == *version
        });
        kind.storage = storage.map(Arc::clone);
        kinds.push(Arc::new(kind));
    }
    kinds.sort_by(|left, right| {
        let key = |kind: &Kind| {
            let names = &kind.names;
            (names.group.clone(), names.plural.clone(), names.version.clone())
        };
        key(left).cmp(&key(right))
    });
    kinds
}

fn own(release: Release, &(package, kind, plural, scope, strategy): &Line) -> Option<Kind> {
    let schema: &Arc<Schema> = crate::types::schema_of(release);
    let path = match package {
        "apiregistration/v1" => format!("k8s.io/kube-aggregator/pkg/apis/{package}"),
        package => format!("k8s.io/api/{package}"),
    };
    let (_, version) = package.rsplit_once('/')?;
    let ty = schema.find(&TypeName::new(&*path, kind))?;
    let group = schema.package(&path)?.group.clone().unwrap_or_default();
    let names = Names {
        group,
        version: version.into(),
        kind: kind.into(),
        list_kind: format!("{kind}List").into(),
        plural: plural.into(),
        singular: kind.to_lowercase().into(),
        short_names: strategy.short_names().iter().map(|&name| name.into()).collect(),
        categories: strategy.categories().iter().map(|&name| name.into()).collect(),
    };
    let mut made = Kind::new(names, scope, Arc::clone(schema), ty, strategy);
    made.release = release;
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_kind() {
        assert_eq!(
            own_kinds(Release::NEWEST).len(),
            kinds::KINDS.len() + plain::KINDS.len()
        );
        assert!(find_own(Release::NEWEST, "autoscaling", "v1", "Scale").is_some());
        assert!(find_own(Release::NEWEST, "authentication.k8s.io", "v1", "TokenRequest").is_some());
        assert!(find_own(Release::NEWEST, "", "v1", "Nothing").is_none());
        let found = find_own_resource("rbac.authorization.k8s.io", "clusterroles");
        assert_eq!(&*found.expect("it is served").names.kind, "ClusterRole");
    }
}
