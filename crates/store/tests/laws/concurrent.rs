//! Threads that write, read, watch and compact the same store.

use std::thread;

use crate::stores::each_with;
use kindsmith_store::{Error, Limits, List, Store};

const WRITERS: u64 = 8;
const ROUNDS: u64 = 40;

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.backlog_events = 100_000;
    limits
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("a counter has eight bytes"))
}

/// Increments a counter, retrying on conflict; returns the revision.
fn increment(store: &dyn Store, key: &[u8]) -> u64 {
    let mut current = store.get(key, None).expect("it can be read");
    loop {
        let (value, expected) = current.map_or((0, 0), |entry| (number(&entry.value), entry.modified));
        let next = (value + 1).to_le_bytes()[..].into();
        match store.update(key, next, expected) {
            Ok(revision) => return revision,
            Err(Error::Conflict(there)) => current = there,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Each writer increments the shared counter and its own, and sees its own writes.
fn fight(store: &dyn Store) {
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                let own = format!("/own/{writer}");
                for round in 1..=ROUNDS {
                    increment(store, b"/all");
                    let revision = increment(store, own.as_bytes());
                    let entry = store
                        .get(own.as_bytes(), None)
                        .expect("it can be read")
                        .expect("it is there");
                    assert_eq!((number(&entry.value), entry.modified), (round, revision));
                }
            });
        }
    });
}

#[test]
fn no_increment_is_lost_and_watchers_miss_nothing() {
    each_with(limits(), |store| {
        let writes = 2 * WRITERS * ROUNDS;
        thread::scope(|scope| {
            for _ in 0..3 {
                let watch = store.watch(b"/", 1).expect("nothing is compacted");
                scope.spawn(move || {
                    let events = watch.take(usize::try_from(writes).expect("it is a small number"));
                    let revisions = events.map(|event| event.expect("the watcher is quick enough").revision);
                    assert!(revisions.eq(2..writes + 2), "every revision once and in order");
                });
            }
            fight(store);
        });
        let all = store
            .get(b"/all", None)
            .expect("it can be read")
            .expect("it is there");
        assert_eq!(number(&all.value), WRITERS * ROUNDS);
        assert_eq!(store.revision(), Ok(writes + 1));
    });
}

#[test]
fn a_list_and_the_watch_after_it_give_every_state() {
    each_with(limits(), |store| {
        thread::scope(|scope| {
            let reader = scope.spawn(|| {
                for _ in 0..50 {
                    let page = store.list(&List::of(b"/own/")).expect("it can be listed");
                    let mut watch = store
                        .watch(b"/own/", page.revision)
                        .expect("nothing is compacted so far back");
                    while let Some(event) = watch.try_next().expect("the watch goes on") {
                        assert!(event.revision > page.revision);
                        let listed = page.entries.iter().find(|entry| entry.key == event.key);
                        let before = event.previous.as_ref();
                        let unseen = before.is_none_or(|entry| entry.modified > page.revision);
                        assert!(
                            unseen || listed == before,
                            "the first event follows the listed state"
                        );
                    }
                    let progress = watch.progress();
                    assert!(progress >= page.revision);
                }
            });
            fight(store);
            reader.join().expect("the reader saw nothing wrong");
        });
    });
}

#[test]
fn compaction_does_not_disturb_writers() {
    each_with(limits(), |store| {
        let newest = || store.revision().expect("it is there");
        thread::scope(|scope| {
            let compactor = scope.spawn(|| {
                while newest() < 2 * WRITERS * ROUNDS {
                    assert_eq!(store.compact(newest()), Ok(()));
                }
            });
            fight(store);
            compactor.join().expect("compaction works");
        });
        assert_eq!(store.count(b"/own/"), Ok(WRITERS));
    });
}
