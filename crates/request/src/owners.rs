//! Duplicate owner references: the later ones are dropped with a warning.

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::{ObjectMeta, OwnerReference};

/// Drops duplicate owner references and returns the warning (`dedupOwnerReferencesAndAddWarning` in apiserver's
/// pkg/endpoints/handlers/rest.go).
pub fn deduplicate<'a>(arena: &'a Arena, meta: &mut ObjectMeta<'a>, after_admission: bool) -> Option<String> {
    if meta.owner_references.len() < 2 {
        return None;
    }
    let mut kept: Vec<Value<'a>> = Vec::with_capacity(meta.owner_references.len());
    let mut seen: std::collections::HashSet<OwnerReference<'a>> = std::collections::HashSet::new();
    let mut dropped = Vec::new();
    for (&value, owner) in meta.owner_references.iter().zip(meta.owners()) {
        if seen.insert(owner) {
            kept.push(value);
        } else {
            dropped.push(owner.uid);
        }
    }
    if dropped.is_empty() {
        return None;
    }
    meta.owner_references = arena.alloc_slice_copy(&kept);
    let when = if after_admission {
        " after mutating admission happens"
    } else {
        ""
    };
    Some(format!(
        ".metadata.ownerReferences contains duplicate entries{when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}",
        dropped.join(", ")
    ))
}
