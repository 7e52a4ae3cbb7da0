//! The parse tree as recovered: contexts with labeled parts, some of them missing.

use super::atn::{Label, Rule};

/// A token of the tree: one of the input by its position in the stream, or one made up where it was missing.
#[derive(Clone, Debug)]
pub(super) enum Leaf {
    Input(usize),
    /// The text of a made-up token and the offset it pretends to be at.
    Missing(String, u32),
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    Leaf(Leaf),
    Context(usize),
    /// Matching failed: the label stays empty.
    Nothing,
}

/// A use of a rule.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) rule: Rule,
    /// The alternative taken, counted from one; zero before one was.
    pub(super) alt: usize,
    /// The position of its first token in the stream.
    pub(super) start: usize,
    pub(super) parts: Vec<(Label, Part)>,
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) contexts: Vec<Context>,
}

impl Tree {
    pub(super) fn add(&mut self, rule: Rule, start: usize) -> usize {
        self.contexts.push(Context {
            rule,
            alt: 0,
            start,
            parts: Vec::new(),
        });
        self.contexts.len() - 1
    }

    /// The contexts under a label.
    pub(super) fn contexts(&self, context: usize, label: Label) -> Vec<usize> {
        let parts = self.contexts[context].parts.iter();
        parts
            .filter_map(|(found, part)| match part {
                Part::Context(id) if *found == label => Some(*id),
                _ => None,
            })
            .collect()
    }

    /// The last context under a label.
    pub(super) fn context(&self, context: usize, label: Label) -> Option<usize> {
        self.contexts(context, label).last().copied()
    }

    /// The tokens under a label.
    pub(super) fn leaves(&self, context: usize, label: Label) -> Vec<&Leaf> {
        let parts = self.contexts[context].parts.iter();
        parts
            .filter_map(|(found, part)| match part {
                Part::Leaf(leaf) if *found == label => Some(leaf),
                _ => None,
            })
            .collect()
    }

    /// The last token under a label.
    pub(super) fn leaf(&self, context: usize, label: Label) -> Option<&Leaf> {
        self.leaves(context, label).last().copied()
    }
}
