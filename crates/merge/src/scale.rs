//! Managed fields between an object and its scale subresource (apimachinery
//! `pkg/util/managedfields/scalehandler.go`).

use kindsmith_json::{Arena, Value};

use crate::element::Element;
use crate::managed::{self, EntryError, ManagedEntry};
use crate::set::FieldSet;

/// Where the versions of a kind keep what the scale subresource calls `spec.replicas`.
#[derive(Debug, Clone, Copy)]
pub struct ScaleMapping<'m> {
    /// The version of the request.
    pub api_version: &'m str,
    /// The path of the replicas by version; `None` for versions without the subresource.
    pub paths: &'m [(&'m str, Option<&'m [&'m str]>)],
}

const SCALE_VERSION: &str = "autoscaling/v1";
const REPLICAS: [Element<'static>; 2] = [Element::Field("spec"), Element::Field("replicas")];

impl ScaleMapping<'_> {
    /// The entries of the scale: those that own the replicas, with the scale's field names.
    ///
    /// # Errors
    /// If the object's entries cannot be read.
    pub fn to_scale<'a>(
        &self,
        arena: &'a Arena,
        parent: Option<Value<'a>>,
    ) -> Result<Option<Value<'a>>, EntryError> {
        let mut entries = managed::decode(arena, parent)?;
        entries.retain_mut(|entry| {
            let owns = self
                .path(arena, entry.api_version)
                .flatten()
                .is_some_and(|path| entry.fields.has(path));
            entry.api_version = SCALE_VERSION;
            entry.fields = replicas(arena);
            owns
        });
        Ok(managed::encode(arena, entries))
    }

    /// The entries of the object after a write to its scale.
    ///
    /// # Errors
    /// If entries cannot be read.
    pub fn to_parent<'a>(
        &self,
        arena: &'a Arena,
        parent: Option<Value<'a>>,
        scale: Option<Value<'a>>,
    ) -> Result<Option<Value<'a>>, EntryError> {
        let mut scales = managed::decode(arena, scale)?;
        let mut entries = Vec::new();
        let parents = managed::decode(arena, parent)?;
        for mut entry in parents.iter().copied() {
            let Some(path) = self.path(arena, entry.api_version) else {
                continue;
            };
            if let Some(path) = path.filter(|path| entry.fields.has(path)) {
                // The scale's entries have the scale's version, so only entries of applies match.
                let still_owns = scales.iter().position(|scale| scale.is_same_manager(&entry));
                match still_owns {
                    Some(position) => _ = scales.remove(position),
                    None => {
                        entry.fields = entry
                            .fields
                            .difference(arena, FieldSet::from_paths(arena, &[path]));
                    }
                }
            }
            if !entry.fields.is_empty() {
                entries.push(entry);
            }
        }
        for scale in scales.iter().filter(|scale| scale.fields.has(&REPLICAS)) {
            let Some(path) = self.path(arena, self.api_version).flatten() else {
                continue;
            };
            let api_version = arena.alloc_str(self.api_version);
            let fields = FieldSet::from_paths(arena, &[path]);
            // The times of the scale's entries are not carried over.
            let known = parents.iter().find(|parent| parent.is_same_manager(scale));
            let time = known.and_then(|parent| parent.time);
            entries.push(ManagedEntry {
                api_version,
                time,
                fields,
                ..*scale
            });
        }
        Ok(managed::encode(arena, entries))
    }

    /// The path of the replicas at a version; `None` for an unknown version.
    fn path<'a>(&self, arena: &'a Arena, api_version: &str) -> Option<Option<&'a [Element<'a>]>> {
        let (_, path) = self.paths.iter().find(|(version, _)| *version == api_version)?;
        Some(path.map(|path| {
            let elements = path.iter().map(|name| Element::Field(&*arena.alloc_str(name)));
            &*arena.alloc_slice_fill_iter(elements.collect::<Vec<_>>())
        }))
    }
}

fn replicas(arena: &Arena) -> FieldSet<'_> {
    FieldSet::from_paths(arena, &[&REPLICAS])
}
