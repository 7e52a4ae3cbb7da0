//! Sets of field paths, kept as a trie of sorted slices in an arena. Knows paths only: no schema, no managers.
//!
//! A set is `Copy` and never changes; operations give new sets that share what they can with the old ones.

mod algebra;
mod path;
mod wire;

pub use path::PathText;
pub use wire::DecodeError;

use kindsmith_gostd::budget;
use kindsmith_json::Arena;

use crate::element::Element;

/// A set of paths. Its operations have the names and meanings of structured-merge-diff's `fieldpath.Set`.
#[derive(Clone, Copy, Default)]
pub struct FieldSet<'a> {
    nodes: &'a [Node<'a>],
}

/// One element of a path: it is a member itself, or something below it is, or both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node<'a> {
    pub(crate) element: Element<'a>,
    pub(crate) member: bool,
    pub(crate) children: FieldSet<'a>,
}

impl<'a> FieldSet<'a> {
    /// The empty set.
    pub const EMPTY: FieldSet<'static> = FieldSet { nodes: &[] };

    /// Makes a set of paths; empty paths are ignored.
    #[must_use]
    pub fn from_paths(arena: &'a Arena, paths: &[&[Element<'a>]]) -> Self {
        paths.iter().fold(Self::EMPTY, |set, path| {
            set.union(arena, Self::of_path(arena, path))
        })
    }

    fn of_path(arena: &'a Arena, path: &[Element<'a>]) -> Self {
        let mut set = Self::EMPTY;
        for (depth, element) in path.iter().enumerate().rev() {
            let node = Node {
                element: *element,
                member: depth + 1 == path.len(),
                children: set,
            };
            set = FieldSet {
                nodes: arena.alloc_slice_fill_iter([node]),
            };
        }
        set
    }

    /// A set of nodes for constants; they must be sorted.
    pub(crate) const fn of_nodes(nodes: &'a [Node<'a>]) -> Self {
        FieldSet { nodes }
    }

    /// Nodes must be sorted, distinct, and each a member or with children.
    pub(crate) fn from_sorted(nodes: &'a [Node<'a>]) -> Self {
        debug_assert!(nodes.is_sorted_by(|left, right| left.element < right.element));
        debug_assert!(nodes.iter().all(|node| node.member || !node.children.is_empty()));
        FieldSet { nodes }
    }

    pub(crate) fn nodes(self) -> &'a [Node<'a>] {
        self.nodes
    }

    pub(crate) fn find(self, element: &Element<'_>) -> Option<&'a Node<'a>> {
        let found = self
            .nodes
            .binary_search_by(|node| node.element.cmp(element))
            .ok()?;
        Some(&self.nodes[found])
    }

    /// Reports whether the set has no paths.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of paths.
    #[must_use]
    pub fn len(self) -> usize {
        let below = self
            .nodes
            .iter()
            .map(|node| usize::from(node.member) + node.children.len());
        below.sum()
    }

    /// Reports whether the path is a member.
    #[must_use]
    pub fn has(self, path: &[Element<'_>]) -> bool {
        let Some((last, parents)) = path.split_last() else {
            return false;
        };
        let mut set = self;
        for element in parents {
            match set.find(element) {
                Some(node) => set = node.children,
                None => return false,
            }
        }
        set.find(last).is_some_and(|node| node.member)
    }

    /// The paths below an element, without it.
    #[must_use]
    pub fn below(self, element: &Element<'_>) -> FieldSet<'a> {
        self.find(element).map_or(Self::EMPTY, |node| node.children)
    }

    /// Copies the set and all it borrows into another arena.
    #[must_use]
    pub fn copy_in(self, arena: &Arena) -> FieldSet<'_> {
        let nodes = self.nodes.iter().map(|node| Node {
            element: node.element.copy_in(arena),
            member: node.member,
            children: node.children.copy_in(arena),
        });
        FieldSet {
            nodes: arena.alloc_slice_fill_iter(nodes),
        }
    }
}

impl PartialEq for FieldSet<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.nodes.len() == other.nodes.len()
            && (std::ptr::eq(
                self.nodes.as_ptr().cast::<u8>(),
                other.nodes.as_ptr().cast::<u8>(),
            ) || self
                .nodes
                .iter()
                .zip(other.nodes)
                .all(|(left, right)| left == right))
    }
}

impl Eq for FieldSet<'_> {}

/// One path per line.
impl std::fmt::Debug for FieldSet<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.path_texts().join("\n"))
    }
}

/// Builds sets: a stack shared by all levels of a walk, from which finished levels move to the arena.
pub(crate) struct Nodes<'a> {
    pub(crate) arena: &'a Arena,
    stack: Vec<Node<'a>>,
}

impl<'a> Nodes<'a> {
    pub(crate) fn new(arena: &'a Arena) -> Self {
        Nodes {
            arena,
            stack: Vec::new(),
        }
    }

    /// Where a level begins.
    pub(crate) fn start(&self) -> usize {
        self.stack.len()
    }

    /// Appends a node, unless it is neither a member nor has children.
    pub(crate) fn push(&mut self, element: Element<'a>, member: bool, children: FieldSet<'a>) {
        budget::spend_in(1, || self.arena.allocated_bytes());
        if member || !children.is_empty() {
            self.stack.push(Node {
                element,
                member,
                children,
            });
        }
    }

    /// Drops a level.
    pub(crate) fn forget(&mut self, start: usize) {
        self.stack.truncate(start);
    }

    /// Ends a level whose nodes were pushed in order.
    pub(crate) fn finish(&mut self, start: usize) -> FieldSet<'a> {
        if self.stack.len() == start {
            return FieldSet::EMPTY;
        }
        let nodes = self.arena.alloc_slice_copy(&self.stack[start..]);
        self.stack.truncate(start);
        FieldSet::from_sorted(nodes)
    }

    /// Ends a level whose nodes were pushed in any order; nodes of the same element are joined.
    pub(crate) fn finish_unsorted(&mut self, start: usize) -> FieldSet<'a> {
        let level = &mut self.stack[start..];
        if !level.is_sorted_by(|left, right| left.element < right.element) {
            level.sort_by(|left, right| left.element.cmp(&right.element));
            self.join_equal(start);
        }
        self.finish(start)
    }

    fn join_equal(&mut self, start: usize) {
        let mut kept = start;
        for next in start + 1..self.stack.len() {
            let node = self.stack[next];
            if self.stack[kept].element == node.element {
                let arena = self.arena;
                let into = &mut self.stack[kept];
                into.member |= node.member;
                into.children = into.children.union(arena, node.children);
            } else {
                kept += 1;
                self.stack[kept] = node;
            }
        }
        self.stack.truncate(kept + 1);
    }
}
