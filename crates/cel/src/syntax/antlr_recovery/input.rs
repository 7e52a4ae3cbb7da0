//! The tokens of a text and the place the parser has reached.

use super::graph::{Set, one};
use crate::syntax::source::Source;
use crate::syntax::token::{Kind, Token};

pub(super) struct Input<'s> {
    source: &'s Source,
    tokens: &'s [Token],
    /// Positions in `tokens` of those that are not white space or comments.
    visible: Vec<usize>,
    kinds: Vec<Kind>,
    /// The current token, counting visible tokens.
    pub(super) at: usize,
    furthest: usize,
}

impl<'s> Input<'s> {
    /// `tokens` end with an end-of-input token.
    pub(super) fn new(source: &'s Source, tokens: &'s [Token]) -> Input<'s> {
        let visible: Vec<usize> = (0..tokens.len())
            .filter(|at| !matches!(tokens[*at].kind, Kind::Whitespace | Kind::Comment))
            .collect();
        Input {
            source,
            tokens,
            kinds: visible.iter().map(|at| tokens[*at].kind).collect(),
            visible,
            at: 0,
            furthest: 0,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.kinds[self.at]
    }

    pub(super) fn is_one_of(&self, set: Set) -> bool {
        set & one(self.kind()) != 0
    }

    /// The kinds of the current token and all after it.
    pub(super) fn ahead(&self) -> &[Kind] {
        &self.kinds[self.at..]
    }

    /// The token after the current one.
    pub(super) fn second(&mut self) -> Kind {
        let second = (self.at + 1).min(self.last());
        self.furthest = self.furthest.max(second);
        self.kinds[second]
    }

    /// Moves on; the end of the input is never passed.
    pub(super) fn consume(&mut self) -> Token {
        let token = self.token(self.at);
        self.at += usize::from(token.kind != Kind::Eof);
        token
    }

    pub(super) fn token(&self, at: usize) -> Token {
        self.tokens[self.visible[at]]
    }

    pub(super) fn offset(&self, at: usize) -> u32 {
        self.token(at).start
    }

    pub(super) fn last(&self) -> usize {
        self.kinds.len() - 1
    }

    /// How far the parser has looked to repair errors.
    pub(super) fn furthest(&self) -> usize {
        self.furthest.max(self.at)
    }

    /// The text from one token to another, with white space and comments between them.
    pub(super) fn text(&self, from: usize, to: usize) -> String {
        let tokens = &self.tokens[self.visible[from]..=self.visible[to]];
        tokens
            .iter()
            .filter(|token| token.kind != Kind::Eof)
            .map(|token| self.source.slice(token.start as usize, token.end as usize))
            .collect()
    }
}
