//! The resources that a stored CRD defines.

use std::sync::Arc;

use kindsmith_object::StorePrefix;
use kindsmith_schema::Str;
use kindsmith_store::Bytes;

use super::outline::{Outline, OutlineVersion};
use super::{Served, Subresource, Verb, Verbs};
use crate::resource::{Custom, Serving};

/// The verbs of custom resources, in discovery order.
const ALL: Verbs = &[
    Verb::Delete,
    Verb::DeleteCollection,
    Verb::Get,
    Verb::List,
    Verb::Patch,
    Verb::Create,
    Verb::Update,
    Verb::Watch,
];
/// The verbs that discovery lists for custom resources whose CRD is being deleted (`sync` in apiextensions-apiserver's
/// pkg/apiserver/customresource_discovery_controller.go); updates and patches are answered still.
const TERMINATING: Verbs = &[
    Verb::Delete,
    Verb::DeleteCollection,
    Verb::Get,
    Verb::List,
    Verb::Watch,
];
const PARTS: Verbs = &[Verb::Get, Verb::Patch, Verb::Update];

/// A stored CRD and the resources it defines.
#[derive(Debug, Clone)]
pub(crate) struct Defined {
    /// The CRD without its schemas.
    pub(crate) outline: Outline,
    /// Its resource in all served versions.
    pub(crate) served: Vec<Arc<Served>>,
    /// The same for a definition whose names are accepted, but that is not established: requests are answered, but it is
    /// not published.
    pub(crate) unpublished: Vec<Arc<Served>>,
}

impl Defined {
    /// Reads a stored CRD; `None` if it is invalid.
    pub(crate) fn read(source: &Bytes, serving: &Serving) -> Option<Defined> {
        Some(Defined::new(source, Outline::read(source)?, serving))
    }

    /// What a stored CRD with this outline defines.
    pub(crate) fn new(source: &Bytes, outline: Outline, serving: &Serving) -> Defined {
        let storage_version = outline.storage_version();
        let custom = Custom::new(source.clone(), storage_version, outline.has_webhook, serving);
        let resource = Arc::new(custom);
        let versions = outline.versions.iter().filter(|version| version.is_served);
        let served: Vec<Arc<Served>> = versions
            .map(|version| Arc::new(serve(&outline, version, &resource)))
            .collect();
        let (served, unpublished) = match (outline.is_established, outline.is_accepted) {
            (true, _) => (served, Vec::new()),
            (false, true) => (Vec::new(), served),
            (false, false) => (Vec::new(), Vec::new()),
        };
        Defined {
            outline,
            served,
            unpublished,
        }
    }
}

fn serve(outline: &Outline, version: &OutlineVersion, resource: &Arc<Custom>) -> Served {
    let names = &outline.accepted;
    let subresource = |name: &str, kind: (Str, Str, Str)| Subresource {
        name: name.into(),
        kind,
        verbs: PARTS,
        has_table: true,
    };
    let own = (outline.group.clone(), version.name.clone(), names.kind.clone());
    let scale = ("autoscaling".into(), "v1".into(), "Scale".into());
    let status = version.has_status.then(|| subresource("status", own));
    let scale = version.has_scale.then(|| subresource("scale", scale));
    Served {
        group: outline.group.clone(),
        version: version.name.clone(),
        plural: names.plural.clone(),
        singular: names.singular.clone(),
        kind: names.kind.clone(),
        list_kind: names.list_kind.clone(),
        short_names: names.short_names.to_vec(),
        categories: names.categories.to_vec(),
        scope: outline.scope,
        verbs: if outline.is_terminating { TERMINATING } else { ALL },
        subresources: status.into_iter().chain(scale).collect(),
        key_prefix: StorePrefix::custom(&outline.group, &names.plural),
        resource: Arc::clone(resource) as Arc<dyn crate::Resource>,
    }
}
