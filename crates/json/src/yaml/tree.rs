//! The tree of the text before evaluation: scalars are still text, aliases still names. Knows no JSON.
//!
//! A container is stored after its content, so a pass over the nodes reaches every child before its parent.

use super::cursor::Spot;

/// A tag, as far as it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tag {
    #[default]
    None,
    Str,
    Int,
    Float,
    Bool,
    Null,
    Binary,
    Timestamp,
    Merge,
    /// A lone `!`.
    NonSpecific,
    /// Anything else: turns a scalar into a string.
    Other,
}

impl Tag {
    /// The tag of a full name.
    pub(super) fn named(name: &str) -> Tag {
        match name.strip_prefix("tag:yaml.org,2002:") {
            Some("str") => Tag::Str,
            Some("int") => Tag::Int,
            Some("float") => Tag::Float,
            Some("bool") => Tag::Bool,
            Some("null") => Tag::Null,
            Some("binary") => Tag::Binary,
            Some("timestamp") => Tag::Timestamp,
            Some("merge") => Tag::Merge,
            None if name == "!" => Tag::NonSpecific,
            _ => Tag::Other,
        }
    }
}

/// The kind of a node. Children are a range of [`Tree::children`]; those of a map are alternating keys and
/// values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'a> {
    Scalar { text: &'a str, plain: bool },
    Alias { anchor: u32 },
    Seq { first: u32, len: u32 },
    Map { first: u32, len: u32 },
}

/// A node and the bytes it was read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    pub kind: Kind<'a>,
    pub tag: Tag,
    pub start: Spot,
    pub end: u32,
    /// The anchor on it, as an index of [`Tree::anchors`].
    pub anchor: Option<u32>,
    /// The number of nodes that had begun, including this one.
    pub begun: u32,
}

/// An anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor<'a> {
    pub name: &'a str,
    /// The node that has it; `None` while the node is still open.
    pub node: Option<u32>,
}

/// A document.
#[derive(Default)]
pub(super) struct Tree<'a> {
    pub nodes: Vec<Node<'a>>,
    pub children: Vec<u32>,
    pub anchors: Vec<Anchor<'a>>,
    /// The node of the whole; `None` if there is no document.
    pub root: Option<u32>,
}

impl Tree<'_> {
    /// An empty tree with room for the nodes that so much text usually has.
    pub(super) fn with_room_for(text: &str) -> Self {
        let nodes = text.len() / 64;
        Tree {
            nodes: Vec::with_capacity(nodes),
            children: Vec::with_capacity(nodes),
            ..Tree::default()
        }
    }

    /// The children of a container.
    pub(super) fn children(&self, node: u32) -> &[u32] {
        match self.nodes[node as usize].kind {
            Kind::Seq { first, len } | Kind::Map { first, len } => {
                &self.children[first as usize..(first + len) as usize]
            }
            Kind::Scalar { .. } | Kind::Alias { .. } => &[],
        }
    }

    /// The node, or its target if it is an alias. An alias inside its own anchor stays one.
    pub(super) fn target(&self, node: u32) -> u32 {
        match self.nodes[node as usize].kind {
            Kind::Alias { anchor } => {
                let carrier = self.anchors[anchor as usize].node;
                carrier.filter(|&carrier| carrier < node).unwrap_or(node)
            }
            _ => node,
        }
    }
}
