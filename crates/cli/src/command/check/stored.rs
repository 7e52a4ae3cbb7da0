//! What a release makes of an object.

use kindsmith_source::Span;

/// An object as a release stores it, and where it is.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    pub(super) span: Span,
    pub(super) text: String,
}
