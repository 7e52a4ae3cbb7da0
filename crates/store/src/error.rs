//! Errors of a store. Must not know the types of any engine or of the operating system.

use std::fmt;
use std::sync::Arc;

use crate::Entry;

/// Why a store operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The key's last write was not the expected one: this is its current entry, if any.
    Conflict(Option<Entry>),
    /// The revision was compacted.
    Compacted {
        /// The requested revision.
        at: u64,
        /// The oldest readable revision.
        compacted: u64,
    },
    /// The revision does not exist yet.
    Future {
        /// The requested revision.
        at: u64,
        /// The newest one.
        current: u64,
    },
    /// A key needs at least one byte.
    EmptyKey,
    /// Key and value are too large together.
    TooLarge {
        /// Their size in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The watcher fell too far behind and was cut off.
    Slow {
        /// Everything up to this revision was delivered: a new watch after it misses nothing.
        delivered: u64,
    },
    /// The store was closed.
    Closed,
    /// There is no room for the write; nothing changed. Later writes may succeed.
    Full(Arc<str>),
    /// The store cannot be used; nothing changed.
    Unavailable(Arc<str>),
    /// The store failed during the write, which may or may not have happened.
    Unknown(Arc<str>),
    /// The stored data is damaged.
    Corrupt(Arc<str>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(Some(entry)) => write!(f, "the key was written at revision {}", entry.modified),
            Self::Conflict(None) => f.write_str("the key does not exist"),
            Self::Compacted { at, compacted } => {
                write!(f, "revision {at} is no longer there, the oldest is {compacted}")
            }
            Self::Future { at, current } => {
                write!(f, "revision {at} is not there yet, the newest is {current}")
            }
            Self::EmptyKey => f.write_str("the key is empty"),
            Self::TooLarge { size, limit } => {
                write!(f, "key and value have {size} bytes, at most {limit} are allowed")
            }
            Self::Slow { delivered } => {
                write!(
                    f,
                    "the watcher is too slow and was cut off after revision {delivered}"
                )
            }
            Self::Closed => f.write_str("the store was closed"),
            Self::Full(why) => f.write_str(why),
            Self::Unavailable(why) => write!(f, "the store cannot be used: {why}"),
            Self::Unknown(why) => write!(f, "the store failed during the write: {why}"),
            Self::Corrupt(why) => write!(f, "the store is damaged: {why}"),
        }
    }
}

impl std::error::Error for Error {}
