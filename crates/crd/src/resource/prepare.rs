//! What a write may not change is put back: status, generation, and metadata that the server owns
//! (`PrepareForCreate`, `PrepareForUpdate` of apiextensions-apiserver's pkg/registry/customresource, and the steps
//! around them in apiserver's pkg/registry/rest).

use kindsmith_json::{Arena, Object};
use kindsmith_object::meta::ObjectMeta;

use super::Version;
use super::coerce::Item;

/// A new object has no status yet, and its first generation.
pub(super) fn create<'a>(arena: &'a Arena, item: &mut Item<'a>, version: &Version) {
    if version.has_status {
        item.object.remove(arena, "status");
    }
    item.meta.generation = 1;
}

/// A changed object keeps its status if that is written separately; a new generation starts if anything outside
/// metadata differs.
pub(super) fn update<'a>(arena: &'a Arena, item: &mut Item<'a>, old: &Item<'a>, version: &Version) {
    item.meta.generation = old.meta.generation;
    if version.has_status {
        match old.object.get("status") {
            Some(status) => item.object.insert(arena, "status", status),
            None => item.object.remove(arena, "status"),
        };
    }
    if !same_outside_metadata(item.object, old.object) {
        item.meta.generation = old.meta.generation.saturating_add(1);
    }
    keep_system_fields(&mut item.meta, &old.meta);
}

/// A new status is all that counts of what was sent, and who manages it.
pub(super) fn update_status<'a>(arena: &'a Arena, item: &mut Item<'a>, old: &Item<'a>) {
    let status = item.object.get("status");
    let managed_fields = item.meta.managed_fields;
    *item = *old;
    item.meta.managed_fields = managed_fields;
    match status {
        Some(status) => item.object.insert(arena, "status", status),
        None => item.object.remove(arena, "status"),
    };
    keep_system_fields(&mut item.meta, &old.meta);
}

/// Puts back what an update leaves out or cannot change (`BeforeUpdate`).
fn keep_system_fields<'a>(new: &mut ObjectMeta<'a>, old: &ObjectMeta<'a>) {
    if new.uid.is_empty() {
        new.uid = old.uid;
    }
    if old.creation_timestamp.is_some() {
        new.creation_timestamp = old.creation_timestamp;
    }
    if old.deletion_timestamp.is_some() {
        new.deletion_timestamp = old.deletion_timestamp;
    }
    if new.deletion_grace_period_seconds.is_none() {
        new.deletion_grace_period_seconds = old.deletion_grace_period_seconds;
    }
}

fn same_outside_metadata(new: Object<'_>, old: Object<'_>) -> bool {
    let count = |object: Object<'_>| object.keys().filter(|&key| key != "metadata").count();
    count(new) == count(old)
        && new
            .iter()
            .filter(|&(key, _)| key != "metadata")
            .all(|(key, value)| old.get(key) == Some(value))
}
