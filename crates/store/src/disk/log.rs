//! The writes of a store in a redb database: one record per revision, as in etcd. Must not know readers,
//! watchers or waiting writers.
//!
//! | table | key | value |
//! |---|---|---|
//! | `writes` | revision | record |
//! | `meta` | `format`, `compacted`, `mark-revision`, `mark-seconds` | number |
//!
//! redb commits by copy-on-write with checksums and one fdatasync, so a transaction exists completely or not
//! at all. Records have their own checksum and revisions have no gaps; both are checked when a store is
//! opened.

use std::fmt::Display;
use std::sync::{PoisonError, RwLock};

use redb::{Database, Durability, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};

use super::backend::Trouble;
use super::record;
use crate::history::{FIRST, History, Staged};
use crate::{Error, Mark};

const WRITES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("writes");
const META: TableDefinition<'_, &str, u64> = TableDefinition::new("meta");
const FORMAT: u64 = 1;
/// The number of records removed in one transaction: writers never wait for more.
const CHUNK: usize = 4_096;

type Writes<'t> = redb::Table<'t, u64, &'static [u8]>;
type Meta<'t> = redb::Table<'t, &'static str, u64>;

/// The database of a store; `None` between two that are opened one after the other.
#[derive(Debug)]
pub(super) struct Log(RwLock<Option<Database>>);

impl Log {
    /// Creates the tables of a new store.
    pub(super) fn create(database: Database) -> Result<Self, Trouble> {
        let log = Self(RwLock::new(Some(database)));
        log.change(Durability::Immediate, |_, meta| {
            meta.insert("format", FORMAT).map(|_| ())
        })?;
        Ok(log)
    }

    /// Reads a store back.
    pub(super) fn open(database: Database) -> Result<(Self, History), Error> {
        let log = Self(RwLock::new(None));
        let (history, compacted, leftover) = load(&database)?;
        log.replace(Some(database));
        // A crash may have happened between the decision to compact and the last removal.
        if !leftover.is_empty() {
            log.compact(compacted, &leftover)
                .map_err(|trouble| trouble.error())?;
        }
        Ok((log, history))
    }

    /// Continues in another database; `None` closes the one that was used.
    pub(super) fn replace(&self, database: Option<Database>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = database;
    }

    /// Takes the database out of a log that is not used any more.
    pub(super) fn into_database(self) -> Option<Database> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds writes, all or none; they are on disk when this returns.
    pub(super) fn append(&self, batch: &[Staged]) -> Result<(), Trouble> {
        self.add(batch, Durability::Immediate)
    }

    /// Adds writes that need not be on disk before the next [`append`](Self::append) or [`settle`](Self::settle).
    pub(super) fn add(&self, batch: &[Staged], durability: Durability) -> Result<(), Trouble> {
        let mut buffer = Vec::new();
        self.change(durability, |writes, _| {
            for write in batch {
                record::encode(write, &mut buffer);
                writes.insert(write.revision, &*buffer)?;
            }
            Ok(())
        })
    }

    /// Marks a revision as compacted; everything added so far is on disk when this returns.
    pub(super) fn settle(&self, compacted: u64, mark: Option<Mark>) -> Result<(), Trouble> {
        self.change(Durability::Immediate, |_, meta| {
            meta.insert("compacted", compacted)?;
            mark.map_or(Ok(()), |mark| set_mark(meta, mark))
        })
    }

    /// Marks a revision as compacted and removes the superseded writes. The revisions must be ascending: the
    /// deletion of a key must be removed last, or a crash in between would bring the key back.
    pub(super) fn compact(&self, to: u64, superseded: &[u64]) -> Result<(), Trouble> {
        self.settle(to, None)?;
        for chunk in superseded.chunks(CHUNK) {
            self.change(Durability::Immediate, |writes, _| {
                for revision in chunk {
                    writes.remove(revision)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    pub(super) fn mark(&self) -> Option<Mark> {
        let database = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let read = database.as_ref()?.begin_read().ok()?;
        let meta = read.open_table(META).ok()?;
        let number = |name| Some(meta.get(name).ok()??.value());
        Some(Mark {
            revision: number("mark-revision")?,
            seconds: number("mark-seconds")?,
        })
    }

    pub(super) fn set_mark(&self, mark: Mark) -> Result<(), Trouble> {
        self.change(Durability::Immediate, |_, meta| set_mark(meta, mark))
    }

    fn change(
        &self,
        durability: Durability,
        change: impl FnOnce(&mut Writes<'_>, &mut Meta<'_>) -> Result<(), redb::StorageError>,
    ) -> Result<(), Trouble> {
        let database = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let database = database
            .as_ref()
            .ok_or_else(|| Trouble::new("the database is closed"))?;
        let mut transaction = database.begin_write().map_err(Trouble::of)?;
        transaction.set_durability(durability).map_err(Trouble::new)?;
        {
            let mut writes = transaction.open_table(WRITES).map_err(Trouble::of)?;
            let mut meta = transaction.open_table(META).map_err(Trouble::of)?;
            change(&mut writes, &mut meta).map_err(Trouble::of)?;
        }
        transaction.commit().map_err(Trouble::of)
    }
}

/// The newest revision on disk.
pub(super) fn newest(database: &Database) -> Result<u64, Trouble> {
    let read = database.begin_read().map_err(Trouble::of)?;
    let writes = read.open_table(WRITES).map_err(Trouble::of)?;
    let last = writes.last().map_err(Trouble::of)?;
    Ok(last.map_or(0, |(revision, _)| revision.value()))
}

fn set_mark(meta: &mut Meta<'_>, mark: Mark) -> Result<(), redb::StorageError> {
    meta.insert("mark-revision", mark.revision)?;
    meta.insert("mark-seconds", mark.seconds)?;
    Ok(())
}

fn load(database: &Database) -> Result<(History, u64, Vec<u64>), Error> {
    let read = database
        .begin_read()
        .map_err(|error| Trouble::of(error).error())?;
    let meta = read.open_table(META).map_err(corrupt)?;
    let number = |name| Ok(meta.get(name).map_err(corrupt)?.map(|value| value.value()));
    match number("format")? {
        Some(FORMAT) => {}
        other => {
            let why = format!("format {other:?} is not {FORMAT}");
            return Err(Error::Unavailable(why.into()));
        }
    }
    let compacted = number("compacted")?.unwrap_or(0);
    let writes = read.open_table(WRITES).map_err(corrupt)?;
    let mut history = History::default();
    let mut expected = compacted.max(FIRST) + 1;
    let mut count = 0;
    for write in writes.iter().map_err(corrupt)? {
        let (revision, bytes) = write.map_err(corrupt)?;
        let revision = revision.value();
        if revision > compacted {
            if revision != expected {
                return Err(Error::Corrupt(format!("revision {expected} is missing").into()));
            }
            expected += 1;
        }
        history.append(&record::decode(revision, bytes.value())?);
        count += 1;
    }
    if writes.len().map_err(corrupt)? != count {
        return Err(Error::Corrupt("the number of records is wrong".into()));
    }
    let leftover = history.restored(compacted)?;
    Ok((history, compacted, leftover))
}

fn corrupt(error: impl Display) -> Error {
    Error::Corrupt(error.to_string().into())
}
