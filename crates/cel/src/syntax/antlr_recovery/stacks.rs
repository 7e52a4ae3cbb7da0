//! Call stacks: where to continue when a rule ends.
//!
//! Stacks are lists that share their lower parts. Equal stacks have equal numbers, so comparing them is cheap.

use std::collections::HashMap;

use super::graph::{GRAPH, NodeId, RULE_END, Set, one};
use crate::syntax::token::Kind;

/// A stack, by number.
pub(super) type Stack = u32;

pub(super) const EMPTY: Stack = 0;

#[derive(Clone)]
pub(super) struct Stacks {
    /// The top of each stack and what is below it.
    cells: Vec<(NodeId, Stack)>,
    numbers: HashMap<(NodeId, Stack), Stack>,
}

impl Stacks {
    pub(super) fn new() -> Stacks {
        Stacks {
            // The cell of the empty stack is never read.
            cells: vec![(0, EMPTY)],
            numbers: HashMap::new(),
        }
    }

    pub(super) fn push(&mut self, top: NodeId, below: Stack) -> Stack {
        let next = self.cells.len() as Stack;
        let number = *self.numbers.entry((top, below)).or_insert(next);
        if number == next {
            self.cells.push((top, below));
        }
        number
    }

    pub(super) fn pop(&self, stack: Stack) -> Option<(NodeId, Stack)> {
        (stack != EMPTY).then(|| self.cells[stack as usize])
    }

    /// The nodes of a stack, top first.
    pub(super) fn iter(&self, stack: Stack) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.pop(stack), |(_, below)| self.pop(*below)).map(|(top, _)| top)
    }

    /// Whether the upper part of `long` is `short`.
    pub(super) fn starts_with(&self, long: Stack, short: Stack) -> bool {
        let mut nodes = self.iter(long);
        self.iter(short).all(|node| nodes.next() == Some(node))
    }

    /// The tokens that can come next at a node: those of its rule and, where the rule can end, of its callers.
    pub(super) fn expected(&self, node: NodeId, callers: Stack) -> Set {
        let mut expected = 0;
        for node in std::iter::once(node).chain(self.iter(callers)) {
            let first = GRAPH.first(node);
            expected |= first & !RULE_END;
            if first & RULE_END == 0 {
                return expected;
            }
        }
        expected | one(Kind::Eof)
    }

    /// The tokens at which any caller can continue.
    pub(super) fn resumable(&self, callers: Stack) -> Set {
        self.iter(callers).fold(0, |set, node| set | GRAPH.first(node)) & !RULE_END
    }
}
