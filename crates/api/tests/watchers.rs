//! Watchers that do not read: what they hold does not grow with what is stored.
//!
//! A program of its own, because it counts what the whole process allocates.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

use std::alloc::System;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use kindsmith_api::{Api, Content, Options, Request, Still, User, WatchStream};
use kindsmith_store::{Memory, Store};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How many clients watch.
const WATCHERS: usize = 300;
/// How many objects there are, and how many writes there were.
const STORED: usize = 2_000;
/// What they may hold together: a page or chunk each, of keys and pointers.
const MOST: usize = 16 << 20;

/// Allocations of all threads are counted, so the tests run one after the other.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(number: usize) -> String {
    format!("/registry/configmaps/default/map-{number:05}")
}

fn value(number: usize) -> Vec<u8> {
    let data = "x".repeat(1_000);
    format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"map-{number:05}","namespace":"default","uid":"u"}},"data":{{"k":"{data}"}}}}"#
    )
    .into_bytes()
}

fn server() -> (Arc<Memory>, Api, u64) {
    let store = Arc::new(Memory::new());
    let api = Api::open(
        Arc::clone(&store) as _,
        Box::new(Still::at(1_790_000_000)),
        Options::default(),
    );
    let before = store.seen();
    for number in 0..STORED {
        let stored = store.create(key(number).as_bytes(), value(number).into());
        stored.expect("a store in memory works");
    }
    (store, api.expect("a store in memory opens"), before)
}

fn watch(api: &Api, query: &str) -> WatchStream {
    let user = User {
        name: "admin".to_owned(),
        groups: vec!["system:masters".to_owned(), "system:authenticated".to_owned()],
        ..User::default()
    };
    let request = Request {
        method: "GET",
        path: "/api/v1/namespaces/default/configmaps",
        query,
        headers: &[],
        body: b"",
        user: &user,
    };
    match api.handle(&request, &api.info(&request)).content {
        Content::Watch(stream) => *stream,
        refusal => panic!("{}", String::from_utf8_lossy(&refusal.into_bytes())),
    }
}

fn next(stream: &mut WatchStream) -> Option<Vec<u8>> {
    match stream.poll_next(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(next) => next,
        Poll::Pending => None,
    }
}

/// Starts watches that take one chunk each and then nothing; returns what they hold.
fn held(api: &Api, query: &str) -> (usize, Vec<WatchStream>) {
    let region = Region::new(ALLOCATOR);
    let watchers: Vec<WatchStream> = (0..WATCHERS)
        .map(|_| {
            let mut stream = watch(api, query);
            assert!(next(&mut stream).is_some_and(|bytes| !bytes.is_empty()));
            stream
        })
        .collect();
    let change = region.change();
    let (made, freed) = (change.bytes_allocated, change.bytes_deallocated);
    (made.saturating_sub(freed), watchers)
}

fn count(stream: &mut WatchStream) -> usize {
    let mut lines = 0;
    while let Some(bytes) = next(stream) {
        lines += bytes.iter().filter(|byte| **byte == b'\n').count();
    }
    lines
}

#[test]
fn watchers_that_do_not_read_hold_little() {
    let _turn = turn();
    let (_, api, before) = server();
    for query in [
        "watch=1".to_owned(),
        format!("watch=1&resourceVersion={before}"),
        "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
            .to_owned(),
    ] {
        let (bytes, mut watchers) = held(&api, &query);
        assert!(bytes < MOST, "{query}: {bytes} bytes");
        // They only have to read on.
        let rest = count(watchers.last_mut().expect("there are some"));
        assert!(rest > STORED - 100, "{query}: {rest} events");
    }
}

#[test]
fn watchers_follow_from_the_past_to_the_present() {
    let _turn = turn();
    let (store, api, before) = server();
    let queries = ["watch=1".to_owned(), format!("watch=1&resourceVersion={before}")];
    for (updates, query) in queries.iter().enumerate() {
        let mut stream = watch(&api, query);
        assert_eq!(count(&mut stream), STORED + updates, "{query}");
        let entry = store
            .get(key(0).as_bytes(), None)
            .expect("it works")
            .expect("it is there");
        let updated = store.update(key(0).as_bytes(), entry.value, entry.modified);
        updated.expect("nobody else writes");
        assert_eq!(count(&mut stream), 1, "{query}: what happens now");
    }
}

#[test]
fn a_watcher_overtaken_by_compaction_is_told() {
    let _turn = turn();
    let (store, api, before) = server();
    let mut streams = [
        watch(&api, "watch=1"),
        watch(&api, &format!("watch=1&resourceVersion={before}")),
    ];
    let entry = store
        .get(key(0).as_bytes(), None)
        .expect("it works")
        .expect("it is there");
    let updated = store.update(key(0).as_bytes(), entry.value, entry.modified);
    store
        .compact(updated.expect("nobody else writes"))
        .expect("it works");
    for stream in &mut streams {
        let mut all = Vec::new();
        while let Some(bytes) = next(stream) {
            all.extend(bytes);
        }
        let text = String::from_utf8_lossy(&all);
        let last = text.lines().last().unwrap_or_default();
        assert!(
            last.contains(r#""type":"ERROR""#) && last.contains(r#""code":410"#),
            "{last}"
        );
    }
}
