//! Why a patch cannot be laid over an object.

use std::fmt;

/// Why a patch cannot be laid over an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchError {
    /// 400: the patch makes no sense.
    BadRequest(String),
    /// 413: the patch asks for too much.
    TooLarge(String),
    /// 422: the patch does not fit the object. The API server says no more than that, and so neither does this.
    Rejected,
    /// 500: what the API server did not foresee.
    Failed(String),
}

impl fmt::Display for PatchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            PatchError::BadRequest(text) | PatchError::TooLarge(text) | PatchError::Failed(text) => text,
            PatchError::Rejected => "the server rejected our request due to an error in our request",
        })
    }
}

impl std::error::Error for PatchError {}
