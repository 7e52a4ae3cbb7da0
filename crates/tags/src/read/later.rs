//! What is checked after all tags are read. `deferred.rs` does it.

use kindsmith_schema::{FieldId, Selector};

use super::at::At;
use super::groups::UnionKind;

/// A deferred check.
#[derive(Debug, Clone)]
pub(crate) enum Later<'a> {
    /// The tags of a list are consistent.
    List(At<'a>),
    /// A selector names all keys of its list.
    Item(At<'a>, Selector),
    /// Items that may not be added or removed have an identity.
    Update(At<'a>),
    /// A union has members of one kind.
    Union(At<'a>, UnionKind),
    /// A mode group has a discriminator.
    Modes(At<'a>),
    /// The tags of a member are read again for `subfield`.
    Inherit(Box<Inherit<'a>>),
}

/// A member whose tags are read again for `subfield`.
#[derive(Debug, Clone)]
pub(crate) struct Inherit<'a> {
    /// The place of `subfield`.
    pub(crate) outer: At<'a>,
    /// The member, as reached through `subfield`.
    pub(crate) inner: At<'a>,
    /// The member itself.
    pub(crate) field: FieldId,
}
