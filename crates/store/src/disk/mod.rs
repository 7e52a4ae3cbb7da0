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
//! After an error of the disk the database is opened again, which shows whether the group is there; if not, its
//! writes are taken back and fail with [`Error::Full`] or [`Error::Unavailable`]. If a sync failed, the file may show
//! what is not on the disk, so a new one is written from memory. While even that fails, the outcome is
//! [`Error::Unknown`], and later writes fail at once. Every second one write, or the server's upkeep, tries again.
//! Reads work all the time.

#![allow(clippy::disallowed_methods, reason = "the store on disk")]

mod backend;
mod folder;
mod group;
mod log;
mod record;
mod rewrite;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::live::Live;
use crate::{Bytes, Entry, Error, Limits, List, Mark, Page, Store, Ttl, Watch};
use backend::{Opener, Trouble};
use folder::Folder;
pub use folder::create_private;
use group::{Failed, Group, Ticket};
use log::Log;

/// How long writes fail without trying after the disk failed.
const REST: Duration = Duration::from_secs(1);

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
    /// Held while compacting and while the file is replaced.
    compacting: Mutex<()>,
    folder: Folder,
}

impl Disk {
    /// Opens the store in a directory, or creates it.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(directory, Limits::default())
    }

    /// Opens a store with custom limits.
    pub fn open_with(directory: impl AsRef<Path>, limits: Limits) -> Result<Self, Error> {
        Self::open_on(directory.as_ref(), limits, backend::plain)
    }

    fn open_on(directory: &Path, limits: Limits, opener: Opener) -> Result<Self, Error> {
        let folder = Folder::take(directory, opener)?;
        let (log, history) = folder.log()?;
        folder.keep_room();
        Ok(Self {
            group: Mutex::new(Group::new(history.visible())),
            live: Live::new(history, limits),
            log,
            settled: Condvar::new(),
            compacting: Mutex::default(),
            folder,
        })
    }

    fn write(&self, key: &[u8], value: Option<Bytes>, expected: u64, expires: u64) -> Result<u64, Error> {
        self.live.check(key, value.as_deref().unwrap_or_default())?;
        if let Some(value) = &value {
            self.live.check_room(key, value)?;
        }
        let mut group = self.ready()?;
        // Staged under the lock of the group, so that groups are in the order of revisions.
        match self.live.stage(key, value, expected, expires) {
            Ok(staged) => {
                let revision = staged.revision;
                let ticket = group.add(staged);
                self.settle(group, &ticket)?;
                Ok(revision)
            }
            Err(refused) => {
                if let Some(ticket) = group.ticket_of(refused.by) {
                    self.settle(group, &ticket)?;
                }
                Err(Error::Conflict(refused.current))
            }
        }
    }

    /// Returns when the outcome of a ticket is known.
    fn settle<'a>(&'a self, mut group: MutexGuard<'a, Group>, ticket: &Ticket) -> Result<(), Error> {
        loop {
            if let Some(outcome) = ticket.get() {
                return outcome.clone();
            }
            group = match group.running {
                Some(_) => self.wait(group),
                None => self.commit(group),
            };
        }
    }

    fn wait<'a>(&'a self, group: MutexGuard<'a, Group>) -> MutexGuard<'a, Group> {
        self.settled.wait(group).unwrap_or_else(PoisonError::into_inner)
    }

    /// Commits the staged writes, without holding the lock.
    fn commit<'a>(&'a self, mut group: MutexGuard<'a, Group>) -> MutexGuard<'a, Group> {
        let (staged, batch) = group.start();
        drop(group);
        let appended = caught(|| self.log.append(&staged));
        let group = match appended {
            Ok(()) => {
                self.live.publish(batch.last());
                let mut group = self.group();
                group.durable = batch.last();
                group.trouble = None;
                batch.tell(Ok(()));
                group
            }
            Err(trouble) => {
                let repaired = self.repair(&trouble);
                let mut group = self.group();
                let outcome = match &repaired {
                    Ok(newest) if *newest >= batch.last() => Ok(()),
                    Ok(_) => Err(trouble.error()),
                    Err(_) => Err(Error::Unknown(Arc::clone(&trouble.why))),
                };
                self.resume(&mut group, repaired, trouble);
                batch.tell(outcome);
                group
            }
        };
        self.release(group)
    }

    /// Lets others use the disk.
    fn release<'a>(&'a self, mut group: MutexGuard<'a, Group>) -> MutexGuard<'a, Group> {
        group.running = None;
        self.settled.notify_all();
        group
    }

    /// Continues after a failure with what is on the disk, if that is known.
    fn resume(&self, group: &mut Group, repaired: Result<u64, Trouble>, cause: Trouble) {
        group.give_up(&cause.error());
        let is_broken = match &repaired {
            Ok(newest) => {
                if *newest > group.durable {
                    self.live.publish(*newest);
                    group.durable = *newest;
                }
                self.live.take_back();
                false
            }
            Err(_) => true,
        };
        group.trouble = Some(Failed {
            trouble: repaired.err().unwrap_or(cause),
            is_broken,
            retry: Instant::now() + REST,
        });
    }

    /// Makes the database usable after an error; returns the newest revision on disk.
    fn repair(&self, trouble: &Trouble) -> Result<u64, Trouble> {
        // Whoever holds this waits for the disk, or fails as well: never wait for them here.
        let Ok(_turn) = self.compacting.try_lock() else {
            return Err(trouble.clone());
        };
        let visible = self.live.revision();
        if self.folder.is_unsure() || !trouble.is_full {
            self.rewrite(|| ())?;
            return Ok(visible);
        }
        self.log.replace(None);
        let database = self.folder.reopen()?;
        let newest = log::newest(&database)?.max(visible);
        self.log.replace(Some(database));
        Ok(newest)
    }

    /// Returns the group if writes may be tried.
    fn ready(&self) -> Result<MutexGuard<'_, Group>, Error> {
        let mut group = self.group();
        let Some(failed) = group.trouble.clone() else {
            return Ok(group);
        };
        if group.running.is_some() || Instant::now() < failed.retry {
            return Err(failed.trouble.error());
        }
        if let Some(failed) = &mut group.trouble {
            failed.retry = Instant::now() + REST;
        }
        if !failed.is_broken {
            return Ok(group);
        }
        group.occupy();
        drop(group);
        let repaired = caught(|| self.repair(&failed.trouble));
        let mut group = self.group();
        let is_usable = repaired.is_ok();
        self.resume(&mut group, repaired, failed.trouble.clone());
        let group = self.release(group);
        if is_usable {
            Ok(group)
        } else {
            Err(failed.trouble.error())
        }
    }

    /// Tries to write something if the last write failed.
    fn probe(&self) {
        if self.group().trouble.is_none() {
            return;
        }
        let Ok(mut group) = self.ready() else { return };
        if group.running.is_some() {
            return;
        }
        group.occupy();
        drop(group);
        let tried = caught(|| self.log.settle(self.live.compacted(), None));
        let mut group = self.group();
        match tried {
            Ok(()) => {
                group.trouble = None;
                self.folder.keep_room();
            }
            Err(trouble) => {
                drop(group);
                let repaired = self.repair(&trouble);
                group = self.group();
                self.resume(&mut group, repaired, trouble);
            }
        }
        drop(self.release(group));
    }

    fn group(&self) -> MutexGuard<'_, Group> {
        self.group.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that something failed that nobody waits for.
    fn note(&self, trouble: Trouble) -> Error {
        let error = trouble.error();
        self.group().trouble = Some(Failed {
            trouble,
            is_broken: true,
            retry: Instant::now() + REST,
        });
        error
    }
}

/// Runs work of the engine. Others wait for its end, so a panic must not be lost.
fn caught<T>(work: impl FnOnce() -> Result<T, Trouble>) -> Result<T, Trouble> {
    let outcome = catch_unwind(AssertUnwindSafe(work));
    outcome.unwrap_or_else(|_| Err(Trouble::new("the engine panicked")))
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
        self.probe();
        let due = self.live.expired(now);
        if due.is_empty() {
            return Ok(());
        }
        let mut group = self.ready()?;
        let mut last = None;
        for (key, modified) in due {
            // If a concurrent write came first, the entry stays.
            if let Ok(staged) = self.live.stage(&key, None, modified, 0) {
                last = Some(group.add(staged));
            }
        }
        last.map_or(Ok(()), |ticket| self.settle(group, &ticket))
    }

    /// A full disk must not keep anybody from making room.
    fn delete(&self, key: &[u8], expected: u64) -> Result<u64, Error> {
        let deleted = self.write(key, None, expected, 0);
        if !matches!(deleted, Err(Error::Full(_))) || !self.folder.give_room() {
            return deleted;
        }
        if let Some(failed) = &mut self.group().trouble {
            failed.retry = Instant::now();
        }
        self.write(key, None, expected, 0)
    }

    fn compact(&self, to: u64) -> Result<(), Error> {
        let turn = self.compacting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(superseded) = self.live.superseded(to)? else {
            return Ok(());
        };
        if let Some(failed) = &self.group().trouble {
            return Err(failed.trouble.error());
        }
        // A write superseded at a visible revision stays superseded, whatever is written meanwhile.
        caught(|| self.log.compact(to, &superseded)).map_err(|trouble| self.note(trouble))?;
        self.live.compact(to);
        self.shrink(&turn)
    }

    fn overfull(&self) -> Option<u64> {
        self.live.overfull()
    }

    fn health(&self) -> Result<(), Error> {
        match &self.group().trouble {
            Some(failed) => Err(failed.trouble.error()),
            None => Ok(()),
        }
    }

    fn mark(&self) -> Option<Mark> {
        self.log.mark()
    }

    fn set_mark(&self, mark: Mark) -> Result<(), Error> {
        if let Some(failed) = &self.group().trouble {
            return Err(failed.trouble.error());
        }
        caught(|| self.log.set_mark(mark)).map_err(|trouble| self.note(trouble))
    }

    fn seen(&self) -> u64 {
        self.live.revision()
    }

    fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error> {
        self.live.watch(prefix, after)
    }
}
