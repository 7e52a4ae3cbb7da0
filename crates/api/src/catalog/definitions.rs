//! CRDs as a built-in resource.

use std::sync::Arc;

use kindsmith_crd::CrdResource;
use kindsmith_crd::definition::Gates;
use kindsmith_object::StorePrefix;
use kindsmith_object::meta::Scope;

use super::{Served, Subresource, Verb};
use crate::resource::Definitions;

pub(super) fn served(gates: Gates) -> Served {
    let (group, version, kind) = ("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let plural = "customresourcedefinitions";
    Served {
        group: group.into(),
        version: version.into(),
        plural: plural.into(),
        singular: "customresourcedefinition".into(),
        kind: kind.into(),
        list_kind: "CustomResourceDefinitionList".into(),
        short_names: vec!["crd".into(), "crds".into()],
        categories: vec!["api-extensions".into()],
        scope: Scope::Cluster,
        verbs: &[
            Verb::Create,
            Verb::Delete,
            Verb::DeleteCollection,
            Verb::Get,
            Verb::List,
            Verb::Patch,
            Verb::Update,
            Verb::Watch,
        ],
        subresources: vec![Subresource {
            name: "status".into(),
            kind: (group.into(), version.into(), kind.into()),
            verbs: &[Verb::Get, Verb::Patch, Verb::Update],
            has_table: false,
        }],
        key_prefix: StorePrefix::own(group, plural),
        resource: Arc::new(Definitions::new(CrdResource { gates })),
    }
}
