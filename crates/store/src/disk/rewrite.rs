//! A new file for the database, written from memory beside the old one: to give room back that compaction freed, and
//! to start again after a failed sync. Must not know why.

use std::sync::MutexGuard;

use redb::{Database, Durability};

use super::Disk;
use super::backend::Trouble;
use super::log::Log;
use crate::Error;

/// Smaller files are not worth it.
const SMALL: u64 = 16 << 20;
/// How many bytes of records are written in one transaction.
const CHUNK: usize = 4 << 20;

impl Disk {
    /// Writes the database anew if most of its file is empty. `_turn` keeps compaction and others out.
    pub(super) fn shrink(&self, _turn: &MutexGuard<'_, ()>) -> Result<(), Error> {
        let needed = self.live.size().all as u64;
        if self.folder.size() < SMALL.max(needed.saturating_mul(3)) {
            return Ok(());
        }
        let wait = || {
            let mut group = self.group();
            while group.running.is_some() {
                group = self.wait(group);
            }
            group.occupy();
        };
        let mut is_waiting = false;
        let rewritten = self.rewrite(|| {
            wait();
            is_waiting = true;
        });
        if is_waiting {
            drop(self.release(self.group()));
        }
        match rewritten {
            Ok(()) => Ok(()),
            // The old file is as good as before; the next compaction tries again.
            Err(trouble) if !is_waiting => Err(trouble.error()),
            Err(trouble) => Err(self.note(trouble)),
        }
    }

    /// Replaces the file. `occupy` is called when nobody may commit any more. The caller must hold `compacting`.
    pub(super) fn rewrite(&self, occupy: impl FnOnce()) -> Result<(), Trouble> {
        let written = self.copy(occupy);
        if written.is_err() {
            self.folder.discard();
        }
        let database = written?;
        self.log.replace(None);
        self.folder.publish()?;
        self.log.replace(Some(database));
        Ok(())
    }

    /// Writes everything that is visible into a new database.
    fn copy(&self, occupy: impl FnOnce()) -> Result<Database, Trouble> {
        let mark = self.log.mark();
        let draft = Log::create(self.folder.draft()?)?;
        let (to, mut start) = (self.live.revision(), Some(Vec::new()));
        while let Some(from) = start {
            let (writes, next) = self.live.dump(&from, to, CHUNK);
            draft.add(&writes, Durability::None)?;
            start = next;
        }
        occupy();
        draft.add(&self.live.tail(to), Durability::None)?;
        draft.settle(self.live.compacted(), mark)?;
        draft
            .into_database()
            .ok_or_else(|| Trouble::new("the new database is closed"))
    }
}
