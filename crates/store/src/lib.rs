//! Revisioned key-value stores for an API server. Must not know objects, kinds, JSON or requests: keys and
//! values are bytes.
//!
//! The API is written against [`Store`]. It requires exactly what kube-apiserver requires of etcd:
//!
//! | | keeps | a write returns when | use |
//! |---|---|---|---|
//! | [`Memory`] | nothing | it is visible | tests, throw-away servers |
//! | [`Disk`] | everything, in one directory | it is on disk (fsync) and visible | the default |
//! | `Etcd` (feature `etcd`) | everything, in an etcd cluster | etcd has it and it is visible here | several servers |
//!
//! ```
//! use kindsmith_store::{List, Memory, Store};
//!
//! let store = Memory::new();
//! let key = b"/registry/configmaps/default/a";
//! let created = store.create(key, b"one"[..].into())?;
//! let mut watch = store.watch(b"/registry/configmaps/", created)?;
//!
//! let updated = store.update(key, b"two"[..].into(), created)?;
//! assert!(store.update(key, b"late"[..].into(), created).is_err(), "somebody was faster");
//!
//! let event = watch.try_next()?.expect("the update is there");
//! assert_eq!((event.revision, event.value.as_deref()), (updated, Some(&b"two"[..])));
//! let before = store.list(&List { at: Some(created), ..List::of(b"/registry/") })?;
//! assert_eq!(&*before.entries[0].value, b"one");
//! # Ok::<(), kindsmith_store::Error>(())
//! ```
//!
//! # Revisions
//!
//! One counter for the whole store, as in etcd. An empty store is at revision 1; every write of any key,
//! including deletions, takes the next number, without gaps. An entry's `modified` is the revision of its
//! last write, which an object shows as `resourceVersion`; a list has the revision at which it was read. A
//! revision is never reused, not even after restarts and crashes.
//!
//! Older states can be read until [`Store::compact`] drops them. Reading below the compacted revision returns
//! [`Error::Compacted`] (`410 Gone` to clients), above the current one [`Error::Future`].
//!
//! # Keys
//!
//! Any bytes, but not empty; lists are in byte order. The API uses kube-apiserver's layout, so that servers
//! can share an etcd: `/registry/RESOURCE/[NAMESPACE/]NAME` for built-in kinds and
//! `/registry/GROUP/PLURAL/[NAMESPACE/]NAME` for custom resources. A prefix ends with `/`, otherwise
//! `/registry/pods` would also match `/registry/podtemplates`.
//!
//! # Why the trait is synchronous
//!
//! The API is a plain function from request to response, and reads are served from memory in microseconds on
//! the calling thread: there is nothing to await. Only with etcd a read of the newest state takes a round
//! trip ([`Store::is_remote`]), because other servers may have written; it then needs a thread that may
//! block, or waits for the round trip before ([`Store::caught_up`]). A write waits for one fsync that all
//! concurrent writers share, so a server runs writes on their own threads, and the more of them wait the larger
//! the group. Watches are many and mostly idle, so [`Watch`] can be polled with a
//! [`Context`](std::task::Context) of any runtime and needs no thread.
//!
//! # Guarantees, and where they are tested
//!
//! `tests/laws` runs the same tests on every store, compares it with a plain list of writes and runs
//! concurrent threads, and `tests/crash.rs` kills a writing process many times (`KINDSMITH_STORE_KILLS=200
//! cargo test -p kindsmith-store --test crash` for more kills than usual: about a minute on two busy cores).
//! `src/disk/tests.rs` cuts the power of a simulated disk, which keeps arbitrary unsynced sectors. If `etcd`
//! is on the path, `tests/etcd` runs the same tests with a real one, kills it under load, cuts the connection
//! to it and shares it between several stores.

mod disk;
mod entry;
mod error;
#[cfg(feature = "etcd")]
mod etcd;
mod feed;
mod history;
mod hub;
mod live;
mod memory;
mod pages;
mod ranked;
mod shared;
mod watch;

use std::pin::Pin;

pub use disk::{Disk, create_private};
pub use entry::{Bytes, Entry, Event, Keep, Key, Limits, List, Mark, Page, Ttl};
pub use error::Error;
#[cfg(feature = "etcd")]
pub use etcd::{Etcd, EtcdOptions, EtcdTls};
pub use memory::Memory;
pub use watch::Watch;

/// Completes once a store's memory has caught up; with an error if it does not in time.
pub type CaughtUp = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// A store of revisioned entries, safe to share between threads.
///
/// All writes of a store have one order, which is the same for readers and watchers. Reads see every write
/// that has returned.
pub trait Store: Send + Sync {
    /// Returns the revision of the newest write (1 if there is none).
    fn revision(&self) -> Result<u64, Error>;

    /// Reads one key, at the newest or at a given revision.
    fn get(&self, key: &[u8], at: Option<u64>) -> Result<Option<Entry>, Error>;

    /// Reads the entries under a prefix in the order of their keys, all at one revision.
    fn list(&self, list: &List<'_>) -> Result<Page, Error>;

    /// Writes a key whose last write was `expected`, 0 for a key that must not exist; returns the new
    /// revision.
    ///
    /// Otherwise [`Error::Conflict`] has the current entry. When this returns `Ok`, the write is durable.
    fn update(&self, key: &[u8], value: Bytes, expected: u64) -> Result<u64, Error>;

    /// Like [`update`](Self::update), but the store deletes the entry when its lifetime ends, unless it is
    /// written again before.
    ///
    /// The end is not exact: an entry may live a little longer, until [`expire`](Self::expire) is called or
    /// etcd checks.
    fn update_with_ttl(&self, key: &[u8], value: Bytes, expected: u64, ttl: Ttl) -> Result<u64, Error>;

    /// Deletes expired entries. Servers call it every few seconds with the time on the clock of [`Ttl::now`].
    fn expire(&self, now: u64) -> Result<(), Error> {
        let _ = now;
        Ok(())
    }

    /// Deletes a key whose last write was `expected`; returns the revision of the deletion.
    ///
    /// Otherwise, and always if the key does not exist, [`Error::Conflict`] has the current entry.
    fn delete(&self, key: &[u8], expected: u64) -> Result<u64, Error>;

    /// Drops all states before a revision; that revision itself stays readable. Compacting again is not an
    /// error.
    fn compact(&self, to: u64) -> Result<(), Error>;

    /// Watches the writes under a prefix: every one after a revision, once and in order.
    ///
    /// The revision is usually that of a list, which together with the events gives every later state.
    fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error>;

    /// Returns a revision that can be read without a round trip: the newest in memory.
    ///
    /// With several servers on one etcd it may be older than [`revision`](Self::revision). It serves readers
    /// that do not require the newest state (`resourceVersion=0`).
    fn seen(&self) -> u64;

    /// Returns what completes once what is in memory ([`get_seen`](Self::get_seen)) has every write that has returned
    /// anywhere by now; `None` if that is always so. With it, a read of the newest state needs no thread that may block.
    fn caught_up(&self) -> Option<CaughtUp> {
        None
    }

    /// Reads one key as it is in memory: without a round trip, and perhaps without the newest writes of other servers.
    fn get_seen(&self, key: &[u8]) -> Result<Option<Entry>, Error> {
        self.get(key, None)
    }

    /// Reads entries as they are in memory, like [`get_seen`](Self::get_seen).
    fn list_seen(&self, list: &List<'_>) -> Result<Page, Error> {
        self.list(list)
    }

    /// Returns whether reads may take a round trip over a network, so that they need a thread that may block.
    fn is_remote(&self) -> bool {
        false
    }

    /// Returns whether the store compacts itself; otherwise the server calls [`compact`](Self::compact)
    /// regularly.
    fn compacts_itself(&self) -> bool {
        false
    }

    /// Returns a revision to compact to because older states take too much memory, if they do.
    ///
    /// Servers ask every few seconds, besides compacting by time.
    fn overfull(&self) -> Option<u64> {
        None
    }

    /// Returns why writes fail at the moment, if they do. Takes no longer than a read.
    fn health(&self) -> Result<(), Error> {
        self.revision().map(drop)
    }

    /// Returns a revision and when it was the newest, as kept by [`set_mark`](Self::set_mark).
    fn mark(&self) -> Option<Mark> {
        None
    }

    /// Keeps a revision and when it was the newest, if the store outlives the process: with it, a server that
    /// restarts often knows what is old enough to be compacted.
    fn set_mark(&self, mark: Mark) -> Result<(), Error> {
        let _ = mark;
        Ok(())
    }

    /// Writes a key that must not exist; returns the new revision.
    fn create(&self, key: &[u8], value: Bytes) -> Result<u64, Error> {
        self.update(key, value, 0)
    }

    /// Counts the entries under a prefix.
    fn count(&self, prefix: &[u8]) -> Result<u64, Error> {
        let page = self.list(&List {
            limit: 1,
            ..List::of(prefix)
        })?;
        Ok(page.entries.len() as u64 + page.remaining)
    }
}
