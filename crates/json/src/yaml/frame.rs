//! The open containers of the document, and what each expects next. Knows no text.

use super::cursor::Spot;
use super::tree::Tag;

/// Anchor and tag in front of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Properties<'a> {
    /// The position of the first.
    pub start: Option<Spot>,
    pub anchor: Option<&'a str>,
    pub tag: Option<Tag>,
}

impl<'a> Properties<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.start.is_none()
    }

    /// Both together; `None` if either would occur twice.
    pub(super) fn join(self, inner: Properties<'a>) -> Option<Properties<'a>> {
        let twice =
            self.anchor.is_some() && inner.anchor.is_some() || self.tag.is_some() && inner.tag.is_some();
        (!twice).then(|| Properties {
            start: self.start.or(inner.start),
            anchor: self.anchor.or(inner.anchor),
            tag: self.tag.or(inner.tag),
        })
    }
}

/// The kind of an open container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    BlockSeq,
    /// The dashes are in the column of the key that the sequence belongs to.
    LevelSeq,
    BlockMap,
    FlowSeq,
    FlowMap,
    /// `a: b` as an element of a flow sequence.
    FlowPair,
}

/// What a container expects next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// An element or a key, or its end.
    Item,
    /// The colon of a key; without one the text is invalid.
    NeedColon,
    /// The colon of a key after `?`; without one there is no value.
    MayColon,
    /// A value after a colon.
    Value,
    /// A comma or the end; an implicit key without a colon gets no value.
    Bare,
    /// A comma or the end.
    Comma,
}

/// Where a node began and its properties.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead<'a> {
    /// Where a key on one line would begin, if one can begin here.
    pub key_start: Option<Spot>,
    /// Properties on lines above, which belong to the map if this is its first key.
    pub outer: Properties<'a>,
    /// Properties of the node itself.
    pub own: Properties<'a>,
    /// The number of nodes stored before it.
    pub stored: usize,
}

/// An open container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub shape: Shape,
    pub phase: Phase,
    /// The height of the stack of finished nodes below its children.
    pub base: usize,
    pub start: Spot,
    /// Where the current element began.
    pub item: Spot,
    /// The indentation outside.
    pub outer_indent: i64,
    pub lead: Lead<'a>,
    pub tag: Tag,
    pub anchor: Option<u32>,
    pub begun: u32,
}
