//! Where a declaration of an input package and its parts are written, for rules about the source itself.

use kindsmith_schema::Owner;
use kindsmith_source::Span;

/// The places of a type or field. The name and the type are in the table of origins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declaration {
    /// The declaration.
    pub owner: Owner,
    /// The whole of it, without comments: of a field from its name to its tag.
    pub span: Span,
    /// Go's doc comment, from the first comment mark to the end of its last line.
    pub doc: Option<Span>,
    /// The struct tag with its quotes.
    pub tag: Option<Span>,
}
