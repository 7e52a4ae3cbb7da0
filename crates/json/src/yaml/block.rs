//! The parser's states inside of indented sequences and mappings.

use super::cursor::Mark;
use super::error::Problem;
use super::parser::{Parser, Place, State};
use super::token::TokenKind;

impl Parser<'_> {
    pub(super) fn block_entry(&mut self) -> Result<(), Problem> {
        let token = self.scanner.take()?;
        match token.kind {
            TokenKind::BlockEntry => {
                self.states.push(State::BlockEntry);
                match self.scanner.peek()?.kind {
                    TokenKind::BlockEntry | TokenKind::BlockEnd => self.empty(token.end),
                    _ => self.node(Place::Block)?,
                }
                Ok(())
            }
            TokenKind::BlockEnd => self.close(token.end),
            _ => Err(Problem::parsing(
                "did not find expected '-' indicator",
                token.start,
            )),
        }
    }

    pub(super) fn indentless_entry(&mut self) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let (start, end) = (token.start, token.end);
        if token.kind != TokenKind::BlockEntry {
            return self.close(start);
        }
        self.scanner.take()?;
        self.states.push(State::IndentlessEntry);
        match self.scanner.peek()?.kind {
            TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => {
                self.empty(end);
            }
            _ => self.node(Place::Block)?,
        }
        Ok(())
    }

    pub(super) fn block_key(&mut self) -> Result<(), Problem> {
        let token = self.scanner.take()?;
        match token.kind {
            TokenKind::Key => {
                self.states.push(State::BlockValue);
                self.block_node_or_empty(token.end)
            }
            TokenKind::BlockEnd => self.close(token.end),
            _ => Err(Problem::parsing("did not find expected key", token.start)),
        }
    }

    pub(super) fn block_value(&mut self) -> Result<(), Problem> {
        self.states.push(State::BlockKey);
        let token = self.scanner.peek()?;
        let (start, end) = (token.start, token.end);
        if token.kind != TokenKind::Value {
            self.empty(start);
            return Ok(());
        }
        self.scanner.take()?;
        self.block_node_or_empty(end)
    }

    fn block_node_or_empty(&mut self, mark: Mark) -> Result<(), Problem> {
        match self.scanner.peek()?.kind {
            TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => {
                self.empty(mark);
                Ok(())
            }
            _ => self.node(Place::BlockInMapping),
        }
    }
}
