//! What a manager applied before and applies no more (structured-merge-diff `merge/update.go`, `prune`).

use kindsmith_json::{Arena, Value};

use super::{ConvertError, FieldManager};
use crate::managed::ManagedEntry;
use crate::set::FieldSet;

impl FieldManager<'_> {
    /// Removes from `merged` what `last` owned and nobody owns now. `entries` holds what the manager applies now.
    pub(super) fn prune<'a>(
        &self,
        arena: &'a Arena,
        merged: Value<'a>,
        entries: &[ManagedEntry<'a>],
        applied: FieldSet<'a>,
        last: Option<&ManagedEntry<'a>>,
    ) -> Result<Value<'a>, String> {
        let Some(last) = last.filter(|last| !last.fields.is_empty()) else {
            return Ok(merged);
        };
        // A configuration that still has all it had removes nothing.
        if last.api_version == self.api_version && last.fields.is_subset(applied) {
            return Ok(merged);
        }
        self.prune_dropped(arena, merged, entries, last)
    }

    pub(super) fn prune_dropped<'a>(
        &self,
        arena: &'a Arena,
        merged: Value<'a>,
        entries: &[ManagedEntry<'a>],
        last: &ManagedEntry<'a>,
    ) -> Result<Value<'a>, String> {
        let (merged_then, topology) = match self.at_version(arena, merged, last.api_version) {
            Ok(converted) => converted,
            Err(ConvertError::NoSuchVersion) => return Ok(merged),
            Err(ConvertError::Failed(why)) => {
                return Err(format!(
                    "failed to convert merged object to last applied version: {why}"
                ));
            }
        };
        let named = topology.with_named_members(arena, last.fields);
        let pruned = topology.remove_items(arena, merged_then, named);
        let pruned = self
            .add_back_owned(arena, merged_then, pruned, last.api_version, entries)
            .map_err(|why| format!("failed add back owned items: {why}"))?;
        let pruned = self
            .add_back_dangling(arena, merged_then, pruned, last)
            .map_err(|why| format!("failed add back dangling items: {why}"))?;
        let (pruned, _) = self
            .at_version(arena, pruned, self.api_version)
            .map_err(|error| error.to_string())?;
        Ok(pruned)
    }

    /// Adds back what anyone owns, in the words of every version; that of the pruned object first.
    fn add_back_owned<'a>(
        &self,
        arena: &'a Arena,
        merged: Value<'a>,
        pruned: Value<'a>,
        pruned_version: &'a str,
        entries: &[ManagedEntry<'a>],
    ) -> Result<Value<'a>, String> {
        let mut owned: Vec<(&'a str, FieldSet<'a>)> = Vec::new();
        for entry in entries {
            match owned
                .iter_mut()
                .find(|(version, _)| *version == entry.api_version)
            {
                Some((_, fields)) => *fields = fields.union(arena, entry.fields),
                None => owned.push((entry.api_version, entry.fields)),
            }
        }
        owned.sort_by_key(|(version, _)| (*version != pruned_version, *version));
        let (mut merged, mut pruned) = (merged, pruned);
        for (version, fields) in owned {
            (merged, pruned) = self.add_back_at(arena, merged, pruned, version, fields)?;
        }
        Ok(pruned)
    }

    fn add_back_at<'a>(
        &self,
        arena: &'a Arena,
        merged: Value<'a>,
        pruned: Value<'a>,
        version: &str,
        owned: FieldSet<'a>,
    ) -> Result<(Value<'a>, Value<'a>), String> {
        let (merged, topology) = match self.at_version(arena, merged, version) {
            Ok(converted) => converted,
            Err(ConvertError::NoSuchVersion) => return Ok((merged, pruned)),
            Err(ConvertError::Failed(why)) => {
                return Err(format!(
                    "failed to convert merged object at version {version}: {why}"
                ));
            }
        };
        let pruned = match self.at_version(arena, pruned, version) {
            Ok((pruned, _)) => pruned,
            Err(ConvertError::NoSuchVersion) => return Ok((merged, pruned)),
            Err(ConvertError::Failed(why)) => {
                return Err(format!(
                    "failed to convert pruned object at version {version}: {why}"
                ));
            }
        };
        let named = |set| topology.with_named_members(arena, set);
        let kept = named(topology.field_set(arena, pruned)).union(arena, named(owned));
        let gone = named(topology.field_set(arena, merged)).difference(arena, kept);
        Ok((merged, topology.remove_items(arena, merged, gone)))
    }

    /// Adds back what the manager had not owned itself.
    fn add_back_dangling<'a>(
        &self,
        arena: &'a Arena,
        merged: Value<'a>,
        pruned: Value<'a>,
        last: &ManagedEntry<'a>,
    ) -> Result<Value<'a>, String> {
        let (pruned, topology) = match self.at_version(arena, pruned, last.api_version) {
            Ok(converted) => converted,
            Err(ConvertError::NoSuchVersion) => return Ok(merged),
            Err(ConvertError::Failed(why)) => {
                return Err(format!(
                    "failed to convert pruned object to last applied version: {why}"
                ));
            }
        };
        let named = |set| topology.with_named_members(arena, set);
        let kept = named(topology.field_set(arena, pruned));
        let gone = named(topology.field_set(arena, merged)).difference(arena, kept);
        let gone = gone.intersection(arena, named(last.fields));
        Ok(topology.remove_items(arena, merged, gone))
    }
}
