//! Ordinary writes: create, replace, patch.

use kindsmith_json::{Arena, Value};

use super::ownership::{Failure, Force};
use super::{FieldManager, cap, described, managed_fields, strip, with_entries, with_managed_fields};
use crate::managed::{self, ManagedEntry, Operation};
use crate::set::FieldSet;
use crate::typed::Duplicates;

impl FieldManager<'_> {
    /// Returns `new` with updated `managedFields`: `manager` now owns what differs from `live`.
    ///
    /// `live` is the stored object, or [`Versions::empty`](super::Versions::empty) for a create. `new` is the object to
    /// store, with defaults, before mutating admission. `now` is the time as `2026-01-02T15:04:05Z`. Never fails: if
    /// ownership cannot be determined, the `managedFields` of `live` stay, or go ([`Versions::keeps_owners`](super::Versions::keeps_owners)).
    #[must_use]
    pub fn update<'a>(
        &self,
        arena: &'a Arena,
        live: Value<'a>,
        new: Value<'a>,
        manager: &str,
        now: &'a str,
    ) -> Value<'a> {
        let entries = self.starting_entries(arena, live, new);
        let bare = super::without_managed_fields(arena, new);
        match self.updated_entries(arena, live, bare, entries, manager, now) {
            Ok(entries) => with_entries(arena, bare, entries),
            Err(_) if self.versions.keeps_owners() => with_managed_fields(arena, bare, managed_fields(live)),
            Err(_) => bare,
        }
    }

    /// The entries that a write starts from: those of the request if it may set them, otherwise those of `live`.
    fn starting_entries<'a>(
        &self,
        arena: &'a Arena,
        live: Value<'a>,
        new: Value<'a>,
    ) -> Vec<ManagedEntry<'a>> {
        let stored = || managed::decode(arena, managed_fields(live)).unwrap_or_default();
        if !self.subresource.is_empty() {
            return stored();
        }
        let sent = managed_fields(new);
        if managed::is_reset(arena, sent) {
            return Vec::new();
        }
        match managed::decode(arena, sent) {
            Ok(entries) if !entries.is_empty() => entries,
            _ => stored(),
        }
    }

    pub(super) fn updated_entries<'a>(
        &self,
        arena: &'a Arena,
        live: Value<'a>,
        new: Value<'a>,
        entries: Vec<ManagedEntry<'a>>,
        manager: &str,
        now: &'a str,
    ) -> Result<Vec<ManagedEntry<'a>>, String> {
        // An object without entries is tracked only from its first apply on.
        let uid = live.lookup(&["metadata", "uid"]).and_then(Value::as_str);
        if entries.is_empty() && uid.is_some_and(|uid| !uid.is_empty()) {
            return Ok(entries);
        }
        self.tracked_update(arena, live, new, entries, manager, now)
    }

    /// The entries after a change, even if the object was not tracked before.
    pub(super) fn tracked_update<'a>(
        &self,
        arena: &'a Arena,
        live: Value<'a>,
        new: Value<'a>,
        mut entries: Vec<ManagedEntry<'a>>,
        manager: &str,
        now: &'a str,
    ) -> Result<Vec<ManagedEntry<'a>>, String> {
        let live = super::without_managed_fields(arena, live);
        let gained = self.gained(arena, live, new, &mut entries)?;
        if !gained.is_empty() {
            let mut own = self.entry(arena, manager, Operation::Update);
            own.time = Some(now);
            own.fields = gained;
            match entries.iter_mut().find(|entry| entry.is_same_manager(&own)) {
                Some(entry) => {
                    own.fields = gained.union(arena, entry.fields);
                    *entry = own;
                }
                None => entries.push(own),
            }
        }
        cap::cap(arena, &mut entries);
        Ok(entries)
    }

    /// Takes the changed fields from all entries and returns them, for the manager to own.
    fn gained<'a>(
        &self,
        arena: &'a Arena,
        live: Value<'a>,
        new: Value<'a>,
        entries: &mut Vec<ManagedEntry<'a>>,
    ) -> Result<FieldSet<'a>, String> {
        let topology = self.topology()?;
        for (object, what) in [(new, "new"), (live, "live")] {
            let valid = topology.validate(object, Duplicates::Allowed);
            valid.map_err(|why| {
                format!(
                    "failed to convert {what} object ({}) to smd typed: {why}",
                    described(object)
                )
            })?;
        }
        self.reconcile(arena, live, entries)?;
        let change = match self.take(arena, (live, new), entries, None, Force::Yes) {
            Ok(change) => change,
            Err(Failure::Internal(why)) => return Err(why),
            Err(Failure::Conflicts(_)) => return Err("forced writes have no conflicts".to_owned()),
        };
        Ok(strip::strip(arena, change.modified.union(arena, change.added)))
    }
}
