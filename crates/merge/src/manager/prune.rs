//! Removes what a manager applied before and no longer applies.
//!
//! The fields that go are computed as one set, at the version of the manager's last apply. Only whole objects can be
//! converted between versions, not sets of fields. So ownership at another version is worked out on two objects there,
//! the merged one and what is left of it: a field is missing if it is in the first and not in the second. Results and
//! error texts are those of structured-merge-diff (`merge/update.go`).

use kindsmith_json::{Arena, Value};

use super::{ConvertError, FieldManager};
use crate::managed::ManagedEntry;
use crate::set::FieldSet;
use crate::topology::Topology;

/// An object at one version, with its fields.
#[derive(Clone, Copy)]
struct View<'m, 'a> {
    topology: &'m Topology,
    object: Value<'a>,
    fields: FieldSet<'a>,
}

impl<'m, 'a> View<'m, 'a> {
    fn new(arena: &'a Arena, object: Value<'a>, topology: &'m Topology) -> Self {
        let fields = topology.with_named_members(arena, topology.field_set(arena, object));
        View {
            topology,
            object,
            fields,
        }
    }

    fn without(&self, arena: &'a Arena, fields: FieldSet<'a>) -> Value<'a> {
        self.topology.remove_items(arena, self.object, fields)
    }
}

impl<'m> FieldManager<'m> {
    /// Removes from `merged` what `last` owned and no one owns now. `entries` include the manager's new entry, whose
    /// fields are `applied`.
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
        if last.api_version == self.api_version && last.fields.is_subset(applied) {
            return Ok(merged);
        }
        let Some(whole) = self.view(arena, merged, last.api_version, || {
            "failed to convert merged object to last applied version".to_owned()
        })?
        else {
            return Ok(merged);
        };
        let gone = self.gone(arena, whole, entries, last)?;
        let (pruned, _) = self
            .at_version(arena, whole.without(arena, gone), self.api_version)
            .map_err(|error| error.to_string())?;
        Ok(pruned)
    }

    /// The fields that go from `merged`, which is at the version of `last`.
    fn gone<'a>(
        &self,
        arena: &'a Arena,
        merged: View<'m, 'a>,
        entries: &[ManagedEntry<'a>],
        last: &ManagedEntry<'a>,
    ) -> Result<FieldSet<'a>, String> {
        // Too much at first: a struct of which `last` owned one field is removed whole.
        let dropped = merged.topology.with_named_members(arena, last.fields);
        let mut left = merged.without(arena, dropped);
        let (mut whole, mut whole_version) = (merged, last.api_version);
        for (version, owned) in owned_by_version(arena, entries, last.api_version) {
            let during = |what| {
                format!("failed add back owned items: failed to convert {what} object at version {version}")
            };
            if version != whole_version {
                let converted = self.view(arena, whole.object, version, || during("merged"))?;
                let Some(converted) = converted else {
                    continue;
                };
                (whole, whole_version) = (converted, version);
            }
            let Some(left_there) = self.view(arena, left, version, || during("pruned"))? else {
                continue;
            };
            let owned = whole.topology.with_named_members(arena, owned);
            let kept = left_there.fields.union(arena, owned);
            left = whole.without(arena, whole.fields.difference(arena, kept));
        }
        let left = self.view(arena, left, last.api_version, || {
            "failed add back dangling items: failed to convert pruned object to last applied version"
                .to_owned()
        })?;
        let missing = left.map(|left| merged.fields.difference(arena, left.fields));
        // Fields that were never owned stay.
        Ok(missing.unwrap_or_default().intersection(arena, dropped))
    }

    /// The object at a version; `None` if the version does not exist.
    fn view<'a>(
        &self,
        arena: &'a Arena,
        object: Value<'a>,
        version: &str,
        during: impl FnOnce() -> String,
    ) -> Result<Option<View<'m, 'a>>, String> {
        match self.at_version(arena, object, version) {
            Ok((object, topology)) => Ok(Some(View::new(arena, object, topology))),
            Err(ConvertError::NoSuchVersion) => Ok(None),
            Err(ConvertError::Failed(why)) => Err(format!("{}: {why}", during())),
        }
    }
}

/// What all managers together own at each version: `first` before the others, which are sorted by name.
fn owned_by_version<'a>(
    arena: &'a Arena,
    entries: &[ManagedEntry<'a>],
    first: &str,
) -> Vec<(&'a str, FieldSet<'a>)> {
    let mut owned: Vec<(&'a str, FieldSet<'a>)> = entries
        .iter()
        .map(|entry| (entry.api_version, entry.fields))
        .collect();
    owned.sort_by_key(|(version, _)| (*version != first, *version));
    owned.dedup_by(|(version, fields), (kept_version, kept)| {
        let is_same = version == kept_version;
        if is_same {
            *kept = kept.union(arena, *fields);
        }
        is_same
    });
    owned
}
