//! Restores what a write of a custom resource may not change: status and generation (`PrepareForCreate` and
//! `PrepareForUpdate` in apiextensions-apiserver's pkg/registry/customresource).

use kindsmith_json::{Arena, Object};

use super::Version;
use super::coerce::Custom;

/// Removes the status if it is a subresource; sets the first generation.
pub(super) fn create<'a>(arena: &'a Arena, custom: &mut Custom<'a>, version: &Version) {
    if version.has_status {
        custom.object.remove(arena, "status");
    }
    custom.meta.generation = 1;
}

/// Keeps the old status if it is a subresource; increments the generation if anything outside metadata differs.
pub(super) fn update<'a>(arena: &'a Arena, custom: &mut Custom<'a>, old: &Custom<'a>, version: &Version) {
    if version.has_status {
        custom.restore(arena, "status", old);
    }
    if !same_outside_metadata(custom.object, old.object) {
        custom.meta.generation = old.meta.generation.saturating_add(1);
    }
}

/// Takes only the status and the managed fields from the request.
pub(super) fn update_status<'a>(arena: &'a Arena, custom: &mut Custom<'a>, old: &Custom<'a>) {
    let sent = *custom;
    *custom = *old;
    custom.meta.managed_fields = sent.meta.managed_fields;
    custom.extra.is_unpruned = sent.extra.is_unpruned;
    custom.restore(arena, "status", &sent);
}

fn same_outside_metadata(new: Object<'_>, old: Object<'_>) -> bool {
    let count = |object: Object<'_>| object.keys().filter(|&key| key != "metadata").count();
    count(new) == count(old)
        && new
            .iter()
            .filter(|&(key, _)| key != "metadata")
            .all(|(key, value)| old.get(key) == Some(value))
}
