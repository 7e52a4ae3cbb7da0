//! etcd is killed and restarted under load: acknowledged writes are there, and watchers see everything once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use kindsmith_store::{Error, Limits, List, Store};

use crate::stores::cluster::Server;
use crate::stores::{Seen, seen};

const WRITERS: u64 = 6;
const KEYS: u64 = 4;
const KILLS: u64 = 5;
const WRITES_BETWEEN: usize = 150;

/// An acknowledged write: revision, key, value.
type Ack = (u64, String, Option<String>);

/// Writes its own keys until told to stop, whatever happens to etcd.
fn write(store: &dyn Store, writer: u64, stop: &AtomicBool, acks: &Sender<Ack>) {
    for round in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let key = format!("/{writer}/{}", round % KEYS);
        // While etcd is down, just try again.
        let Ok(current) = store.get(key.as_bytes(), None) else {
            continue;
        };
        let expected = current.as_ref().map_or(0, |entry| entry.modified);
        let value = (current.is_none() || round % 7 != 0).then(|| format!("{writer} {round}"));
        let answer = match &value {
            Some(value) => store.update(key.as_bytes(), value.as_bytes().into(), expected),
            None => store.delete(key.as_bytes(), expected),
        };
        match answer {
            Ok(revision) => acks.send((revision, key, value)).expect("the test listens"),
            Err(Error::Unknown(_) | Error::Unavailable(_)) => {}
            // One of our writes whose response was lost was still in flight when we read.
            Err(Error::Conflict(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn take(acks: &Receiver<Ack>, count: usize, into: &mut Vec<Ack>) {
    into.extend(acks.iter().take(count));
}

#[test]
fn nothing_acknowledged_is_lost_and_watchers_see_everything_once() {
    let Some(mut server) = Server::start() else { return };
    let mut limits = Limits::default();
    limits.backlog_events = 1_000_000;
    let stores = [(); 2].map(|()| server.open(limits));
    let watches = stores
        .each_ref()
        .map(|store| store.watch(b"/", 1).expect("nothing is compacted"));
    let (send, acks) = channel();
    let (stop, mut acknowledged) = (AtomicBool::new(false), Vec::new());
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (store, send, stop) = (&stores[usize::from(writer % 2 == 1)], send.clone(), &stop);
            scope.spawn(move || write(store, writer, stop, &send));
        }
        for _ in 0..KILLS {
            take(&acks, WRITES_BETWEEN, &mut acknowledged);
            server.kill(0);
            server.restart(0);
        }
        take(&acks, WRITES_BETWEEN, &mut acknowledged);
        stop.store(true, Ordering::Relaxed);
    });
    drop(send);
    acknowledged.extend(acks);
    let newest = stores[0].revision().expect("etcd is back");
    assert_eq!(stores[1].revision(), Ok(newest));
    for mut watch in watches {
        let mut events = Vec::new();
        while let Some(event) = watch.try_next().expect("the watch goes on") {
            events.push(seen(&event));
        }
        check(&events, newest, &acknowledged);
    }
    let fresh = server.open(limits);
    let all = List::of(b"/");
    assert_eq!(fresh.list(&all), stores[0].list(&all));
    assert_eq!(fresh.list(&all), stores[1].list(&all));
}

fn check(events: &[Seen], newest: u64, acknowledged: &[Ack]) {
    let revisions = events.iter().map(|event| event.0);
    assert!(revisions.eq(2..=newest), "every revision once and in order");
    let mut last: HashMap<&str, Option<&str>> = HashMap::new();
    for (_, key, value, previous) in events {
        let before = last.insert(key, value.as_deref()).flatten();
        assert_eq!(before, previous.as_deref(), "events follow each other");
    }
    let by_revision: HashMap<_, _> = events.iter().map(|event| (event.0, event)).collect();
    for (revision, key, value) in acknowledged {
        let event = by_revision.get(revision).map(|event| (&event.1, &event.2));
        assert_eq!(event, Some((key, value)), "revision {revision} was acknowledged");
    }
    assert!(acknowledged.len() > 5 * WRITES_BETWEEN, "there was load");
}
