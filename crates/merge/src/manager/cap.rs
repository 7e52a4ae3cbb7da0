//! Limits the number of update entries by merging the oldest (apimachinery `capmanagers.go`).

use kindsmith_json::Arena;

use crate::managed::{ManagedEntry, Operation};

/// How many update entries an object keeps.
const MAX_UPDATES: usize = 10;
/// The manager that takes over the oldest entries.
const BUCKET: &str = "ancient-changes";

pub(super) fn cap<'a>(arena: &'a Arena, entries: &mut Vec<ManagedEntry<'a>>) {
    let is_update = |entry: &&ManagedEntry<'a>| entry.operation == Operation::Update;
    let mut count = entries.iter().filter(is_update).count();
    if count <= MAX_UPDATES {
        return;
    }
    let mut oldest: Vec<ManagedEntry<'a>> = entries.iter().filter(is_update).copied().collect();
    oldest.sort_by_cached_key(|entry| (entry.seconds(), entry.identity()));
    let mut firsts: Vec<ManagedEntry<'a>> = Vec::new();
    for entry in oldest {
        if count <= MAX_UPDATES {
            return;
        }
        let Some(first) = firsts.iter().find(|first| first.api_version == entry.api_version) else {
            firsts.push(entry);
            continue;
        };
        let bucket = ManagedEntry {
            manager: BUCKET,
            subresource: "",
            ..entry
        };
        merge(arena, entries, first, &entry, bucket);
        count -= 1;
    }
}

/// Moves an entry into the bucket of its version. Without a bucket, the entry becomes it.
fn merge<'a>(
    arena: &'a Arena,
    entries: &mut Vec<ManagedEntry<'a>>,
    first: &ManagedEntry<'a>,
    entry: &ManagedEntry<'a>,
    mut bucket: ManagedEntry<'a>,
) {
    let mut take = |wanted: &ManagedEntry<'a>| {
        let position = entries.iter().position(|known| known.is_same_manager(wanted))?;
        Some(entries.remove(position))
    };
    let before = take(&bucket).or_else(|| take(first));
    take(entry);
    if let Some(before) = before {
        bucket.fields = bucket.fields.union(arena, before.fields);
    }
    entries.push(bucket);
}
