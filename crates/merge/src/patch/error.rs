//! Why a patch cannot be applied to an object.

use std::fmt;

/// Why a patch cannot be applied to an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchError {
    /// 400: the patch is malformed.
    BadRequest(String),
    /// 400: the patch is not JSON, and why.
    Unreadable(String),
    /// 413: the patch is too large.
    TooLarge(String),
    /// 422: the patch does not fit the object. Like the API server, this gives no details.
    Rejected,
    /// 500: a case that the API server does not handle.
    Failed(String),
}

impl fmt::Display for PatchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            PatchError::BadRequest(text) | PatchError::TooLarge(text) | PatchError::Failed(text) => text,
            PatchError::Unreadable(_) => "invalid JSON patch",
            PatchError::Rejected => "the server rejected our request due to an error in our request",
        })
    }
}

impl std::error::Error for PatchError {}
