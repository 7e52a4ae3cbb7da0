//! How the propagation policy of a deletion changes the finalizers (`deletionFinalizersForGarbageCollection` in
//! apiserver's pkg/registry/generic/registry/store.go).

use kindsmith_builtin::GarbageCollection;
use kindsmith_json::Value;
use kindsmith_object::meta::ObjectMeta;

use super::DeleteOptions;
use crate::request::delete_options::Propagation;

const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";

/// The finalizers of an object after its deletion began.
pub(super) fn after<'a>(
    collection: GarbageCollection,
    options: &DeleteOptions,
    meta: &ObjectMeta<'a>,
) -> Vec<&'a str> {
    let all = || meta.finalizers.iter().filter_map(|item| item.as_str());
    let policy = policy(collection, options, meta);
    let others = all().filter(|name| ![ORPHAN, FOREGROUND].contains(name));
    let own = match policy {
        Propagation::Orphan => Some(ORPHAN),
        Propagation::Foreground => Some(FOREGROUND),
        Propagation::Background => None,
    };
    let wanted: Vec<&str> = others.chain(own).collect();
    // If the set is the same, the order stays too.
    let mut sorted: Vec<&str> = all().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut target = wanted.clone();
    target.sort_unstable();
    target.dedup();
    if sorted == target { all().collect() } else { wanted }
}

/// The propagation policy: from the request, the object's finalizers or the kind, in this order.
fn policy(collection: GarbageCollection, options: &DeleteOptions, meta: &ObjectMeta<'_>) -> Propagation {
    if collection == GarbageCollection::Unsupported {
        return Propagation::Background;
    }
    match (options.orphan_dependents, options.propagation) {
        (Some(true), _) => return Propagation::Orphan,
        (Some(false), _) => return Propagation::Background,
        (None, Some(policy)) => return policy,
        (None, None) => {}
    }
    let own = meta.finalizers.iter().find_map(|&item| match item {
        Value::Str(ORPHAN) => Some(Propagation::Orphan),
        Value::Str(FOREGROUND) => Some(Propagation::Foreground),
        _ => None,
    });
    own.unwrap_or(match collection {
        GarbageCollection::Orphan => Propagation::Orphan,
        _ => Propagation::Background,
    })
}
