//! The directory of a store: the lock, and a database that exists completely or not at all. Must not know its
//! content.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
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
        create_private(path).map_err(failed)?;
        let lock = private().create(true).open(path.join("lock")).map_err(failed)?;
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
        private().create_new(true).open(&draft).map_err(failed)?;
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

/// Creates a directory that only its owner can use: Secrets are kept in it. One that exists stays as it is.
fn create_private(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Opens files for writing; new ones are readable by their owner only.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn unavailable(path: &Path, error: impl Display) -> Error {
    Error::Unavailable(format!("{}: {error}", path.display()).into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_the_owner_can_read_a_store() {
        let parent = tempfile::tempdir().expect("a directory for the test");
        let path = parent.path().join("a").join("store");
        Folder::take(&path).expect("it is new").log().expect("it is new");
        for (name, expected) in [("", 0o700), ("lock", 0o600), ("store.redb", 0o600)] {
            let metadata = fs::metadata(path.join(name)).expect("it was made");
            assert_eq!(metadata.permissions().mode() & 0o777, expected, "{name}");
        }
    }
}
