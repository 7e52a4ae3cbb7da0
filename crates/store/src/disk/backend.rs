//! The file of a database, and what its errors mean. Must not know its content.

use std::fmt::Display;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::StorageBackend;
use redb::backends::FileBackend;

use crate::Error;

/// Opens a file for a database.
pub(super) type Opener = fn(File, &Path) -> io::Result<Box<dyn StorageBackend>>;

/// Uses the file as it is.
pub(super) fn plain(file: File, _: &Path) -> io::Result<Box<dyn StorageBackend>> {
    let backend = FileBackend::new(file).map_err(io::Error::other)?;
    Ok(Box::new(backend))
}

/// Why a write failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) why: Arc<str>,
    /// Whether there was no room, which is expected to pass.
    pub(super) is_full: bool,
}

impl Trouble {
    pub(super) fn new(why: impl Display) -> Self {
        Self {
            why: why.to_string().into(),
            is_full: false,
        }
    }

    pub(super) fn of(error: impl Into<redb::Error>) -> Self {
        match error.into() {
            redb::Error::Io(error) => Self::io(&error),
            other => Self::new(other),
        }
    }

    pub(super) fn io(error: &io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        Self {
            why: error.to_string().into(),
            is_full: matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge),
        }
    }

    /// The error of a write that did not happen.
    pub(super) fn error(&self) -> Error {
        if self.is_full {
            Error::Full(format!("the disk of the store is full: {}", self.why).into())
        } else {
            Error::Unavailable(Arc::clone(&self.why))
        }
    }
}

/// A file that remembers failed syncs: what it shows afterwards need not be on the disk.
#[derive(Debug)]
pub(super) struct Watched {
    backend: Box<dyn StorageBackend>,
    is_unsure: Arc<AtomicBool>,
}

impl Watched {
    pub(super) fn new(backend: Box<dyn StorageBackend>, is_unsure: Arc<AtomicBool>) -> Self {
        Self { backend, is_unsure }
    }
}

impl StorageBackend for Watched {
    fn len(&self) -> io::Result<u64> {
        self.backend.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.backend.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.backend.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        let synced = self.backend.sync_data();
        if synced.is_err() {
            self.is_unsure.store(true, Ordering::SeqCst);
        }
        synced
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.backend.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.backend.close()
    }
}
