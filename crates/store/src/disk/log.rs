//! The writes of a store in a redb database: one record per revision, as in etcd. Must not know readers,
//! watchers or waiting writers.
//!
//! | table | key | value |
//! |---|---|---|
//! | `writes` | revision | record |
//! | `meta` | `format`, `compacted` | number |
//!
//! redb commits by copy-on-write with checksums and one fdatasync, so a transaction exists completely or not
//! at all. Records have their own checksum and revisions have no gaps; both are checked when a store is
//! opened.

use std::fmt::Display;
use std::sync::Arc;

use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};

use super::record;
use crate::Error;
use crate::history::{FIRST, History, Staged};

const WRITES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("writes");
const META: TableDefinition<'_, &str, u64> = TableDefinition::new("meta");
const FORMAT: u64 = 1;
/// The number of records removed in one transaction: writers never wait for more.
const CHUNK: usize = 4_096;

/// The database of a store.
#[derive(Debug)]
pub(super) struct Log(Database);

impl Log {
    /// Creates the tables of a new store.
    pub(super) fn create(database: Database) -> Result<Self, Error> {
        let log = Self(database);
        log.change(|_, meta| meta.insert("format", FORMAT).map(|_| ()))
            .map_err(Error::Unavailable)?;
        Ok(log)
    }

    /// Reads a store back.
    pub(super) fn open(database: Database) -> Result<(Self, History), Error> {
        let log = Self(database);
        let (history, compacted, leftover) = log.load()?;
        // A crash may have happened between the decision to compact and the last removal.
        if !leftover.is_empty() {
            log.compact(compacted, &leftover).map_err(Error::Unavailable)?;
        }
        Ok((log, history))
    }

    fn load(&self) -> Result<(History, u64, Vec<u64>), Error> {
        let read = self.0.begin_read().map_err(unavailable)?;
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

    /// Adds writes, all or none; they are on disk when this returns.
    pub(super) fn append(&self, batch: &[Staged]) -> Result<(), Arc<str>> {
        let mut buffer = Vec::new();
        self.change(|writes, _| {
            for write in batch {
                record::encode(write, &mut buffer);
                writes.insert(write.revision, &*buffer)?;
            }
            Ok(())
        })
    }

    /// Marks a revision as compacted and removes the superseded writes. The revisions must be ascending: the
    /// deletion of a key must be removed last, or a crash in between would bring the key back.
    pub(super) fn compact(&self, to: u64, superseded: &[u64]) -> Result<(), Arc<str>> {
        self.change(|_, meta| meta.insert("compacted", to).map(|_| ()))?;
        for chunk in superseded.chunks(CHUNK) {
            self.change(|writes, _| {
                for revision in chunk {
                    writes.remove(revision)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn change(
        &self,
        change: impl FnOnce(
            &mut redb::Table<'_, u64, &[u8]>,
            &mut redb::Table<'_, &str, u64>,
        ) -> Result<(), redb::StorageError>,
    ) -> Result<(), Arc<str>> {
        let transaction = self.0.begin_write().map_err(text)?;
        {
            let mut writes = transaction.open_table(WRITES).map_err(text)?;
            let mut meta = transaction.open_table(META).map_err(text)?;
            change(&mut writes, &mut meta).map_err(text)?;
        }
        // A transaction is durable by default: this waits for the disk.
        transaction.commit().map_err(text)
    }
}

fn text(error: impl Display) -> Arc<str> {
    error.to_string().into()
}

fn unavailable(error: impl Display) -> Error {
    Error::Unavailable(text(error))
}

fn corrupt(error: impl Display) -> Error {
    Error::Corrupt(text(error))
}
