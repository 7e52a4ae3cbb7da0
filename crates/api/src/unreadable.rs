//! Stored objects that cannot be read, and what is answered then.

use kindsmith_object::{Gate, Release, store_key};
use kindsmith_request::Status;
use kindsmith_store::Entry;

/// Why a stored object cannot be read.
#[derive(Debug, Clone)]
pub enum Unreadable {
    /// Nothing of the resource can be read.
    Status(Status),
    /// This object cannot: what is wrong with it, or why it could not be converted.
    Corrupt(String),
}

impl From<Status> for Unreadable {
    fn from(status: Status) -> Self {
        Unreadable::Status(status)
    }
}

impl Unreadable {
    /// The answer to who wanted to see or delete the object of an entry.
    pub(crate) fn of_read(self, release: Release, entry: &Entry) -> Status {
        match self {
            Unreadable::Status(status) => status,
            Unreadable::Corrupt(why) if names_corrupt(release) => {
                let key = String::from_utf8_lossy(&entry.key);
                Status::internal(&corrupt(store_key::shown(&key), entry.modified, &why))
            }
            Unreadable::Corrupt(why) => Status::unforeseen(why),
        }
    }

    /// The answer to who wanted to change the object, or to see what became of it.
    pub(crate) fn of_write(self, release: Release, revision: u64) -> Status {
        match self {
            Unreadable::Status(status) => status,
            Unreadable::Corrupt(why) => Status::unforeseen(undecodable(release, revision, why)),
        }
    }

    /// The answer to who watches.
    pub(crate) fn of_watch(self, release: Release, revision: u64) -> Status {
        match self {
            Unreadable::Status(status) => status,
            Unreadable::Corrupt(why) => Status::internal(&undecodable(release, revision, why)),
        }
    }
}

/// Whether objects that cannot be decoded are known as such.
pub(crate) fn names_corrupt(release: Release) -> bool {
    release.enables(Gate::AllowUnsafeMalformedObjectDeletion)
}

/// Why an object that can be read is not deleted as one that cannot (`getState` in apiserver's
/// pkg/storage/etcd3/store.go).
pub(crate) fn decodable(entry: &Entry) -> String {
    let key = String::from_utf8_lossy(&entry.key);
    // The cache names whole keys, and events have none.
    let key = if key.starts_with(&*store_key::EVENTS) {
        store_key::shown(&key)
    } else {
        &key
    };
    format!(
        "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: unsafe deletion is not \
         allowed because the object is decodable from storage"
    )
}

/// How the storage of the reference calls an object that it cannot decode (`corruptObjectError` in apiserver's
/// pkg/storage/etcd3/corrupt_obj_deleter.go).
fn undecodable(release: Release, revision: u64, why: String) -> String {
    if names_corrupt(release) {
        at_revision(revision, &why)
    } else {
        why
    }
}

fn at_revision(revision: u64, why: &str) -> String {
    format!("object not decodable revision={revision}: {why}")
}

/// The same with its key (`StorageError` in apiserver's pkg/storage/errors.go).
pub(crate) fn corrupt(key: &str, revision: u64, why: &str) -> String {
    let why = at_revision(revision, why);
    format!(
        "StorageError: corrupt object, Code: 7, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {why}"
    )
}
