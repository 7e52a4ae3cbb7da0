//! The directory of a store: the lock, and a database that exists completely or not at all. Must not know its
//! content.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::Database;

use super::backend::{Opener, Trouble, Watched};
use super::log::Log;
use crate::Error;
use crate::history::History;

/// redb caches pages it has read; we read them only once, when a store is opened.
const CACHE: usize = 16 << 20;

const NAME: &str = "store.redb";
const DRAFT: &str = "store.redb.new";
/// Room that is kept back for deletions on a full disk.
const SPARE: &str = "spare";
const SPARE_BYTES: usize = 1 << 20;

/// A directory that no other process uses as a store.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    opener: Opener,
    /// Whether a sync failed since the database was opened.
    is_unsure: Arc<AtomicBool>,
    // Held as long as the store is open; the system releases it however the process ends.
    _lock: File,
}

impl Folder {
    /// Creates the directory if necessary and locks it.
    pub(super) fn take(path: &Path, opener: Opener) -> Result<Self, Error> {
        let failed = |error| unavailable(path, error);
        create_private(path).map_err(failed)?;
        let lock = private().create(true).open(path.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                path: path.to_owned(),
                opener,
                is_unsure: Arc::default(),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(unavailable(path, "another process uses it")),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Opens the database, or creates it.
    pub(super) fn log(&self) -> Result<(Log, History), Error> {
        let failed = |trouble: Trouble| unavailable(&self.path, trouble.why);
        if !self.path.join(NAME).exists() {
            let log = Log::create(self.draft().map_err(failed)?).map_err(failed)?;
            drop(log);
            self.publish().map_err(failed)?;
        }
        // A crash may have left one.
        let _ = fs::remove_file(self.path.join(DRAFT));
        Log::open(self.open(NAME).map_err(failed)?)
    }

    /// Opens the database again after an error.
    pub(super) fn reopen(&self) -> Result<Database, Trouble> {
        self.open(NAME)
    }

    /// Creates an empty database under a temporary name: a crash would leave one that cannot be opened.
    pub(super) fn draft(&self) -> Result<Database, Trouble> {
        self.discard();
        let draft = private().create_new(true).open(self.path.join(DRAFT));
        drop(draft.map_err(|error| Trouble::io(&error))?);
        self.open(DRAFT)
    }

    /// Removes a draft that is not used.
    pub(super) fn discard(&self) {
        let _ = fs::remove_file(self.path.join(DRAFT));
    }

    /// Gives a draft the name of the database.
    pub(super) fn publish(&self) -> Result<(), Trouble> {
        let renamed = fs::rename(self.path.join(DRAFT), self.path.join(NAME));
        // The new name must survive a power cut, like the writes that will be acknowledged under it.
        let synced = renamed.and_then(|()| File::open(&self.path)?.sync_all());
        synced.map_err(|error| Trouble::io(&error))
    }

    /// Keeps room back, if there is some.
    pub(super) fn keep_room(&self) {
        let path = self.path.join(SPARE);
        let Ok(mut file) = private().create_new(true).open(&path) else {
            return;
        };
        // Zeros that the file system would not store are no room.
        let written = file
            .write_all(&vec![0x5a; SPARE_BYTES])
            .and_then(|()| file.sync_all());
        if written.is_err() {
            self.give_room();
        }
    }

    /// Gives back the room that was kept; returns whether there was some.
    pub(super) fn give_room(&self) -> bool {
        fs::remove_file(self.path.join(SPARE)).is_ok()
    }

    /// Returns the size of the database in bytes.
    pub(super) fn size(&self) -> u64 {
        fs::metadata(self.path.join(NAME)).map_or(0, |metadata| metadata.len())
    }

    /// Returns whether the file may show what is not on the disk, and forgets it.
    pub(super) fn is_unsure(&self) -> bool {
        self.is_unsure.swap(false, Ordering::SeqCst)
    }

    fn open(&self, name: &str) -> Result<Database, Trouble> {
        let path = self.path.join(name);
        let file = OpenOptions::new().read(true).write(true).open(&path);
        let backend = file.and_then(|file| (self.opener)(file, &path));
        let backend = backend.map_err(|error| Trouble::io(&error))?;
        let mut builder = Database::builder();
        builder.set_cache_size(CACHE);
        let watched = Watched::new(backend, Arc::clone(&self.is_unsure));
        builder.create_with_backend(watched).map_err(Trouble::of)
    }
}

/// Creates a directory that only its owner can use: Secrets are kept in it. One that exists stays as it is.
///
/// # Errors
/// If it cannot be created.
pub fn create_private(path: &Path) -> io::Result<()> {
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
    use crate::disk::backend::plain;

    #[test]
    fn only_the_owner_can_read_a_store() {
        let parent = tempfile::tempdir().expect("a directory for the test");
        let path = parent.path().join("a").join("store");
        let folder = Folder::take(&path, plain).expect("it is new");
        folder.log().expect("it is new");
        for (name, expected) in [("", 0o700), ("lock", 0o600), ("store.redb", 0o600)] {
            let metadata = fs::metadata(path.join(name)).expect("it was made");
            assert_eq!(metadata.permissions().mode() & 0o777, expected, "{name}");
        }
    }
}
