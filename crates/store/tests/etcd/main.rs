//! The properties of all stores on a real etcd, and what only such a store can get wrong: other servers, and
//! a cluster that goes away. Without etcd on the path nothing is tested, and a line says so.
//!
//! A program of its own: a child process inherits the lock of a directory of the other stores until it executes its own program.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]
#![cfg(feature = "etcd")]

#[path = "../laws/concurrent.rs"]
mod concurrent;
#[path = "../laws/every_store.rs"]
mod every_store;
mod kill;
mod proxy;
mod secure;
#[path = "../stores/mod.rs"]
mod stores;

use std::thread;
use std::time::Duration;

use kindsmith_store::{Error, Etcd, Limits, List, Store, Ttl};
use proptest::prelude::*;
use proxy::Proxy;
use stores::cluster::{Server, options};
use stores::{drain, model, text};

fn put(store: &dyn Store, key: &str, value: &str) -> u64 {
    let current = store.get(key.as_bytes(), None).expect("it can be read");
    let expected = current.map_or(0, |entry| entry.modified);
    store
        .update(key.as_bytes(), value.as_bytes().into(), expected)
        .expect("nobody else writes")
}

fn list(store: &dyn Store) -> String {
    let page = store.list(&List::of(b"/")).expect("it can be listed");
    let shown = page
        .entries
        .iter()
        .map(|entry| format!("{}={}", text(&entry.key), text(&entry.value)));
    shown.collect::<Vec<_>>().join(" ")
}

/// Waits until the memory of a store has caught up.
fn catch_up(store: &dyn Store) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let caught_up = store.caught_up().expect("others write, too");
    runtime.expect("it starts").block_on(caught_up)
}

/// Retries until it holds; limited only by the test's timeout.
fn until(mut holds: impl FnMut() -> bool) {
    while !holds() {
        thread::yield_now();
    }
}

fn until_some<T>(mut find: impl FnMut() -> Option<T>) -> T {
    let mut found = None;
    until(|| {
        found = find();
        found.is_some()
    });
    found.expect("it was found")
}

#[test]
fn servers_see_each_others_writes() {
    let Some(server) = Server::start() else { return };
    let stores = [(); 2].map(|()| server.open(Limits::default()));
    let mut watches = stores
        .each_ref()
        .map(|store| store.watch(b"/", 1).expect("nothing is compacted"));
    for round in 0..100_usize {
        let revision = put(&stores[round % 2], "/a", &round.to_string());
        let other = &stores[(round + 1) % 2];
        let entry = other.get(b"/a", None).expect("it can be read");
        assert_eq!(entry.map(|entry| entry.modified), Some(revision));
        assert_eq!(list(other), format!("/a={round}"));
        assert_eq!(other.revision(), Ok(revision));
        assert_eq!(other.watch(b"/", revision).map(|_| ()), Ok(()));
    }
    let events = watches.each_mut().map(drain);
    assert_eq!(events[0], events[1]);
    assert_eq!(events[0].len(), 100);
}

#[test]
fn memory_that_has_caught_up_has_all_writes_of_others() {
    let Some(server) = Server::start() else { return };
    let stores = [(); 2].map(|()| server.open(Limits::default()));
    for round in 0..100_usize {
        let revision = put(&stores[round % 2], "/a", &round.to_string());
        let other = &stores[(round + 1) % 2];
        assert_eq!(catch_up(other), Ok(()));
        let entry = other.get_seen(b"/a").expect("it can be read");
        assert_eq!(entry.map(|entry| entry.modified), Some(revision));
        assert_eq!(other.seen(), revision);
    }
}

#[test]
fn only_the_prefix_is_kept_and_everything_counts() {
    let Some(server) = Server::start() else { return };
    let all = server.open(Limits::default());
    put(&all, "/other/a", "x");
    let mut ours = options();
    ours.prefix = b"/registry/".to_vec();
    let ours = server.open_with(ours);
    let mut watch = ours.watch(b"", 1).expect("nothing is compacted");
    put(&all, "/other/b", "x");
    put(&all, "/registry/a", "x");
    put(&all, "/other/b", "y");
    assert_eq!(ours.revision(), Ok(5));
    assert_eq!(list(&ours), "/registry/a=x");
    let revisions: Vec<_> = drain(&mut watch).iter().map(|event| event.0).collect();
    assert_eq!((revisions, watch.progress()), (vec![4], 5));
    let outside = ours.create(b"/other/c", b"x"[..].into());
    assert!(matches!(outside, Err(Error::Unavailable(_))));
}

#[test]
fn a_server_that_starts_late_has_the_history() {
    let Some(server) = Server::start() else { return };
    let first = server.open(Limits::default());
    for value in ["1", "2", "3", "4", "5"] {
        put(&first, "/a", value);
    }
    let second = server.open(Limits::default());
    assert_eq!(
        drain(&mut second.watch(b"/", 1).expect("nothing is compacted")).len(),
        5
    );
    assert_eq!(first.compact(4), Ok(()));
    let third = server.open(Limits::default());
    assert_eq!(
        third.get(b"/a", Some(3)),
        Err(Error::Compacted { at: 3, compacted: 4 })
    );
    assert_eq!(
        drain(&mut third.watch(b"/", 4).expect("that is still there")).len(),
        2
    );
    let mut short = options();
    short.history = 1;
    let fourth = server.open_with(short);
    assert_eq!(
        fourth.watch(b"/", 4).err(),
        Some(Error::Compacted { at: 4, compacted: 5 })
    );
    assert_eq!(list(&fourth), "/a=5");
}

#[test]
fn servers_compact_together() {
    let Some(server) = Server::start() else { return };
    let mut often = options();
    often.compaction = Some(Duration::from_millis(50));
    let stores = [(); 2].map(|()| server.open_with(often.clone()));
    put(&stores[0], "/a", "1");
    put(&stores[0], "/a", "2");
    for store in &stores {
        assert!(store.compacts_itself());
        until(|| matches!(store.get(b"/a", Some(1)), Err(Error::Compacted { .. })));
        assert_eq!(list(store), "/a=2", "the key of the agreement is not an entry");
    }
}

#[test]
fn entries_expire() {
    let Some(server) = Server::start() else { return };
    let store = server.open(Limits::default());
    let ttl = Ttl { now: 0, seconds: 2 };
    let first = store.update_with_ttl(b"/a", b"x"[..].into(), 0, ttl);
    assert_eq!(first, Ok(2));
    assert_eq!(store.update_with_ttl(b"/b", b"x"[..].into(), 0, ttl), Ok(3));
    assert_eq!(store.update(b"/b", b"stays"[..].into(), 3), Ok(4));
    let mut watch = store.watch(b"/a", 2).expect("nothing is compacted");
    let gone = watch.next().expect("it ends with an error").expect("it goes on");
    assert_eq!((gone.revision, gone.value.as_deref()), (5, None));
    assert_eq!(gone.previous.as_ref().map(|entry| entry.modified), Some(2));
    assert_eq!(list(&store), "/b=stays");
}

#[test]
fn without_etcd_there_is_an_error_within_the_timeout() {
    let mut hasty = options();
    hasty.open_timeout = Duration::from_millis(200);
    for nobody in [
        "http://127.0.0.1:1",
        "127.0.0.1:1,127.0.0.1:2",
        "",
        "http://[",
        "https://127.0.0.1:1",
    ] {
        let opened = Etcd::open_with(nobody, hasty.clone());
        assert!(matches!(opened, Err(Error::Unavailable(_))), "{nobody}");
    }
    let Some(mut server) = Server::start() else { return };
    let mut hasty = options();
    hasty.read_timeout = Duration::from_millis(500);
    hasty.write_timeout = Duration::from_millis(500);
    let store = server.open_with(hasty);
    until(|| store.create(b"/a", b"x"[..].into()).is_ok() || store.seen() > 1);
    let mut watch = store.watch(b"/", 1).expect("nothing is compacted");
    assert_eq!(drain(&mut watch).len(), 1);
    server.kill(0);
    assert!(matches!(store.get(b"/a", None), Err(Error::Unavailable(_))));
    assert!(matches!(store.revision(), Err(Error::Unavailable(_))));
    let lost = store.update(b"/a", b"y"[..].into(), 2);
    assert!(matches!(lost, Err(Error::Unavailable(_) | Error::Unknown(_))));
    let past = store.get(b"/a", Some(store.seen())).expect("it is in memory");
    assert_eq!(past.map(|entry| text(&entry.value)), Some("x".into()));
    server.restart(0);
    // The response to any of these may be lost although the write happens.
    until(|| {
        let there = store.get(b"/a", None).ok().flatten();
        there.is_some_and(|entry| store.update(b"/a", b"z"[..].into(), entry.modified).is_ok())
    });
    let events = watch.map(|event| event.expect("the watch goes on").revision);
    let newest = until_some(|| store.revision().ok());
    assert!(
        events.take_while(|revision| *revision < newest).eq(3..newest),
        "every write once"
    );
}

#[test]
fn a_silent_etcd_does_not_block_forever() {
    let Some(server) = Server::start() else { return };
    let proxy = Proxy::to(server.port());
    let mut hasty = options();
    hasty.read_timeout = Duration::from_millis(300);
    hasty.write_timeout = Duration::from_millis(300);
    let store = Etcd::open_with(&proxy.endpoint(), hasty).expect("etcd can be reached");
    proxy.mute();
    assert!(matches!(store.list(&List::of(b"/")), Err(Error::Unavailable(_))));
    assert!(matches!(catch_up(&store), Err(Error::Unavailable(_))));
    let lost = store.create(b"/a", b"x"[..].into());
    assert!(matches!(lost, Err(Error::Unknown(_))), "it was sent: {lost:?}");
}

#[test]
fn a_slow_etcd_is_opened_while_entries_come() {
    let Some(server) = Server::start() else { return };
    let near = server.open(Limits::default());
    let large = "x".repeat(1_000_000);
    for number in 0..20 {
        put(&near, &format!("/{number:02}"), &large);
    }
    let proxy = Proxy::to(server.port());
    // All take two and a half times what an answer may; the two megabytes that come at once take a quarter of it.
    proxy.slow(6_000_000);
    let mut hasty = options();
    hasty.open_timeout = Duration::from_millis(1_333);
    let far = Etcd::open_with(&proxy.endpoint(), hasty).expect("entries come all the time");
    let page = far.list(&List::of(b"/")).expect("it can be listed");
    assert_eq!(page.entries.len(), 20);
}

#[test]
fn watches_continue_after_a_cut_and_end_if_their_events_are_compacted() {
    let Some(server) = Server::start() else { return };
    let proxy = Proxy::to(server.port());
    let far = Etcd::open_with(&proxy.endpoint(), options()).expect("etcd can be reached");
    let near = server.open(Limits::default());
    let mut watch = far.watch(b"/", 1).expect("nothing is compacted");
    put(&near, "/a", "1");
    proxy.cut();
    put(&near, "/a", "2");
    proxy.heal();
    assert_eq!(far.revision(), Ok(3));
    let revisions: Vec<_> = drain(&mut watch).iter().map(|event| event.0).collect();
    assert_eq!(revisions, [2, 3]);
    proxy.cut();
    put(&near, "/a", "3");
    put(&near, "/b", "1");
    assert_eq!(near.compact(5), Ok(()));
    proxy.heal();
    assert_eq!(far.revision(), Ok(5));
    assert_eq!(watch.try_next(), Err(Error::Compacted { at: 3, compacted: 5 }));
    assert_eq!(list(&far), "/a=3 /b=1");
    assert_eq!(put(&far, "/b", "2"), 6);
}

#[test]
fn an_etcd_that_lost_everything_is_detected() {
    let Some(mut server) = Server::start() else { return };
    let store = server.open(Limits::default());
    for value in ["1", "2", "3"] {
        put(&store, "/a", value);
    }
    let mut watch = store.watch(b"/", 4).expect("that is the newest");
    server.kill(0);
    server.restart_empty(0);
    until(|| watch.try_next().is_err());
    assert!(matches!(watch.try_next(), Err(Error::Compacted { at: 4, .. })));
    assert_eq!(list(&store), "");
    assert_eq!(put(&store, "/b", "new"), 2);
}

/// Opens a store through a proxy, and turns that to another etcd with `writes` entries of its own.
fn check_foreign(writes: usize) {
    let (Some(server), Some(other)) = (Server::start(), Server::start()) else {
        return;
    };
    let proxy = Proxy::to(server.port());
    let store = Etcd::open_with(&proxy.endpoint(), options()).expect("etcd can be reached");
    for value in ["1", "2", "3"] {
        put(&store, "/a", value);
    }
    let foreign = other.open(Limits::default());
    for number in 0..writes {
        put(&foreign, "/b", &number.to_string());
    }
    let mut watch = store.watch(b"/", 4).expect("that is the newest");
    proxy.turn_to(other.port());
    until(|| watch.try_next().is_err());
    assert!(matches!(watch.try_next(), Err(Error::Compacted { .. })));
    let expected = format!("/b={}", writes - 1);
    until(|| store.revision().is_ok());
    assert_eq!(list(&store), expected);
    assert_eq!(put(&store, "/c", "new"), writes as u64 + 2);
}

#[test]
fn another_etcd_that_is_ahead_is_detected() {
    check_foreign(9);
}

#[test]
fn another_etcd_that_is_behind_is_detected() {
    check_foreign(1);
}

#[test]
fn a_silent_etcd_is_not_healthy_soon() {
    let Some(server) = Server::start() else { return };
    let proxy = Proxy::to(server.port());
    let store = Etcd::open_with(&proxy.endpoint(), options()).expect("etcd can be reached");
    assert_eq!(store.health(), Ok(()));
    proxy.mute();
    let start = std::time::Instant::now();
    assert!(store.health().is_err());
    // Reads wait for a minute in these tests.
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_cluster_may_lose_a_member_but_not_its_majority() {
    let Some(mut server) = Server::start_many(3) else {
        return;
    };
    let mut patient = options();
    patient.read_timeout = Duration::from_secs(5);
    patient.write_timeout = Duration::from_secs(5);
    let store = server.open_with(patient);
    // It is the first member used, and may be the leader: a write's response may be lost.
    let write = |value: &str| {
        let current = store.get(b"/a", None).ok()?;
        let expected = current.map_or(0, |entry| entry.modified);
        store.update(b"/a", value.as_bytes().into(), expected).ok()
    };
    let mut watch = store.watch(b"/", 1).expect("nothing is compacted");
    until(|| write("1").is_some());
    server.kill(0);
    until(|| write("2").is_some());
    server.kill(1);
    assert!(matches!(store.get(b"/a", None), Err(Error::Unavailable(_))));
    server.restart(1);
    until(|| write("3").is_some());
    let events = drain(&mut watch);
    let newest = store.seen();
    let revisions = events.iter().map(|event| event.0);
    assert!(revisions.eq(2..=newest), "every write once: {events:?}");
    assert_eq!(list(&store), "/a=3");
}

#[test]
fn closing_the_store_ends_its_watches() {
    let Some(server) = Server::start() else { return };
    let store = server.open(Limits::default());
    let mut watch = store.watch(b"/", 1).expect("nothing is compacted");
    put(&store, "/a", "x");
    drop(store);
    assert!(matches!(watch.next(), Some(Ok(event)) if event.revision == 2));
    assert_eq!(watch.next(), Some(Err(Error::Closed)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn etcd_equals_the_list_of_its_writes_through_restarts(steps in prop::collection::vec(model::step(), 0..60)) {
        let Some(server) = Server::start() else {
            return Ok(());
        };
        let open = || server.open(Limits::default());
        model::check(open(), &steps, |store| {
            drop(store);
            open()
        });
    }
}
