//! The result of a write.

use kindsmith_json::Value;

use crate::{Status, Warning};

/// The result of a write. Warnings are sent whether it succeeds or not.
#[derive(Debug, Clone)]
pub struct Outcome<'a> {
    /// The new object, or why the write is rejected.
    pub result: Result<Written<'a>, Status>,
    /// The warnings, in order.
    pub warnings: Vec<Warning>,
}

impl From<Status> for Outcome<'_> {
    /// A rejected write without warnings.
    fn from(status: Status) -> Self {
        Outcome {
            result: Err(status),
            warnings: Vec::new(),
        }
    }
}

/// An accepted write.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// What is to be stored, in the storage version.
    pub stored: Value<'a>,
    /// What the server answers, in the version of the URL. The caller sets its `resourceVersion` once it is stored.
    pub object: Value<'a>,
    /// Why the object cannot be shown in the version of the URL, though it is stored; `object` means nothing then.
    pub unreadable: Option<&'a str>,
    /// Whether the write removed the last finalizer of an object that is being deleted: it is removed instead of stored.
    pub is_removed: bool,
}
