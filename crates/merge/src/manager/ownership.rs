//! Who owns what after an object changed (structured-merge-diff `merge/update.go`).

use kindsmith_json::{Arena, Value};

use super::conflict::ConflictSets;
use super::{ConvertError, FieldManager};
use crate::managed::ManagedEntry;
use crate::typed::Comparison;

/// What happens to changed fields that others own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Force {
    /// The manager takes them.
    Yes,
    /// They are conflicts.
    No,
}

/// Why ownership could not be determined.
pub(super) enum Failure<'a> {
    Conflicts(ConflictSets<'a>),
    Internal(String),
}

impl From<String> for Failure<'_> {
    fn from(why: String) -> Self {
        Failure::Internal(why)
    }
}

impl FieldManager<'_> {
    /// Takes the changed fields from all entries except `applying`; returns what changed at the endpoint's version.
    pub(super) fn take<'a>(
        &self,
        arena: &'a Arena,
        (old, new): (Value<'a>, Value<'a>),
        entries: &mut Vec<ManagedEntry<'a>>,
        applying: Option<&ManagedEntry<'a>>,
        force: Force,
    ) -> Result<Comparison<'a>, Failure<'a>> {
        let own = self.filtered(arena, self.api_version, self.topology()?.compare(arena, old, new));
        let mut known: Vec<(&'a str, Option<Comparison<'a>>)> = Vec::new();
        let mut conflicts = Vec::new();
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries.iter() {
            if applying.is_some_and(|applying| applying.is_same_manager(entry)) {
                kept.push(*entry);
                continue;
            }
            let found = known.iter().find(|(version, _)| *version == entry.api_version);
            let comparison = match found {
                _ if entry.api_version == self.api_version => Some(own),
                Some((_, comparison)) => *comparison,
                None => {
                    let comparison = self.compare_at(arena, old, new, entry.api_version)?;
                    known.push((entry.api_version, comparison));
                    comparison
                }
            };
            // Entries of versions that no longer exist are dropped.
            let Some(comparison) = comparison else {
                continue;
            };
            let changed = comparison.modified.union(arena, comparison.added);
            let lost = entry.fields.intersection(arena, changed);
            if !lost.is_empty() {
                conflicts.push(ManagedEntry {
                    fields: lost,
                    ..*entry
                });
            }
            let left = entry
                .fields
                .difference(arena, lost)
                .difference(arena, comparison.removed);
            if !left.is_empty() {
                kept.push(ManagedEntry {
                    fields: left,
                    ..*entry
                });
            }
        }
        if force == Force::No && !conflicts.is_empty() {
            return Err(Failure::Conflicts(ConflictSets(conflicts)));
        }
        kept.retain(|entry| !entry.fields.is_empty());
        *entries = kept;
        Ok(own)
    }

    /// What changed, at another version; `None` if that version no longer exists.
    fn compare_at<'a>(
        &self,
        arena: &'a Arena,
        old: Value<'a>,
        new: Value<'a>,
        version: &str,
    ) -> Result<Option<Comparison<'a>>, String> {
        let convert = |object, what: &str| match self.at_version(arena, object, version) {
            Ok(converted) => Ok(Some(converted)),
            Err(ConvertError::NoSuchVersion) => Ok(None),
            Err(ConvertError::Failed(why)) => Err(format!("failed to convert {what} object: {why}")),
        };
        let (Some((old, topology)), Some((new, _))) = (convert(old, "old")?, convert(new, "new")?) else {
            return Ok(None);
        };
        Ok(Some(self.filtered(
            arena,
            version,
            topology.compare(arena, old, new),
        )))
    }

    /// The comparison without the fields that the endpoint resets.
    fn filtered<'a>(&self, arena: &'a Arena, version: &str, comparison: Comparison<'a>) -> Comparison<'a> {
        let Some(reset) = self.versions.reset_fields(version) else {
            return comparison;
        };
        Comparison {
            added: reset.filter(arena, comparison.added),
            modified: reset.filter(arena, comparison.modified),
            removed: reset.filter(arena, comparison.removed),
        }
    }

    /// Adapts entries to the current schemas; drops those of versions that no longer exist.
    pub(super) fn reconcile<'a>(
        &self,
        arena: &'a Arena,
        live: Value<'a>,
        entries: &mut Vec<ManagedEntry<'a>>,
    ) -> Result<(), String> {
        let mut gone: Vec<&'a str> = Vec::new();
        let mut checked: Vec<&'a str> = Vec::new();
        for entry in entries.iter_mut() {
            if gone.contains(&entry.api_version) {
                continue;
            }
            if entry.api_version != self.api_version && !checked.contains(&entry.api_version) {
                match self.at_version(arena, live, entry.api_version) {
                    Ok(_) => checked.push(entry.api_version),
                    Err(ConvertError::NoSuchVersion) => {
                        gone.push(entry.api_version);
                        continue;
                    }
                    Err(ConvertError::Failed(why)) => return Err(why),
                }
            }
            if let Some(topology) = self.versions.topology(entry.api_version) {
                entry.fields = topology.reconcile(arena, entry.fields);
            }
        }
        entries.retain(|entry| !gone.contains(&entry.api_version));
        Ok(())
    }
}
