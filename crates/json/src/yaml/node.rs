//! The nodes of one YAML document, in a flat list.

use std::borrow::Cow;

use super::cursor::Mark;

/// The place of a node in the document's list.
pub(super) type NodeId = usize;

#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) content: Content<'t>,
    pub(super) start: Mark,
    pub(super) end: Mark,
}

#[derive(Debug)]
pub(super) enum Content<'t> {
    Scalar {
        text: Cow<'t, str>,
        /// The full tag, empty if there is none.
        tag: Cow<'t, str>,
        /// May be something else than a string.
        implicit: bool,
    },
    Alias {
        name: &'t str,
        target: NodeId,
    },
    Sequence(Vec<NodeId>),
    /// Keys and values in turn.
    Mapping(Vec<NodeId>),
}

#[derive(Debug, Default)]
pub(super) struct Document<'t> {
    pub(super) nodes: Vec<Node<'t>>,
    /// The only one without a parent; none in an empty stream.
    pub(super) root: Option<NodeId>,
}
