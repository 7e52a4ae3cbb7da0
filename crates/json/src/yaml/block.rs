//! The steps of block containers, which are defined by indentation.

use super::error::{Fault, Outcome};
use super::frame::{Phase, Shape};
use super::look::{Look, Sign};
use super::parser::Parser;

impl Parser<'_> {
    /// Advances the innermost container, a block, by one step.
    pub(super) fn block_step(&mut self) -> Outcome<()> {
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        match (frame.shape, frame.phase) {
            (Shape::BlockSeq | Shape::LevelSeq, _) => self.element(frame.shape),
            (_, Phase::MayColon) => self.colon_of_explicit_key(),
            (_, Phase::Value) => self.value(),
            _ => self.key(),
        }
    }

    /// Does the innermost block end before `next`?
    fn ends_before(&self, next: Look) -> bool {
        next.is_outside() || i64::from(next.spot.column) < self.indent
    }

    /// Is `next` exactly at the indentation of the innermost block?
    fn is_level(&self, next: Look) -> bool {
        next.fresh && i64::from(next.spot.column) == self.indent
    }

    /// Is `next` a key or value indicator of the innermost block, or its end? Then the node before it is
    /// empty.
    fn is_entry_of_map(&self, next: Look) -> bool {
        let entry = next.is_atom() || matches!(next.sign, Sign::Question | Sign::Colon);
        self.ends_before(next) || entry && self.is_level(next)
    }

    fn set_phase(&mut self, phase: Phase) {
        if let Some(frame) = self.frames.last_mut() {
            frame.phase = phase;
        }
    }

    fn end_block(&mut self) -> Outcome<()> {
        match self.close(self.last_end) {
            Some((id, frame)) => self.finish(id, frame.lead),
            None => Ok(()),
        }
    }

    fn element(&mut self, shape: Shape) -> Outcome<()> {
        let next = self.look()?;
        let dash = next.sign == Sign::Dash && self.is_level(next);
        if !dash {
            if shape == Shape::LevelSeq || self.ends_before(next) {
                return self.end_block();
            }
            return Err(self.complain(next, "did not find expected '-' indicator"));
        }
        self.cursor.advance(1);
        self.fresh = true;
        self.last_end = self.cursor.at;
        let after = self.cursor.spot();
        let next = self.look()?;
        self.refuse_empty_brackets(next, "did not find expected '-' indicator")?;
        let empty = match shape {
            Shape::LevelSeq => self.is_entry_of_map(next),
            _ => self.ends_before(next),
        };
        if empty || next.sign == Sign::Dash && self.is_level(next) {
            self.empty(after);
            return Ok(());
        }
        self.node(false, next)
    }

    fn key(&mut self) -> Outcome<()> {
        let next = self.look()?;
        if self.ends_before(next) {
            return self.end_block();
        }
        if next.sign == Sign::Question && self.is_level(next) {
            self.cursor.advance(1);
            self.fresh = true;
            self.last_end = self.cursor.at;
            self.set_phase(Phase::MayColon);
            return self.node_or_nothing();
        }
        if next.is_atom() && self.is_level(next) {
            self.set_phase(Phase::NeedColon);
            return self.node(false, next);
        }
        Err(self.complain(next, "did not find expected key"))
    }

    fn colon_of_explicit_key(&mut self) -> Outcome<()> {
        let next = self.look()?;
        self.set_phase(Phase::Item);
        if next.sign == Sign::Colon && self.is_level(next) {
            self.cursor.advance(1);
            self.fresh = true;
            self.last_end = self.cursor.at;
            return self.node_or_nothing();
        }
        self.empty(next.spot);
        Ok(())
    }

    /// Rejects `[]` as a value where only a key is allowed. Upstream accepts it, and then reports a missing
    /// colon or the following text.
    fn refuse_empty_brackets(&mut self, next: Look, message: &'static str) -> Outcome<()> {
        if !self.is_level(next) || !matches!(next.sign, Sign::SeqOpen | Sign::MapOpen) {
            return Ok(());
        }
        let mut ahead = self.cursor;
        ahead.advance(1);
        ahead.skip_to_content(true, &mut true);
        if !matches!(ahead.peek(0), b']' | b'}') {
            return Ok(());
        }
        ahead.advance(1);
        self.cursor = ahead;
        self.fresh = false;
        self.key_start = None;
        let after = self.look()?;
        self.read_ahead(after)?;
        Err(if after.fresh || after.is_outside() {
            Fault::lexical("could not find expected ':'", after.spot)
        } else {
            Fault::structural(message, after.spot)
        })
    }

    fn value(&mut self) -> Outcome<()> {
        self.set_phase(Phase::Item);
        self.node_or_nothing()
    }

    fn node_or_nothing(&mut self) -> Outcome<()> {
        let after = self.cursor.spot();
        let next = self.look()?;
        self.refuse_empty_brackets(next, "did not find expected key")?;
        if self.is_entry_of_map(next) {
            self.empty(after);
            return Ok(());
        }
        self.node(true, next)
    }
}
