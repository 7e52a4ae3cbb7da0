//! A history with its readers and watchers, shared between threads. Must not know how writes become durable.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::history::{History, Refused, Size, Staged};
use crate::shared::{CHUNK, Replay, Shared};
use crate::{Bytes, Entry, Error, Key, Limits, List, Page, Watch};

/// The number of writes that compaction looks at while nobody can read.
const STEP: usize = 4_096;

/// The common part of all stores that keep their entries in memory.
#[derive(Debug)]
pub(crate) struct Live(Arc<Shared>);

impl Live {
    pub(crate) fn new(history: History, limits: Limits) -> Self {
        Self(Arc::new(Shared::new(history, limits)))
    }

    /// Creates a copy without watchers.
    pub(crate) fn fork(&self) -> Self {
        Self::new(self.0.read().clone(), self.0.limits)
    }

    pub(crate) fn revision(&self) -> u64 {
        self.0.progress.load(Ordering::Acquire)
    }

    pub(crate) fn get(&self, key: &[u8], at: Option<u64>) -> Result<Option<Entry>, Error> {
        self.0.read().get(key, at)
    }

    pub(crate) fn list(&self, list: &List<'_>) -> Result<Page, Error> {
        let history = self.0.read();
        let known = match (list.start, list.at) {
            (Some(start), Some(at)) => self.0.pages().count(list.prefix, start, at),
            _ => None,
        };
        let page = history.list(list, known)?;
        if list.counts
            && let Some(next) = page.next()
        {
            self.0
                .pages()
                .remember(list.prefix, &next, page.revision, page.remaining);
        }
        Ok(page)
    }

    pub(crate) fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error> {
        let history = self.0.read();
        let mut hub = self.0.hub();
        let chunk = history.chunk(prefix, after, CHUNK)?;
        let is_behind = !chunk.is_last || !chunk.events.is_empty();
        let replay = is_behind.then(|| Replay::new(&self.0, prefix, after, hub.endings()));
        let (watch, feed) = Watch::new(after, replay, Arc::clone(&self.0.progress), self.0.limits);
        if !is_behind {
            hub.add(prefix, feed);
        }
        Ok(watch)
    }

    /// Rejects keys and values that no store accepts.
    pub(crate) fn check(&self, key: &[u8], value: &[u8]) -> Result<(), Error> {
        let (size, limit) = (key.len() + value.len(), self.0.limits.entry_bytes);
        match key {
            [] => Err(Error::EmptyKey),
            _ if size > limit => Err(Error::TooLarge { size, limit }),
            _ => Ok(()),
        }
    }

    /// Rejects a value for which there is no room.
    pub(crate) fn check_room(&self, key: &[u8], value: &[u8]) -> Result<(), Error> {
        let (all, quota) = (self.size().all, self.0.limits.quota_bytes);
        if all + key.len() + value.len() <= quota {
            return Ok(());
        }
        // etcd's words, which operators look for.
        let why = format!(
            "mvcc: database space exceeded: the store has {all} bytes of {quota}; delete objects or raise its quota"
        );
        Err(Error::Full(why.into()))
    }

    /// Returns how much memory all states take.
    pub(crate) fn size(&self) -> Size {
        self.0.read().size()
    }

    /// Returns a revision to compact to because older states take too much room, if they do.
    pub(crate) fn overfull(&self) -> Option<u64> {
        let history = self.0.read();
        let (size, limits) = (history.size(), self.0.limits);
        let room = limits.quota_bytes.saturating_sub(size.all - size.old);
        history.overfull(limits.history_bytes.min(room / 2))
    }

    /// Takes back writes that were staged and did not become durable.
    pub(crate) fn take_back(&self) {
        self.0.write().take_back();
    }

    /// Returns all visible versions of the keys from `start` on up to a revision, and where the next ones start.
    pub(crate) fn dump(&self, start: &[u8], to: u64, most: usize) -> (Vec<Staged>, Option<Vec<u8>>) {
        self.0.read().dump(start, to, most)
    }

    /// Returns the visible writes after a revision.
    pub(crate) fn tail(&self, after: u64) -> Vec<Staged> {
        self.0.read().tail(after)
    }

    pub(crate) fn compacted(&self) -> u64 {
        self.0.read().compacted()
    }

    /// Stages a write; it is not visible before [`Live::publish`].
    pub(crate) fn stage(
        &self,
        key: &[u8],
        value: Option<Bytes>,
        expected: u64,
        expires: u64,
    ) -> Result<Staged, Refused> {
        self.0.write().stage(key, value, expected, expires)
    }

    /// Makes all writes up to a revision visible to readers and watchers.
    pub(crate) fn publish(&self, to: u64) {
        self.publish_in(&mut self.0.write(), to);
    }

    /// Stages a write and publishes it at once.
    pub(crate) fn apply(
        &self,
        key: &[u8],
        value: Option<Bytes>,
        expected: u64,
        expires: u64,
    ) -> Result<u64, Error> {
        let mut history = self.0.write();
        let staged = history.stage(key, value, expected, expires);
        let staged = staged.map_err(|refused| Error::Conflict(refused.current))?;
        self.publish_in(&mut history, staged.revision);
        Ok(staged.revision)
    }

    fn publish_in(&self, history: &mut History, to: u64) {
        let mut hub = self.0.hub();
        for event in history.publish(to) {
            hub.deliver(&event);
        }
        self.0.progress.store(to, Ordering::Release);
    }

    pub(crate) fn expired(&self, now: u64) -> Vec<(Key, u64)> {
        self.0.read().expired(now)
    }

    pub(crate) fn superseded(&self, to: u64) -> Result<Option<Vec<u64>>, Error> {
        self.0.read().superseded(to)
    }

    pub(crate) fn compact(&self, to: u64) {
        loop {
            let mut history = self.0.write();
            let step = history.step(to, STEP);
            history.compact(step);
            if step >= to {
                return;
            }
        }
    }
}

/// Functions for a store whose writes happen elsewhere.
#[cfg(feature = "etcd")]
impl Live {
    /// Returns the entry that was written last.
    pub(crate) fn newest(&self) -> Option<Entry> {
        self.0.read().newest()
    }

    /// Adds all writes up to a revision, in order, and publishes them.
    pub(crate) fn absorb(&self, writes: &[Staged], to: u64) {
        let mut history = self.0.write();
        for write in writes {
            history.append(write);
        }
        self.publish_in(&mut history, to);
    }

    /// Starts again with another history; watchers cannot continue there.
    pub(crate) fn reset(&self, new: History) {
        let mut history = self.0.write();
        let cut = Error::Compacted {
            at: history.visible(),
            compacted: new.compacted(),
        };
        self.0.hub().end(&cut);
        self.0.pages().clear();
        self.0.progress.store(new.visible(), Ordering::Release);
        *history = new;
    }

    /// Ends all watches.
    pub(crate) fn end(&self, error: &Error) {
        let _history = self.0.read();
        self.0.hub().end(error);
    }
}
