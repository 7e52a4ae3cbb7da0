//! A history with its readers and watchers, shared between threads. Must not know how writes become durable.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use crate::history::{ChunkLimits, History, Refused, Size, Staged};
use crate::hub::Hub;
use crate::pages::Pages;
use crate::watch::Feed;
use crate::{Bytes, Entry, Error, Event, Limits, List, Page, Watch};

/// How much of the past a watcher holds at once.
const CHUNK: ChunkLimits = ChunkLimits {
    events: 64,
    bytes: 256 << 10,
    looks: 16_384,
};

/// The number of writes that compaction looks at while nobody can read.
const STEP: usize = 4_096;

/// The common part of all stores that keep their entries in memory.
#[derive(Debug)]
pub(crate) struct Live(Arc<Shared>);

/// What a store shares with watchers that read the past.
#[derive(Debug)]
struct Shared {
    history: RwLock<History>,
    // Locked only while holding `history`, so that nothing is published while a watcher is added.
    hub: Mutex<Hub>,
    // Locked only while holding `history`.
    pages: Mutex<Pages>,
    /// The visible revision, raised after its events are delivered.
    progress: Arc<AtomicU64>,
    limits: Limits,
}

/// The past that a watcher still has to read.
#[derive(Debug)]
pub(crate) struct Replay {
    // The store ends its watches when it is dropped, so they must not keep it.
    store: Weak<Shared>,
    prefix: Box<[u8]>,
    reached: u64,
    /// How often all watches had ended when this one began.
    endings: u64,
}

/// What a watcher gets of the past.
pub(crate) enum Read {
    /// Some events.
    Events(Vec<Arc<Event>>),
    /// Nothing is left; from now on, events are pushed.
    Joined,
}

impl Replay {
    /// Returns the revision up to which events were read.
    pub(crate) fn reached(&self) -> u64 {
        self.reached
    }

    /// Reads on; at the end, adds the watcher to those that get new events.
    pub(crate) fn read_on(&mut self, feed: &Feed) -> Result<Read, Error> {
        loop {
            let store = self.store.upgrade().ok_or(Error::Closed)?;
            let history = store.history.read().unwrap_or_else(PoisonError::into_inner);
            let mut hub = store.hub.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(ending) = hub.ending_after(self.endings) {
                return Err(ending);
            }
            let chunk = history.chunk(&self.prefix, self.reached, CHUNK)?;
            self.reached = chunk.reached;
            if !chunk.events.is_empty() {
                return Ok(Read::Events(chunk.events));
            }
            if chunk.is_last {
                hub.add(&self.prefix, feed.clone());
                return Ok(Read::Joined);
            }
        }
    }
}

impl Live {
    pub(crate) fn new(history: History, limits: Limits) -> Self {
        Self(Arc::new(Shared {
            progress: Arc::new(AtomicU64::new(history.visible())),
            history: RwLock::new(history),
            hub: Mutex::default(),
            pages: Mutex::default(),
            limits,
        }))
    }

    /// Creates a copy without watchers.
    pub(crate) fn fork(&self) -> Self {
        Self::new(self.read().clone(), self.0.limits)
    }

    pub(crate) fn revision(&self) -> u64 {
        self.0.progress.load(Ordering::Acquire)
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
        if list.counts
            && let Some(next) = page.next()
        {
            self.pages()
                .remember(list.prefix, &next, page.revision, page.remaining);
        }
        Ok(page)
    }

    pub(crate) fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error> {
        let history = self.read();
        let mut hub = self.hub();
        let chunk = history.chunk(prefix, after, CHUNK)?;
        let is_behind = !chunk.is_last || !chunk.events.is_empty();
        let replay = is_behind.then(|| Replay {
            store: Arc::downgrade(&self.0),
            prefix: prefix.into(),
            reached: after,
            endings: hub.endings(),
        });
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
        self.read().size()
    }

    /// Returns a revision to compact to because older states take too much room, if they do.
    pub(crate) fn overfull(&self) -> Option<u64> {
        let history = self.read();
        let (size, limits) = (history.size(), self.0.limits);
        let room = limits.quota_bytes.saturating_sub(size.all - size.old);
        history.overfull(limits.history_bytes.min(room / 2))
    }

    /// Takes back writes that were staged and did not become durable.
    pub(crate) fn take_back(&self) {
        self.write().take_back();
    }

    /// Returns all visible versions of the keys from `start` on up to a revision, and where the next ones start.
    pub(crate) fn dump(&self, start: &[u8], to: u64, most: usize) -> (Vec<Staged>, Option<Vec<u8>>) {
        self.read().dump(start, to, most)
    }

    /// Returns the visible writes after a revision.
    pub(crate) fn tail(&self, after: u64) -> Vec<Staged> {
        self.read().tail(after)
    }

    pub(crate) fn compacted(&self) -> u64 {
        self.read().compacted()
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
        self.0.progress.store(to, Ordering::Release);
    }

    pub(crate) fn expired(&self, now: u64) -> Vec<(Bytes, u64)> {
        self.read().expired(now)
    }

    pub(crate) fn superseded(&self, to: u64) -> Result<Option<Vec<u64>>, Error> {
        self.read().superseded(to)
    }

    pub(crate) fn compact(&self, to: u64) {
        loop {
            let mut history = self.write();
            let step = history.step(to, STEP);
            history.compact(step);
            if step >= to {
                return;
            }
        }
    }

    fn hub(&self) -> MutexGuard<'_, Hub> {
        self.0.hub.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> RwLockReadGuard<'_, History> {
        self.0.history.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, History> {
        self.0.history.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Functions for a store whose writes happen elsewhere.
#[cfg(feature = "etcd")]
impl Live {
    /// Returns the entry that was written last.
    pub(crate) fn newest(&self) -> Option<Entry> {
        self.read().newest()
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
        self.0.progress.store(new.visible(), Ordering::Release);
        *history = new;
    }

    /// Ends all watches.
    pub(crate) fn end(&self, error: &Error) {
        let _history = self.read();
        self.hub().end(error);
    }
}
