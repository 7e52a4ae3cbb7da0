//! Built-in kinds in the catalog.

use std::sync::Arc;

use kindsmith_builtin::{Kind, own_kinds};
use kindsmith_object::{PerRelease, Release};

use super::{Served, Subresource, Verb, Verbs};
use crate::resource::BuiltIn;

/// The server's own kinds in a release.
pub(crate) fn own(release: Release) -> &'static [Arc<Served>] {
    static OWN: PerRelease<Vec<Arc<Served>>> = PerRelease::new();
    OWN.get(release, || {
        let kinds = own_kinds(release).iter();
        kinds.map(|kind| Arc::new(served(kind))).collect()
    })
}

/// A kind as it is served.
pub(crate) fn served(kind: &Arc<Kind>) -> Served {
    let names = &kind.names;
    let own = (names.group.clone(), names.version.clone(), names.kind.clone());
    let subresources = kind.subresources();
    let subresources = subresources.map(|subresource| Subresource {
        name: subresource.name.into(),
        kind: match subresource.kind {
            Some((group, version, kind)) => (group.into(), version.into(), kind.into()),
            None => own.clone(),
        },
        verbs: verbs(subresource.verbs),
        has_table: subresource.has_table,
    });
    Served {
        group: names.group.clone(),
        version: names.version.clone(),
        plural: names.plural.clone(),
        singular: names.singular.clone(),
        kind: names.kind.clone(),
        list_kind: names.list_kind.clone(),
        short_names: names.short_names.clone(),
        categories: names.categories.clone(),
        scope: kind.scope,
        verbs: verbs(kind.strategy.verbs()),
        subresources: subresources.collect(),
        key_prefix: kind.key_prefix(),
        resource: Arc::new(BuiltIn::new(Arc::clone(kind))),
    }
}

/// Verbs by their names. A process has only a handful of such lists; each is kept forever.
fn verbs(names: &'static [&'static str]) -> Verbs {
    let verbs: Vec<Verb> = names.iter().filter_map(|name| Verb::named(name)).collect();
    Box::leak(verbs.into_boxed_slice())
}
