//! Why a line is not a tag.

use std::ops::Range;

/// Why a line is not a tag, with the reference's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The text.
    pub message: String,
    /// The wrong part, in bytes from the `+`.
    pub span: Range<usize>,
}

impl SyntaxError {
    pub(super) fn new(message: String, span: Range<usize>) -> Self {
        Self { message, span }
    }
}
