//! The directory of a store: the lock, and a database that exists completely or not at all. Must not know its
//! content.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use redb::Database;

use super::log::Log;
use crate::Error;
use crate::history::History;

/// redb caches pages it has read; we read them only once, when a store is opened.
const CACHE: usize = 16 << 20;

/// A directory that no other process uses as a store.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    // Held as long as the store is open; the system releases it however the process ends.
    _lock: File,
}

impl Folder {
    /// Creates the directory if necessary and locks it.
    pub(super) fn take(path: &Path) -> Result<Self, Error> {
        let failed = |error| unavailable(path, error);
        fs::create_dir_all(path).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        let lock = options.open(path.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                path: path.to_owned(),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(unavailable(path, "another process uses it")),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Opens the database, or creates it.
    pub(super) fn log(&self) -> Result<(Log, History), Error> {
        let path = self.path.join("store.redb");
        if !path.exists() {
            self.create(&path)?;
        }
        Log::open(open(&path)?)
    }

    /// Creates a database under a temporary name first: a crash in between would leave one that cannot be
    /// opened.
    fn create(&self, path: &Path) -> Result<(), Error> {
        let draft = self.path.join("store.redb.new");
        let failed = |error| unavailable(&self.path, error);
        if draft.exists() {
            fs::remove_file(&draft).map_err(failed)?;
        }
        drop(Log::create(open(&draft)?)?);
        fs::rename(&draft, path).map_err(failed)?;
        // The new name must survive a power cut, like the writes that will be acknowledged under it.
        let folder = File::open(&self.path).map_err(failed)?;
        folder.sync_all().map_err(failed)
    }
}

fn open(path: &Path) -> Result<Database, Error> {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE);
    builder.create(path).map_err(|error| unavailable(path, error))
}

fn unavailable(path: &Path, error: impl Display) -> Error {
    Error::Unavailable(format!("{}: {error}", path.display()).into())
}
