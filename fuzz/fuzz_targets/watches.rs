//! Watchers that read slowly or not at all: each gets every write after its start, once and in order, until it is told
//! that it is too slow or too late.
//!
//! Each byte is one step: the lower bits choose what, the others on which key or watcher.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use kindsmith_store::{Error, Limits, Memory, Store, Watch};

/// More watchers only make an input slow.
const MOST: usize = 8;

/// A watcher, its prefix, and the revision up to which it has seen everything.
struct Watcher {
    watch: Watch,
    prefix: Vec<u8>,
    seen: u64,
}

fuzz_target!(|data: &[u8]| {
    let mut limits = Limits::default();
    limits.backlog_events = 5;
    limits.backlog_bytes = 300;
    limits.history_bytes = 4_000;
    let store = Memory::with(limits);
    // The key of each revision, from 2 on.
    let mut writes: Vec<Vec<u8>> = Vec::new();
    let mut watchers: Vec<Watcher> = Vec::new();
    for byte in data {
        let which = byte >> 3;
        let key = [b'/', b'a' + which % 3, b'/', b'a' + which % 7];
        match byte & 7 {
            0..=2 => put(&store, &key, usize::from(*byte), &mut writes),
            3 => delete(&store, &key, &mut writes),
            4 => watchers.extend(watch(&store, &key, which)),
            5 => drop(store.compact(store.seen().saturating_sub(u64::from(which)))),
            6 if !watchers.is_empty() => {
                let index = usize::from(which) % watchers.len();
                if !read(&mut watchers[index], &writes) {
                    watchers.swap_remove(index);
                }
            }
            _ => {
                if let Some(to) = store.overfull() {
                    store.compact(to).expect("it is a revision");
                    assert_eq!(store.overfull(), None);
                }
            }
        }
        watchers.truncate(MOST);
    }
    for mut watcher in watchers {
        while read(&mut watcher, &writes) && watcher.seen < store.seen() {
            if watcher.watch.progress() == store.seen() {
                break;
            }
        }
    }
});

fn put(store: &Memory, key: &[u8], size: usize, writes: &mut Vec<Vec<u8>>) {
    let before = store.get(key, None).expect("it can be read");
    let expected = before.map_or(0, |entry| entry.modified);
    let revision = store.update(key, vec![0; size].into(), expected);
    writes.push(key.to_vec());
    assert_eq!(revision, Ok(1 + writes.len() as u64));
}

fn delete(store: &Memory, key: &[u8], writes: &mut Vec<Vec<u8>>) {
    if let Some(entry) = store.get(key, None).expect("it can be read") {
        store.delete(key, entry.modified).expect("nobody else writes");
        writes.push(key.to_vec());
    }
}

fn watch(store: &Memory, key: &[u8], which: u8) -> Option<Watcher> {
    let prefix = key[..1 + usize::from(which % 4)].to_vec();
    let after = store.seen().saturating_sub(u64::from(which)).max(1);
    match store.watch(&prefix, after) {
        Ok(watch) => Some(Watcher {
            watch,
            prefix,
            seen: after,
        }),
        Err(Error::Compacted { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Takes one event, if there is one; `false` at the end.
fn read(watcher: &mut Watcher, writes: &[Vec<u8>]) -> bool {
    let of = |revision: u64| &writes[usize::try_from(revision).expect("it is small") - 2];
    let missed = |from: u64, to: u64| (from..to).any(|revision| of(revision).starts_with(&watcher.prefix));
    match watcher.watch.try_next() {
        Ok(Some(event)) => {
            assert!(event.revision > watcher.seen && *event.key == **of(event.revision));
            assert!(!missed(watcher.seen + 1, event.revision), "events are missing");
            watcher.seen = event.revision;
            true
        }
        Ok(None) => {
            let progress = watcher.watch.progress();
            assert!(progress >= watcher.seen);
            assert!(!missed(watcher.seen + 1, progress + 1), "events are late");
            watcher.seen = progress;
            true
        }
        Err(Error::Slow { delivered }) => {
            assert!(delivered <= watcher.seen);
            false
        }
        Err(Error::Compacted { .. }) => false,
        Err(error) => panic!("{error}"),
    }
}
