//! Every implementation, for the tests that all of them share.
#![allow(dead_code, reason = "each test program uses a part of this")]

#[cfg(feature = "etcd")]
pub(crate) mod cluster;
pub(crate) mod model;

use kindsmith_store::{Disk, Event, Limits, Memory, Store, Watch};

/// Runs a test on an empty store of each kind.
pub(crate) fn each(law: impl Fn(&dyn Store)) {
    each_with(Limits::default(), law);
}

/// Like `each`, with custom limits.
///
/// The stores on etcd have a test binary of their own, which includes the others: a directory is locked by a
/// file, and a child process inherits the lock until it executes its own program.
pub(crate) fn each_with(limits: Limits, law: impl Fn(&dyn Store)) {
    #[cfg(feature = "etcd")]
    if env!("CARGO_CRATE_NAME") == "etcd" {
        if let Some(server) = cluster::Server::start() {
            law(&server.open(limits));
        }
        return;
    }
    law(&Memory::with(limits));
    let folder = tempfile::tempdir().expect("there is room for a store");
    law(&Disk::open_with(folder.path(), limits).expect("an empty directory can be opened"));
}

/// An event as text: revision, key, new and old value.
pub(crate) type Seen = (u64, String, Option<String>, Option<String>);

pub(crate) fn seen(event: &Event) -> Seen {
    let previous = event.previous.as_ref().map(|entry| text(&entry.value));
    let value = event.value.as_deref().map(text);
    (event.revision, text(&event.key), value, previous)
}

/// Takes all pending events.
pub(crate) fn drain(watch: &mut Watch) -> Vec<Seen> {
    let mut events = Vec::new();
    while let Some(event) = watch.try_next().expect("the watch goes on") {
        events.push(seen(&event));
    }
    events
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("tests write text")
}
