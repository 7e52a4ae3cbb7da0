//! What a store shares with watchers that still read the past.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use crate::feed::Feed;
use crate::history::{ChunkLimits, History};
use crate::hub::Hub;
use crate::pages::Pages;
use crate::{Error, Event, Limits};

/// How much of the past a watcher holds at once.
pub(crate) const CHUNK: ChunkLimits = ChunkLimits {
    events: 64,
    bytes: 256 << 10,
    looks: 16_384,
};

/// What a store shares with watchers that read the past.
#[derive(Debug)]
pub(crate) struct Shared {
    history: RwLock<History>,
    // Locked only while holding `history`, so that nothing is published while a watcher is added.
    hub: Mutex<Hub>,
    // Locked only while holding `history`.
    pages: Mutex<Pages>,
    /// The visible revision, raised after its events are delivered.
    pub(crate) progress: Arc<AtomicU64>,
    pub(crate) limits: Limits,
}

impl Shared {
    pub(crate) fn new(history: History, limits: Limits) -> Self {
        Shared {
            progress: Arc::new(AtomicU64::new(history.visible())),
            history: RwLock::new(history),
            hub: Mutex::default(),
            pages: Mutex::default(),
            limits,
        }
    }

    pub(crate) fn hub(&self) -> MutexGuard<'_, Hub> {
        self.hub.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, History> {
        self.history.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, History> {
        self.history.write().unwrap_or_else(PoisonError::into_inner)
    }
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
    pub(crate) fn new(store: &Arc<Shared>, prefix: &[u8], after: u64, endings: u64) -> Self {
        Replay {
            store: Arc::downgrade(store),
            prefix: prefix.into(),
            reached: after,
            endings,
        }
    }

    /// Returns the revision up to which events were read.
    pub(crate) fn reached(&self) -> u64 {
        self.reached
    }

    /// Reads on; at the end, adds the watcher to those that get new events.
    pub(crate) fn read_on(&mut self, feed: &Feed) -> Result<Read, Error> {
        loop {
            let store = self.store.upgrade().ok_or(Error::Closed)?;
            let history = store.read();
            let mut hub = store.hub();
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
