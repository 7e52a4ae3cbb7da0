//! The parser's states inside of `[..]` and `{..}`.

use super::error::Problem;
use super::node::Content;
use super::parser::{Parser, Place, State};
use super::token::TokenKind;

impl<'t> Parser<'t> {
    pub(super) fn flow_entry(&mut self, first: bool) -> Result<(), Problem> {
        let closing = TokenKind::FlowSequenceEnd;
        self.flow_separator(first, &closing, "did not find expected ',' or ']'")?;
        let token = self.scanner.peek()?;
        let (start, end) = (token.start, token.end);
        if token.kind == closing {
            self.scanner.take()?;
            return self.close(end);
        }
        if token.kind == TokenKind::Key {
            self.scanner.take()?;
            self.states.push(State::FlowEntry);
            self.open(Content::Mapping(Vec::new()), start, None, State::PairKey);
            return Ok(());
        }
        self.states.push(State::FlowEntry);
        self.node(Place::Flow)
    }

    /// Moves over the comma that must be before every child but the first; one before the end is fine.
    fn flow_separator(
        &mut self,
        first: bool,
        closing: &TokenKind<'t>,
        problem: &'static str,
    ) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        if first || token.kind == *closing {
            return Ok(());
        }
        if token.kind != TokenKind::FlowEntry {
            return Err(Problem::parsing(problem, token.start));
        }
        self.scanner.take()?;
        Ok(())
    }

    pub(super) fn pair_key(&mut self) -> Result<(), Problem> {
        self.states.push(State::PairValue);
        let token = self.scanner.peek()?;
        let end = token.end;
        match token.kind {
            TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd => {
                // As upstream: the token is used up, so `[? : a]` has no value.
                self.scanner.take()?;
                self.empty(end);
                Ok(())
            }
            _ => self.node(Place::Flow),
        }
    }

    pub(super) fn pair_value(&mut self) -> Result<(), Problem> {
        self.states.push(State::PairEnd);
        self.flow_node_or_empty(&TokenKind::FlowSequenceEnd)
    }

    pub(super) fn pair_end(&mut self) -> Result<(), Problem> {
        let start = self.scanner.peek()?.start;
        self.close(start)
    }

    pub(super) fn flow_key(&mut self, first: bool) -> Result<(), Problem> {
        let closing = TokenKind::FlowMappingEnd;
        self.flow_separator(first, &closing, "did not find expected ',' or '}'")?;
        let token = self.scanner.peek()?;
        let end = token.end;
        if token.kind == closing {
            self.scanner.take()?;
            return self.close(end);
        }
        if token.kind != TokenKind::Key {
            self.states.push(State::FlowNoValue);
            return self.node(Place::Flow);
        }
        self.scanner.take()?;
        self.states.push(State::FlowValue);
        let token = self.scanner.peek()?;
        let start = token.start;
        match token.kind {
            TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd => {
                self.empty(start);
                Ok(())
            }
            _ => self.node(Place::Flow),
        }
    }

    pub(super) fn flow_value(&mut self) -> Result<(), Problem> {
        self.states.push(State::FlowKey);
        self.flow_node_or_empty(&TokenKind::FlowMappingEnd)
    }

    /// Reads `: node`; both may be missing.
    fn flow_node_or_empty(&mut self, closing: &TokenKind<'t>) -> Result<(), Problem> {
        let mut token = self.scanner.peek()?;
        if token.kind == TokenKind::Value {
            self.scanner.take()?;
            token = self.scanner.peek()?;
            if token.kind != TokenKind::FlowEntry && token.kind != *closing {
                return self.node(Place::Flow);
            }
        }
        let start = token.start;
        self.empty(start);
        Ok(())
    }
}
