//! The durable store: every acknowledged write is on disk. Must not know the format of records.
//!
//! # Group commit
//!
//! An fsync takes as long for a hundred writes as for one. A writer checks and stages its write under a lock
//! and then waits until it is durable; the first writer that finds no commit running commits everything
//! staged so far, for all. Writes staged meanwhile form the next group. There is no thread that could be
//! late, and a single writer waits for nobody else.
//!
//! Staged writes count for the checks of later writes but are not visible: readers and watchers see a write
//! when it is durable. So does a writer whose write was rejected because of one.
//!
//! # Failure
//!
//! After a disk error, the content of the disk is unknown. Waiting writers get [`Error::Unknown`], later ones
//! [`Error::Unavailable`], and reads keep working; opening the store again shows what was written.

mod folder;
mod log;
mod record;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::history::Staged;
use crate::live::Live;
use crate::{Bytes, Entry, Error, Limits, List, Page, Store, Ttl, Watch};
use folder::Folder;
use log::Log;

/// A durable store in a directory.
///
/// Entries and their history are also in memory, and are read from there: they have to fit. Opening reads
/// everything once, and once more after a crash, when redb verifies its pages. Only one process can have a
/// directory open.
#[derive(Debug)]
pub struct Disk {
    live: Live,
    log: Log,
    group: Mutex<Group>,
    /// Notified when a group is durable or has failed.
    settled: Condvar,
    /// Held while compacting.
    compacting: Mutex<()>,
    _folder: Folder,
}

/// The writes waiting for the disk.
#[derive(Debug)]
struct Group {
    /// In the order of their revisions.
    staged: Vec<Staged>,
    /// Everything up to this revision is on disk and visible.
    durable: u64,
    /// Whether a commit is running.
    committing: bool,
    /// Why the store no longer accepts writes.
    failed: Option<Arc<str>>,
}

impl Disk {
    /// Opens the store in a directory, or creates it.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(directory, Limits::default())
    }

    /// Opens a store with custom limits.
    pub fn open_with(directory: impl AsRef<Path>, limits: Limits) -> Result<Self, Error> {
        let folder = Folder::take(directory.as_ref())?;
        let (log, history) = folder.log()?;
        let group = Group {
            staged: Vec::new(),
            durable: history.visible(),
            committing: false,
            failed: None,
        };
        Ok(Self {
            live: Live::new(history, limits),
            log,
            group: Mutex::new(group),
            settled: Condvar::new(),
            compacting: Mutex::default(),
            _folder: folder,
        })
    }

    fn write(&self, key: &[u8], value: Option<Bytes>, expected: u64, expires: u64) -> Result<u64, Error> {
        self.live.check(key, value.as_deref().unwrap_or_default())?;
        let mut group = self.group();
        if let Some(why) = &group.failed {
            return Err(Error::Unavailable(Arc::clone(why)));
        }
        // Staged under the lock of the group, so that groups are in the order of revisions.
        match self.live.stage(key, value, expected, expires) {
            Ok(staged) => {
                let revision = staged.revision;
                group.staged.push(staged);
                self.settle(group, revision).map_err(Error::Unknown)?;
                Ok(revision)
            }
            Err(refused) => {
                self.settle(group, refused.by).map_err(Error::Unavailable)?;
                Err(Error::Conflict(refused.current))
            }
        }
    }

    /// Returns when a staged revision is durable.
    fn settle<'a>(&'a self, mut group: MutexGuard<'a, Group>, revision: u64) -> Result<(), Arc<str>> {
        while group.durable < revision {
            if let Some(why) = &group.failed {
                return Err(Arc::clone(why));
            }
            group = if group.committing {
                let waited = self.settled.wait(group);
                waited.unwrap_or_else(PoisonError::into_inner)
            } else {
                self.commit(group)
            };
        }
        Ok(())
    }

    /// Commits the staged writes, without holding the lock.
    fn commit<'a>(&'a self, mut group: MutexGuard<'a, Group>) -> MutexGuard<'a, Group> {
        let batch = std::mem::take(&mut group.staged);
        group.committing = true;
        drop(group);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.log.append(&batch)));
        // Others wait for this commit; they must not wait forever.
        let outcome = outcome.unwrap_or_else(|_| Err("the engine panicked".into()));
        let last = batch.last().map(|write| write.revision);
        if let (Ok(()), Some(last)) = (&outcome, last) {
            self.live.publish(last);
        }
        let mut group = self.group();
        group.committing = false;
        match outcome {
            Ok(()) => group.durable = last.unwrap_or(group.durable),
            Err(why) => group.failed = Some(why),
        }
        self.settled.notify_all();
        group
    }

    fn group(&self) -> MutexGuard<'_, Group> {
        self.group.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Disk {
    fn revision(&self) -> Result<u64, Error> {
        Ok(self.live.revision())
    }

    fn get(&self, key: &[u8], at: Option<u64>) -> Result<Option<Entry>, Error> {
        self.live.get(key, at)
    }

    fn list(&self, list: &List<'_>) -> Result<Page, Error> {
        self.live.list(list)
    }

    fn update(&self, key: &[u8], value: Bytes, expected: u64) -> Result<u64, Error> {
        self.write(key, Some(value), expected, 0)
    }

    fn update_with_ttl(&self, key: &[u8], value: Bytes, expected: u64, ttl: Ttl) -> Result<u64, Error> {
        self.write(key, Some(value), expected, ttl.end())
    }

    fn expire(&self, now: u64) -> Result<(), Error> {
        let due = self.live.expired(now);
        let mut group = self.group();
        let mut last = None;
        if let Some(why) = &group.failed {
            return Err(Error::Unavailable(Arc::clone(why)));
        }
        for (key, modified) in due {
            // If a concurrent write came first, the entry stays.
            if let Ok(staged) = self.live.stage(&key, None, modified, 0) {
                last = Some(staged.revision);
                group.staged.push(staged);
            }
        }
        last.map_or(Ok(()), |last| self.settle(group, last).map_err(Error::Unknown))
    }

    fn delete(&self, key: &[u8], expected: u64) -> Result<u64, Error> {
        self.write(key, None, expected, 0)
    }

    fn compact(&self, to: u64) -> Result<(), Error> {
        let _turn = self.compacting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(superseded) = self.live.superseded(to)? else {
            return Ok(());
        };
        if let Some(why) = &self.group().failed {
            return Err(Error::Unavailable(Arc::clone(why)));
        }
        // A write superseded at a visible revision stays superseded, whatever is written meanwhile.
        if let Err(why) = self.log.compact(to, &superseded) {
            self.group().failed = Some(Arc::clone(&why));
            return Err(Error::Unknown(why));
        }
        self.live.compact(to);
        Ok(())
    }

    fn seen(&self) -> u64 {
        self.live.revision()
    }

    fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error> {
        self.live.watch(prefix, after)
    }
}
