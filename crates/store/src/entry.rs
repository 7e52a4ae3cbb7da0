//! What goes into a store and comes out of it. Must not know how it is kept.

use std::sync::Arc;

/// Bytes shared between the store, its readers and its watchers.
pub type Bytes = Arc<[u8]>;

/// A key with its value at some revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: Bytes,
    /// What was last written.
    pub value: Bytes,
    /// The revision of that write.
    pub modified: u64,
}

/// One write, as a watcher sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The key.
    pub key: Bytes,
    /// The revision of the write.
    pub revision: u64,
    /// What was written; none if the key was deleted.
    pub value: Option<Bytes>,
    /// What was there before; none if the key was created.
    pub previous: Option<Entry>,
}

impl Event {
    /// Returns how many bytes of keys and values the event keeps alive.
    pub(crate) fn size(&self) -> usize {
        let value = self.value.as_ref().map_or(0, |value| value.len());
        let previous = self.previous.as_ref().map_or(0, |entry| entry.value.len());
        self.key.len() + value + previous
    }
}

/// How long an entry lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ttl {
    /// The time of the write, in seconds since some moment that never changes (1970 for servers).
    pub now: u64,
    /// For so many seconds after that it is there.
    pub seconds: u64,
}

impl Ttl {
    /// Returns the second from which on the entry is not wanted any more.
    pub(crate) fn end(self) -> u64 {
        // 0 would be never.
        self.now.saturating_add(self.seconds).max(1)
    }
}

/// What to list.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    /// All keys of the list begin with this.
    pub prefix: &'a [u8],
    /// The first key that may be listed: [`Page::next`] of the page before.
    pub start: Option<&'a [u8]>,
    /// How many entries at most; 0 is all of them.
    pub limit: usize,
    /// The revision to read at: the first page's for the following ones, none for the newest.
    pub at: Option<u64>,
}

impl<'a> List<'a> {
    /// Lists everything under a prefix as it is now.
    pub fn of(prefix: &'a [u8]) -> Self {
        Self {
            prefix,
            start: None,
            limit: 0,
            at: None,
        }
    }
}

/// A list, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The entries in the order of their keys.
    pub entries: Vec<Entry>,
    /// The revision at which all of them were read.
    pub revision: u64,
    /// How many more there are behind the last of them.
    pub remaining: u64,
}

impl Page {
    /// Returns where the next page starts, if there is one: right behind the last key, whether or not that key still
    /// exists by then.
    pub fn next(&self) -> Option<Vec<u8>> {
        let last = self.entries.last().filter(|_| self.remaining > 0)?;
        let mut start = last.key.to_vec();
        start.push(0);
        Some(start)
    }
}

/// What a store refuses or gives up on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of key and value together. etcd's default limit of a request is the default here.
    pub entry_bytes: usize,
    /// Events that may wait for a watcher before it is cut off as too slow.
    pub backlog_events: usize,
    /// Bytes of events that may wait for a watcher; a single event may be larger.
    pub backlog_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entry_bytes: 1_572_864,
            backlog_events: 1_000,
            backlog_bytes: 32 << 20,
        }
    }
}
