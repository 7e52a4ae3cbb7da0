//! The objects before an update, and which of them a manifest updates.

use std::collections::HashMap;

use kindsmith_json::Value;
use kindsmith_object::GroupVersion;

use crate::manifest::Manifest;

/// Old objects.
pub(super) struct Old<'a> {
    manifests: Vec<Manifest<'a>>,
    by_name: HashMap<Name, usize>,
    /// Whether objects without a counterpart of their name are paired in order.
    is_in_order: bool,
}

/// Group, kind, namespace and name.
type Name = (String, String, String, String);

impl<'a> Old<'a> {
    /// Objects of a directory are found by name. Those of a single file may be renamed, so the rest is taken in order.
    pub(super) fn new(manifests: Vec<Manifest<'a>>, is_file: bool) -> Self {
        let names = manifests.iter().enumerate();
        let by_name = names
            .filter_map(|(index, old)| Some((name(old)?, index)))
            .collect();
        Self {
            manifests,
            by_name,
            is_in_order: is_file,
        }
    }

    pub(super) fn all(&self) -> &[Manifest<'a>] {
        &self.manifests
    }

    /// The object that a manifest updates.
    pub(super) fn of(&self, index: usize, new: &Manifest<'a>) -> Option<Value<'a>> {
        let named = name(new).and_then(|name| self.by_name.get(&name).copied());
        let index = named.or(self.is_in_order.then_some(index))?;
        self.manifests.get(index).map(|old| old.value)
    }
}

fn name(manifest: &Manifest<'_>) -> Option<Name> {
    let (api_version, kind) = manifest.identity();
    let GroupVersion { group, .. } = GroupVersion::parse(api_version).unwrap_or_default();
    let text = |key: &str| manifest.value.text(&["metadata", key]).to_owned();
    let name = text("name");
    (!name.is_empty() && !kind.is_empty()).then(|| {
        let namespace = match text("namespace") {
            empty if empty.is_empty() => "default".to_owned(),
            namespace => namespace,
        };
        (group.to_owned(), kind.to_owned(), namespace, name)
    })
}
