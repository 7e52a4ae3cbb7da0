//! The store without durability: its content is lost with the process. Must not know disks.

use crate::history::History;
use crate::live::Live;
use crate::{Bytes, Entry, Error, Limits, List, Page, Store, Ttl, Watch};

/// A store in memory: everything in [`Store`] except durability.
#[derive(Debug)]
pub struct Memory(Live);

impl Memory {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::with(Limits::default())
    }

    /// Creates an empty store with custom limits.
    pub fn with(limits: Limits) -> Self {
        Self(Live::new(History::default(), limits))
    }

    /// Creates a store with the same entries, revisions and limits; it has no watchers, and what is written to one is
    /// not in the other.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self(self.0.fork())
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Store for Memory {
    fn revision(&self) -> Result<u64, Error> {
        Ok(self.0.revision())
    }

    fn get(&self, key: &[u8], at: Option<u64>) -> Result<Option<Entry>, Error> {
        self.0.get(key, at)
    }

    fn list(&self, list: &List<'_>) -> Result<Page, Error> {
        self.0.list(list)
    }

    fn update(&self, key: &[u8], value: Bytes, expected: u64) -> Result<u64, Error> {
        self.0.check(key, &value)?;
        self.0.check_room(key, &value)?;
        self.0.apply(key, Some(value), expected, 0)
    }

    fn update_with_ttl(&self, key: &[u8], value: Bytes, expected: u64, ttl: Ttl) -> Result<u64, Error> {
        self.0.check(key, &value)?;
        self.0.check_room(key, &value)?;
        self.0.apply(key, Some(value), expected, ttl.end())
    }

    fn expire(&self, now: u64) -> Result<(), Error> {
        for (key, modified) in self.0.expired(now) {
            // If a concurrent write came first, the entry stays.
            let _ = self.0.apply(&key, None, modified, 0);
        }
        Ok(())
    }

    fn delete(&self, key: &[u8], expected: u64) -> Result<u64, Error> {
        self.0.check(key, &[])?;
        self.0.apply(key, None, expected, 0)
    }

    fn compact(&self, to: u64) -> Result<(), Error> {
        if self.0.superseded(to)?.is_some() {
            self.0.compact(to);
        }
        Ok(())
    }

    fn overfull(&self) -> Option<u64> {
        self.0.overfull()
    }

    fn seen(&self) -> u64 {
        self.0.revision()
    }

    fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error> {
        self.0.watch(prefix, after)
    }
}
