//! The guarantees of every store, one per test.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use crate::stores::{drain, each, each_with, text};
use kindsmith_store::{Entry, Error, Limits, List, Memory, Page, Store};

fn put(store: &dyn Store, key: &str, value: &str) -> u64 {
    let current = store.get(key.as_bytes(), None).expect("it can be read");
    let expected = current.map_or(0, |entry| entry.modified);
    let value = value.as_bytes().into();
    store
        .update(key.as_bytes(), value, expected)
        .expect("nobody else writes")
}

fn remove(store: &dyn Store, key: &str) -> u64 {
    let current = store.get(key.as_bytes(), None).expect("it can be read");
    let expected = current.expect("it is there").modified;
    store
        .delete(key.as_bytes(), expected)
        .expect("nobody else writes")
}

fn get(store: &dyn Store, key: &str, at: Option<u64>) -> Option<(String, u64)> {
    let entry = store.get(key.as_bytes(), at).expect("it can be read");
    entry.map(|entry| (text(&entry.value), entry.modified))
}

/// A list as text: `key=value@modified`.
fn show(page: &Page) -> String {
    let entry = |entry: &Entry| format!("{}={}@{}", text(&entry.key), text(&entry.value), entry.modified);
    page.entries.iter().map(entry).collect::<Vec<_>>().join(" ")
}

fn list(store: &dyn Store, prefix: &str, at: Option<u64>) -> String {
    let all = List {
        at,
        ..List::of(prefix.as_bytes())
    };
    show(&store.list(&all).expect("it can be listed"))
}

#[test]
fn revisions_count_all_writes_from_two_on() {
    each(|store| {
        assert_eq!(store.revision(), Ok(1));
        assert_eq!(put(store, "/a", "x"), 2);
        assert_eq!(put(store, "/b", "y"), 3);
        assert_eq!(remove(store, "/a"), 4);
        assert_eq!(store.revision(), Ok(4));
        assert_eq!(put(store, "/a", "z"), 5);
        assert_eq!(get(store, "/a", None), Some(("z".into(), 5)));
    });
}

#[test]
fn a_write_needs_the_revision_of_the_last_one() {
    each(|store| {
        let first = put(store, "/a", "x");
        let there = |value: &str, modified| {
            let entry = Entry {
                key: b"/a"[..].into(),
                value: value.as_bytes().into(),
                modified,
            };
            Err(Error::Conflict(Some(entry)))
        };
        assert_eq!(store.create(b"/a", b"n"[..].into()), there("x", first));
        let second = put(store, "/a", "y");
        for wrong in [first, second + 1, 0] {
            assert_eq!(store.update(b"/a", b"n"[..].into(), wrong), there("y", second));
            assert_eq!(store.delete(b"/a", wrong), there("y", second));
        }
        assert_eq!(store.revision(), Ok(second), "what is refused takes no revision");
    });
}

#[test]
fn an_absent_key_can_only_be_created() {
    each(|store| {
        let deleted = {
            put(store, "/a", "x");
            remove(store, "/a")
        };
        for key in [&b"/a"[..], b"/never"] {
            for expected in [1, deleted] {
                assert_eq!(
                    store.update(key, b"n"[..].into(), expected),
                    Err(Error::Conflict(None))
                );
                assert_eq!(store.delete(key, expected), Err(Error::Conflict(None)));
            }
            assert_eq!(store.delete(key, 0), Err(Error::Conflict(None)));
        }
        assert_eq!(store.create(b"/a", b"again"[..].into()), Ok(deleted + 1));
    });
}

#[test]
fn keys_are_not_empty_and_entries_have_a_limit() {
    let mut limits = Limits::default();
    limits.entry_bytes = 10;
    each_with(limits, |store| {
        assert_eq!(store.create(b"", b"x"[..].into()), Err(Error::EmptyKey));
        assert_eq!(store.delete(b"", 1), Err(Error::EmptyKey));
        let large = store.create(b"/a", b"123456789"[..].into());
        assert_eq!(large, Err(Error::TooLarge { size: 11, limit: 10 }));
        assert_eq!(store.create(b"/a", b"12345678"[..].into()), Ok(2));
        assert_eq!(store.create(b"\xff\x00", b""[..].into()), Ok(3));
        assert_eq!(
            store
                .get(b"\xff\x00", None)
                .map(|entry| entry.map(|entry| entry.value.len())),
            Ok(Some(0))
        );
    });
}

#[test]
fn a_list_at_a_revision_is_a_snapshot() {
    each(|store| {
        put(store, "/a/1", "x");
        put(store, "/a/2", "x");
        let before = put(store, "/b/1", "x");
        put(store, "/a/1", "y");
        remove(store, "/a/2");
        put(store, "/a/3", "z");
        assert_eq!(list(store, "/a/", None), "/a/1=y@5 /a/3=z@7");
        assert_eq!(list(store, "/a/", Some(before)), "/a/1=x@2 /a/2=x@3");
        assert_eq!(list(store, "/", Some(before)), "/a/1=x@2 /a/2=x@3 /b/1=x@4");
        assert_eq!(list(store, "/a/", Some(1)), "");
        assert_eq!(list(store, "/c/", None), "");
        assert_eq!(get(store, "/a/2", Some(before)), Some(("x".into(), 3)));
        assert_eq!(get(store, "/a/2", Some(6)), None);
        assert_eq!(store.count(b"/a/"), Ok(2));
        assert_eq!(store.count(b"/c/"), Ok(0));
        let future = Error::Future { at: 8, current: 7 };
        assert_eq!(store.get(b"/a/1", Some(8)), Err(future.clone()));
        assert_eq!(
            store.list(&List {
                at: Some(8),
                ..List::of(b"/a/")
            }),
            Err(future)
        );
    });
}

#[test]
fn a_prefix_matches_only_its_own_keys() {
    each(|store| {
        for key in ["/pods/a", "/podtemplates/a", "/pod", "/pods0"] {
            put(store, key, "x");
        }
        assert_eq!(list(store, "/pods/", None), "/pods/a=x@2");
        let start = List {
            start: Some(b"/aaa"),
            ..List::of(b"/pods/")
        };
        assert_eq!(
            show(&store.list(&start).expect("it can be listed")),
            "/pods/a=x@2"
        );
        let start = List {
            start: Some(b"/zzz"),
            ..List::of(b"/pods/")
        };
        assert_eq!(show(&store.list(&start).expect("it can be listed")), "");
    });
}

#[test]
fn pages_continue_over_changing_data() {
    each(|store| {
        for key in ["/p/a", "/p/b", "/p/c", "/p/d", "/p/e"] {
            put(store, key, "x");
        }
        let first = store
            .list(&List {
                limit: 2,
                ..List::of(b"/p/")
            })
            .expect("it can be listed");
        assert_eq!(
            (show(&first).as_str(), first.revision, first.remaining),
            ("/p/a=x@2 /p/b=x@3", 6, 3)
        );
        remove(store, "/p/b");
        remove(store, "/p/c");
        put(store, "/p/bb", "new");
        put(store, "/p/d", "new");
        let start = first.next().expect("there is more");
        let rest = |at, limit| {
            let page = List {
                start: Some(&start),
                limit,
                at,
                ..List::of(b"/p/")
            };
            store.list(&page).expect("it can be listed")
        };
        let same = rest(Some(first.revision), 2);
        assert_eq!(
            (show(&same).as_str(), same.revision, same.remaining),
            ("/p/c=x@4 /p/d=x@5", 6, 1)
        );
        let newest = rest(None, 3);
        assert_eq!(show(&newest), "/p/bb=new@9 /p/d=new@10 /p/e=x@6");
        assert_eq!((newest.remaining, newest.next()), (0, None));
    });
}

#[test]
fn every_page_has_the_number_of_remaining_entries() {
    each(|store| {
        for number in 0..20 {
            put(store, &format!("/p/{number:02}"), "x");
        }
        let at = store.revision().ok();
        remove(store, "/p/07");
        for limit in [1, 3, 7, 20] {
            for start in [None, Some(&b"/p/05"[..])] {
                let (mut start, mut left) =
                    (start.map(<[u8]>::to_vec), if start.is_none() { 20 } else { 15 });
                while left > 0 {
                    let page = List {
                        start: start.as_deref(),
                        limit,
                        at,
                        ..List::of(b"/p/")
                    };
                    // Twice, like a client whose first response got lost.
                    let [page, again] = [(); 2].map(|()| store.list(&page).expect("it can be listed"));
                    assert_eq!(page, again);
                    left -= page.entries.len() as u64;
                    assert_eq!(page.remaining, left);
                    start = page.next();
                }
                assert_eq!(start, None);
            }
        }
    });
}

#[test]
fn compaction_drops_older_states() {
    each(|store| {
        put(store, "/a", "1");
        put(store, "/b", "1");
        put(store, "/a", "2");
        remove(store, "/b");
        put(store, "/c", "1");
        put(store, "/a", "3");
        assert_eq!(store.compact(8), Err(Error::Future { at: 8, current: 7 }));
        assert_eq!(store.compact(5), Ok(()));
        let gone = Error::Compacted { at: 4, compacted: 5 };
        assert_eq!(store.get(b"/a", Some(4)), Err(gone.clone()));
        assert_eq!(
            store.list(&List {
                at: Some(4),
                ..List::of(b"/")
            }),
            Err(gone.clone())
        );
        assert_eq!(store.watch(b"/", 4).err(), Some(gone));
        assert_eq!(list(store, "/", Some(5)), "/a=2@4");
        assert_eq!(list(store, "/", None), "/a=3@7 /c=1@6");
        for again in [5, 3, 0] {
            assert_eq!(store.compact(again), Ok(()));
        }
        let events = drain(&mut store.watch(b"/", 5).expect("that is still there"));
        assert_eq!(events.iter().map(|event| event.0).collect::<Vec<_>>(), [6, 7]);
        assert_eq!(
            events[1].3.as_deref(),
            Some("2"),
            "the previous value outlives compaction"
        );
        assert_eq!(store.compact(7), Ok(()));
        assert_eq!(list(store, "/", Some(7)), "/a=3@7 /c=1@6");
        assert_eq!(put(store, "/b", "back"), 8);
    });
}

#[test]
fn a_deleted_and_compacted_store_keeps_counting() {
    each(|store| {
        put(store, "/a", "x");
        let deleted = remove(store, "/a");
        assert_eq!(store.compact(deleted), Ok(()));
        assert_eq!(store.revision(), Ok(deleted));
        assert_eq!(put(store, "/a", "y"), deleted + 1);
    });
}

#[test]
fn a_watch_reports_every_write_in_order_with_the_old_value() {
    each(|store| {
        put(store, "/a/1", "x");
        let mut all = store.watch(b"/", 1).expect("nothing is compacted");
        let mut later = store.watch(b"/a/", 2).expect("nothing is compacted");
        put(store, "/b/1", "other");
        put(store, "/a/1", "y");
        remove(store, "/a/1");
        put(store, "/a/1", "z");
        let some = |text: &str| Some(text.to_owned());
        let a = || "/a/1".to_owned();
        let expected = vec![
            (4, a(), some("y"), some("x")),
            (5, a(), None, some("y")),
            (6, a(), some("z"), None),
        ];
        assert_eq!(drain(&mut later), expected);
        let mut replayed = store.watch(b"/a/", 2).expect("nothing is compacted");
        assert_eq!(drain(&mut replayed), expected, "past and future look the same");
        let revisions: Vec<_> = drain(&mut all).iter().map(|event| event.0).collect();
        assert_eq!(revisions, [2, 3, 4, 5, 6]);
        let future = Error::Future { at: 7, current: 6 };
        assert_eq!(store.watch(b"/", 7).err(), Some(future));
    });
}

#[test]
fn a_watch_survives_the_compaction_of_its_pending_events() {
    each(|store| {
        let mut watch = store.watch(b"/", 1).expect("nothing is compacted");
        put(store, "/a", "x");
        put(store, "/a", "y");
        assert_eq!(store.compact(3), Ok(()));
        assert_eq!(drain(&mut watch).len(), 2);
    });
}

#[test]
fn progress_is_never_ahead_of_the_events_taken() {
    each(|store| {
        let mut watch = store.watch(b"/a/", 1).expect("nothing is compacted");
        assert_eq!(watch.progress(), 1);
        put(store, "/b/1", "x");
        assert_eq!(watch.progress(), 2, "others advance it");
        put(store, "/a/1", "x");
        put(store, "/b/1", "y");
        put(store, "/a/1", "y");
        assert_eq!(watch.progress(), 2);
        assert!(watch.try_next().is_ok_and(|event| event.is_some()));
        assert_eq!(watch.progress(), 4);
        assert!(watch.try_next().is_ok_and(|event| event.is_some()));
        assert_eq!(watch.progress(), 5);
        assert_eq!(watch.try_next(), Ok(None));
    });
}

#[test]
fn a_slow_watcher_is_cut_off_and_can_resume() {
    let mut limits = Limits::default();
    limits.backlog_events = 3;
    each_with(limits, |store| {
        let mut slow = store.watch(b"/", 1).expect("nothing is compacted");
        let mut quick = store.watch(b"/", 1).expect("nothing is compacted");
        put(store, "/a", "0");
        assert_eq!((drain(&mut slow).len(), drain(&mut quick).len()), (1, 1));
        for value in ["1", "2", "3", "4"] {
            put(store, "/a", value);
            assert_eq!(drain(&mut quick).len(), 1, "others are not disturbed");
        }
        let cut = Error::Slow { delivered: 2 };
        assert_eq!(slow.try_next(), Err(cut.clone()));
        assert_eq!(slow.progress(), 2);
        assert_eq!(slow.next(), Some(Err(cut)));
        assert_eq!(slow.next(), None);
        let mut back = store.watch(b"/", 2).expect("nothing is compacted");
        put(store, "/a", "5");
        let revisions: Vec<_> = drain(&mut back).iter().map(|event| event.0).collect();
        assert_eq!(
            revisions,
            [3, 4, 5, 6, 7],
            "what is replayed does not count as slowness"
        );
    });
}

#[test]
fn a_watcher_is_cut_off_by_size_too_but_never_by_one_event() {
    let mut limits = Limits::default();
    limits.backlog_bytes = 100;
    each_with(limits, |store| {
        let mut watch = store.watch(b"/", 1).expect("nothing is compacted");
        put(store, "/a", &"x".repeat(200));
        assert_eq!(drain(&mut watch).len(), 1);
        put(store, "/b", &"x".repeat(90));
        put(store, "/c", &"x".repeat(90));
        assert_eq!(watch.try_next(), Err(Error::Slow { delivered: 2 }));
    });
}

#[derive(Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_polled_watch_wakes_its_task_for_an_event() {
    each(|store| {
        let mut watch = store.watch(b"/a/", 1).expect("nothing is compacted");
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut context = Context::from_waker(&waker);
        assert!(watch.poll_next(&mut context).is_pending());
        put(store, "/b/1", "x");
        assert_eq!(count.0.load(Ordering::SeqCst), 0);
        put(store, "/a/1", "x");
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
        assert!(matches!(watch.poll_next(&mut context), Poll::Ready(Ok(event)) if event.revision == 3));
        assert!(watch.poll_next(&mut context).is_pending());
    });
}

#[test]
fn closing_a_store_ends_its_watches_after_the_last_event() {
    let store = Memory::new();
    let mut watch = store.watch(b"/", 1).expect("nothing is compacted");
    put(&store, "/a", "x");
    drop(store);
    assert_eq!(
        watch.next().map(|event| event.map(|event| event.revision)),
        Some(Ok(2))
    );
    assert_eq!(watch.next(), Some(Err(Error::Closed)));
    assert_eq!(watch.next(), None);
}

#[test]
fn a_watcher_reads_the_past_in_chunks_and_loses_it_to_compaction() {
    each(|store| {
        for number in 0..300 {
            put(store, "/a", &number.to_string());
            put(store, "/b", "x");
        }
        let mut watch = store.watch(b"/a", 1).expect("nothing is compacted");
        let mut late = store.watch(b"/a", 1).expect("nothing is compacted");
        assert_eq!(watch.progress(), 1);
        let revisions: Vec<_> = drain(&mut watch).iter().map(|event| event.0).collect();
        assert_eq!(
            revisions,
            (0..300).map(|number| 2 + 2 * number).collect::<Vec<_>>()
        );
        assert_eq!(watch.progress(), 601);
        put(store, "/a", "new");
        assert_eq!(drain(&mut watch).len(), 1, "and then what happens");
        assert!(late.try_next().is_ok_and(|event| event.is_some()));
        assert_eq!(store.compact(602), Ok(()));
        let rest: Vec<_> = late.by_ref().collect();
        let compacted = |error: &Result<_, Error>| matches!(error, Err(Error::Compacted { .. }));
        assert!(rest.len() < 100 && rest.last().is_some_and(compacted));
    });
}

#[test]
fn old_states_are_bounded_by_their_size() {
    let mut limits = Limits::default();
    limits.history_bytes = 100_000;
    for store in [Memory::with(limits)] {
        let large = "x".repeat(10_000);
        for _ in 0..9 {
            put(&store, "/a", &large);
        }
        assert_eq!(store.overfull(), None);
        for _ in 0..4 {
            put(&store, "/a", &large);
        }
        let to = store.overfull().expect("there is too much");
        assert_eq!(store.compact(to), Ok(()));
        assert_eq!(store.overfull(), None);
        assert!(store.get(b"/a", Some(to)).is_ok_and(|entry| entry.is_some()));
        assert!(
            store.get(b"/a", Some(store.seen() - 2)).is_ok(),
            "the newest stay"
        );
    }
}

#[test]
fn a_quota_refuses_writes_until_something_is_deleted() {
    let mut limits = Limits::default();
    limits.quota_bytes = 50_000;
    let folder = tempfile::tempdir().expect("a directory for the test");
    let disk = kindsmith_store::Disk::open_with(folder.path(), limits).expect("it is new");
    let stores: [&dyn Store; 2] = [&Memory::with(limits), &disk];
    for store in stores {
        let large = "x".repeat(10_000);
        for number in 0..4 {
            put(store, &format!("/{number}"), &large);
        }
        let refused = store.create(b"/9", large.as_bytes().into());
        let Err(Error::Full(why)) = refused else {
            panic!("{refused:?}");
        };
        assert!(why.starts_with("mvcc: database space exceeded"), "{why}");
        remove(store, "/0");
        assert!(
            store.create(b"/9", large.as_bytes().into()).is_err(),
            "it is still readable"
        );
        let to = store
            .overfull()
            .expect("the deleted entry takes room that is needed");
        assert_eq!(store.compact(to), Ok(()));
        put(store, "/9", &large);
    }
}
