//! Versions of an object: which one it has in an API, and what is left of it after it was stored in another one.

use std::sync::Arc;

use kindsmith::{Arena, GroupVersion, Kinds, Value};
use kindsmith_openapi::crd::Definition;

use super::review;

/// The CRD of an object's kind in one API, whatever the version of the object.
pub(super) struct Home<'k> {
    kinds: &'k Kinds,
    definition: Arc<Definition>,
}

impl<'k> Home<'k> {
    /// `None` if no CRD has the kind.
    pub(super) fn of(kinds: &'k Kinds, object: Value<'_>) -> Option<Self> {
        let text = |key: &str| object.get(key).and_then(Value::as_str);
        let (api_version, kind) = (text("apiVersion")?, text("kind")?);
        let GroupVersion { group, .. } = GroupVersion::parse(api_version).ok()?;
        let is_it = |definition: &Arc<Definition>| {
            *definition.spec.group == *group && *definition.spec.names.kind == *kind
        };
        let definition = kinds.crds().definitions().find(is_it)?;
        Some(Self { kinds, definition })
    }

    /// Whether objects are converted by field name: only their apiVersion changes.
    pub(super) fn converts_by_name(&self) -> bool {
        let conversion = self.definition.spec.conversion.as_ref();
        conversion.is_none_or(|conversion| *conversion.strategy == *"None")
    }

    pub(super) fn has_version(&self, version: &str) -> bool {
        let mut versions = self.definition.spec.versions.iter();
        versions.any(|known| *known.name == *version)
    }

    /// An object as the storage version has it; `None` if a webhook would have to convert it.
    pub(super) fn in_storage_version<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Option<Value<'a>> {
        let storage = self.definition.spec.storage_version()?;
        let api_version = format!("{}/{}", self.definition.spec.group, storage.name);
        let mut converted = object;
        converted.set(arena, &["apiVersion"], (&*arena.alloc_str(&api_version)).into());
        self.converts_by_name().then_some(converted)
    }

    /// What clients read after an object was stored: fields that the storage version does not have are gone.
    pub(super) fn stored<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a>
    where
        'k: 'a,
    {
        let Some(converted) = self.in_storage_version(arena, object) else {
            return object;
        };
        let own = object.get("apiVersion");
        if converted.get("apiVersion") == own {
            return object;
        }
        let kept = review(self.kinds, arena, converted, None).and_then(|review| review.object);
        let (Some(mut kept), Some(own)) = (kept, own) else {
            return object;
        };
        kept.set(arena, &["apiVersion"], own);
        review(self.kinds, arena, kept, None)
            .and_then(|review| review.object)
            .unwrap_or(kept)
    }
}
