//! The tree of a repaired parse: uses of rules with labeled parts, some of them missing.

use super::grammar::{Form, Label, Rule};
use crate::syntax::source::Source;
use crate::syntax::token::{Kind, Token};

#[derive(Clone, Debug)]
pub(super) enum Leaf {
    Found(Token),
    /// The text of an inserted token and its offset.
    Missing(String, u32),
}

impl Leaf {
    pub(super) fn kind(&self) -> Option<Kind> {
        match self {
            Leaf::Found(token) => Some(token.kind),
            Leaf::Missing(..) => None,
        }
    }

    pub(super) fn offset(&self) -> u32 {
        match self {
            Leaf::Found(token) => token.start,
            Leaf::Missing(_, offset) => *offset,
        }
    }

    pub(super) fn text(&self, source: &Source) -> String {
        match self {
            Leaf::Found(token) => source.slice(token.start as usize, token.end as usize),
            Leaf::Missing(text, _) => text.clone(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    Leaf(Leaf),
    Context(ContextId),
}

pub(super) type ContextId = usize;

/// A use of a rule.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) rule: Rule,
    pub(super) form: Form,
    /// The offset of its first token.
    pub(super) start: u32,
    parts: Vec<(Label, Part)>,
}

impl Context {
    /// The uses of rules under a label.
    pub(super) fn contexts(&self, label: Label) -> impl DoubleEndedIterator<Item = ContextId> {
        self.parts.iter().filter_map(move |(found, part)| match part {
            Part::Context(id) if *found == label => Some(*id),
            _ => None,
        })
    }

    /// The last use of a rule under a label.
    pub(super) fn context(&self, label: Label) -> Option<ContextId> {
        self.contexts(label).next_back()
    }

    /// The tokens under a label.
    pub(super) fn leaves(&self, label: Label) -> impl DoubleEndedIterator<Item = &Leaf> {
        self.parts.iter().filter_map(move |(found, part)| match part {
            Part::Leaf(leaf) if *found == label => Some(leaf),
            _ => None,
        })
    }

    /// The last token under a label.
    pub(super) fn leaf(&self, label: Label) -> Option<&Leaf> {
        self.leaves(label).next_back()
    }

    pub(super) fn has(&self, label: Label) -> bool {
        self.leaf(label).is_some()
    }

    /// The offset of a labeled token, or that of the whole if it is missing.
    pub(super) fn place(&self, label: Label) -> u32 {
        self.leaf(label).map_or(self.start, Leaf::offset)
    }
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    contexts: Vec<Context>,
}

impl Tree {
    pub(super) fn get(&self, id: ContextId) -> &Context {
        &self.contexts[id]
    }

    pub(super) fn add(&mut self, rule: Rule, form: Form, start: u32) -> ContextId {
        self.contexts.push(Context {
            rule,
            form,
            start,
            parts: Vec::new(),
        });
        self.contexts.len() - 1
    }

    /// Turns what was parsed so far into the left operand of an operator.
    pub(super) fn wrap(&mut self, operand: ContextId, form: Form) -> ContextId {
        let Context { rule, start, .. } = self.contexts[operand];
        let id = self.add(rule, form, start);
        self.add_part(id, (Label::Operand, Part::Context(operand)));
        id
    }

    pub(super) fn set_form(&mut self, id: ContextId, form: Form) {
        self.contexts[id].form = form;
    }

    pub(super) fn add_part(&mut self, id: ContextId, part: (Label, Part)) {
        self.contexts[id].parts.push(part);
    }
}
