//! A history with its readers and watchers, shared between threads. Must not know how writes become durable.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::history::{History, Refused, Staged};
use crate::hub::Hub;
use crate::pages::Pages;
use crate::{Bytes, Entry, Error, Limits, List, Page, Watch};

/// The common part of all stores that keep their entries in memory.
#[derive(Debug)]
pub(crate) struct Live {
    history: RwLock<History>,
    // Locked only while holding `history`, so that nothing is published while a watcher is added.
    hub: Mutex<Hub>,
    // Locked only while holding `history`.
    pages: Mutex<Pages>,
    /// The visible revision, raised after its events are delivered.
    progress: Arc<AtomicU64>,
    limits: Limits,
}

impl Live {
    pub(crate) fn new(history: History, limits: Limits) -> Self {
        Self {
            progress: Arc::new(AtomicU64::new(history.visible())),
            history: RwLock::new(history),
            hub: Mutex::default(),
            pages: Mutex::default(),
            limits,
        }
    }

    pub(crate) fn revision(&self) -> u64 {
        self.progress.load(Ordering::Acquire)
    }

    pub(crate) fn get(&self, key: &[u8], at: Option<u64>) -> Result<Option<Entry>, Error> {
        self.read().get(key, at)
    }

    pub(crate) fn list(&self, list: &List<'_>) -> Result<Page, Error> {
        let history = self.read();
        let known = match (list.start, list.at) {
            (Some(start), Some(at)) => self.pages().count(list.prefix, start, at),
            _ => None,
        };
        let page = history.list(list, known)?;
        if let Some(next) = page.next() {
            self.pages()
                .remember(list.prefix, &next, page.revision, page.remaining);
        }
        Ok(page)
    }

    pub(crate) fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error> {
        let history = self.read();
        let replay = history.replay(prefix, after)?;
        let (watch, feed) = Watch::new(after, replay, Arc::clone(&self.progress), self.limits);
        self.hub().add(prefix, feed);
        Ok(watch)
    }

    /// Rejects keys and values that no store accepts.
    pub(crate) fn check(&self, key: &[u8], value: &[u8]) -> Result<(), Error> {
        let (size, limit) = (key.len() + value.len(), self.limits.entry_bytes);
        match key {
            [] => Err(Error::EmptyKey),
            _ if size > limit => Err(Error::TooLarge { size, limit }),
            _ => Ok(()),
        }
    }

    /// Stages a write; it is not visible before [`Live::publish`].
    pub(crate) fn stage(
        &self,
        key: &[u8],
        value: Option<Bytes>,
        expected: u64,
        expires: u64,
    ) -> Result<Staged, Refused> {
        self.write().stage(key, value, expected, expires)
    }

    /// Makes all writes up to a revision visible to readers and watchers.
    pub(crate) fn publish(&self, to: u64) {
        self.publish_in(&mut self.write(), to);
    }

    /// Stages a write and publishes it at once.
    pub(crate) fn apply(
        &self,
        key: &[u8],
        value: Option<Bytes>,
        expected: u64,
        expires: u64,
    ) -> Result<u64, Error> {
        let mut history = self.write();
        let staged = history.stage(key, value, expected, expires);
        let staged = staged.map_err(|refused| Error::Conflict(refused.current))?;
        self.publish_in(&mut history, staged.revision);
        Ok(staged.revision)
    }

    fn publish_in(&self, history: &mut History, to: u64) {
        let mut hub = self.hub();
        for event in history.publish(to) {
            hub.deliver(&event);
        }
        self.progress.store(to, Ordering::Release);
    }

    pub(crate) fn expired(&self, now: u64) -> Vec<(Bytes, u64)> {
        self.read().expired(now)
    }

    pub(crate) fn superseded(&self, to: u64) -> Result<Option<Vec<u64>>, Error> {
        self.read().superseded(to)
    }

    pub(crate) fn compact(&self, to: u64) {
        self.write().compact(to);
    }

    fn hub(&self) -> MutexGuard<'_, Hub> {
        self.hub.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> RwLockReadGuard<'_, History> {
        self.history.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, History> {
        self.history.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Functions for a store whose writes happen elsewhere.
#[cfg(feature = "etcd")]
impl Live {
    pub(crate) fn compacted(&self) -> u64 {
        self.read().compacted()
    }

    /// Adds all writes up to a revision, in order, and publishes them.
    pub(crate) fn absorb(&self, writes: &[Staged], to: u64) {
        let mut history = self.write();
        for write in writes {
            history.append(write);
        }
        self.publish_in(&mut history, to);
    }

    /// Starts again with another history; watchers cannot continue there.
    pub(crate) fn reset(&self, new: History) {
        let mut history = self.write();
        let cut = Error::Compacted {
            at: history.visible(),
            compacted: new.compacted(),
        };
        self.hub().end(&cut);
        self.pages().clear();
        self.progress.store(new.visible(), Ordering::Release);
        *history = new;
    }

    /// Ends all watches.
    pub(crate) fn end(&self, error: &Error) {
        let _history = self.read();
        self.hub().end(error);
    }
}
