//! What comes of a write.

use kindsmith_json::Value;

use crate::Status;

/// What comes of a write. Warnings are sent whether it succeeds or not.
#[derive(Debug, Clone)]
pub struct Outcome<'a> {
    /// The new object, or why there is none.
    pub result: Result<Written<'a>, Status>,
    /// The texts of the `Warning` headers, in order.
    pub warnings: Vec<String>,
}

/// An accepted write.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// What is to be stored, in the storage version.
    pub stored: Value<'a>,
    /// What the server answers, in the version of the URL. Once stored, its `resourceVersion` is for the caller to set.
    pub object: Value<'a>,
    /// Whether the object only waited for its last finalizer to go: it is removed instead of stored.
    pub is_removed: bool,
}
