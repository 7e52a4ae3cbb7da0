//! Scans ahead over tokens without building anything, to find lexical errors before structural ones.
//!
//! Upstream defers its structure checks while a later colon on the line could still create a key. So an
//! invalid character after a misplaced bracket is reported, not the bracket.

use super::block_scalar::block_scalar;
use super::cursor::{Cursor, Spot};
use super::error::{Fault, Outcome};
use super::frame::Shape;
use super::look::{self, Look, Sign};
use super::node::in_reach;
use super::parser::Parser;
use super::plain::plain;
use super::properties;
use super::quoted::quoted;
use crate::Arena;

/// A possible key.
#[derive(Clone, Copy)]
struct Candidate {
    start: Spot,
    /// Only a key is allowed here.
    required: bool,
}

struct Ahead<'a> {
    cursor: Cursor<'a>,
    arena: &'a Arena,
    fresh: bool,
    /// The indentations of the open blocks, outermost first.
    indents: Vec<i64>,
    /// The candidate outside of brackets and in every open bracket.
    candidates: Vec<Option<Candidate>>,
    /// How many of them, from the outermost on, are certainly none: a look at all of them for each token would cost the square of
    /// the depth.
    given_up: usize,
    /// The first candidate outside of brackets that became a key.
    key: Option<Spot>,
    /// Where the last candidate began.
    last_start: Option<Spot>,
}

impl Parser<'_> {
    /// Scans `next` and, while something up to there may be a key, the text that follows. Returns where a key
    /// outside of brackets begins, if there is one.
    pub(super) fn read_ahead(&mut self, next: Look) -> Outcome<Option<Spot>> {
        let (start, fresh, depth) = self.first_candidate(next);
        let mut cursor = self.cursor;
        cursor.rewind(start);
        if next.sign == Sign::End {
            (cursor.line, cursor.column) = (start.line, start.column);
        }
        let is_block = |shape| matches!(shape, Shape::BlockSeq | Shape::BlockMap);
        let blocks = self.frames.iter().filter(|frame| is_block(frame.shape));
        let mut indents: Vec<i64> = blocks.map(|frame| frame.outer_indent).collect();
        indents.push(self.indent);
        if start != next.spot && self.key_indent > self.indent {
            indents.push(self.key_indent);
        }
        let ahead = Ahead {
            cursor,
            arena: self.arena,
            fresh,
            indents,
            candidates: vec![None; depth + 1],
            given_up: 0,
            key: None,
            last_start: None,
        };
        ahead.run(next.spot)
    }

    /// The first place on the line of `next` where a possible key began, whether block structure could begin
    /// there, and the number of open brackets.
    fn first_candidate(&self, next: Look) -> (Spot, bool, usize) {
        let before = |spot: &Spot| spot.offset < next.spot.offset;
        // Even on a line above: only scanning from there shows that it is out of reach.
        if let Some(start) = self.key_start.filter(before) {
            return (start, true, 0);
        }
        let on_line = |spot: &Spot| before(spot) && in_reach(*spot, next.spot);
        let mut depth = 0;
        for frame in &self.frames {
            if !matches!(frame.shape, Shape::FlowSeq | Shape::FlowMap) {
                continue;
            }
            if on_line(&frame.start) {
                return (frame.start, frame.lead.key_start.is_some(), depth);
            }
            depth += 1;
            if on_line(&frame.item) {
                return (frame.item, true, depth);
            }
        }
        (next.spot, next.fresh, self.in_flow)
    }
}

impl Ahead<'_> {
    fn run(mut self, last: Spot) -> Outcome<Option<Spot>> {
        loop {
            let in_flow = self.candidates.len() > 1;
            self.cursor.skip_to_content(in_flow, &mut self.fresh);
            let next = look::look(&self.cursor, in_flow, self.fresh)?;
            if next.sign == Sign::End {
                (self.cursor.line, self.cursor.column) = (next.spot.line, next.spot.column);
            }
            if next.is_outside() {
                self.unindent(-1);
                self.forget()?;
                self.drop_stale()?;
                if next.sign == Sign::Directive {
                    properties::directive(&mut self.cursor)?;
                }
                return Ok(self.key);
            }
            if !in_flow {
                self.unindent(i64::from(next.spot.column));
            }
            self.pass(next)?;
            self.drop_stale()?;
            // Brackets begin one after the other, so that the outermost candidate is the earliest.
            let earliest = self.candidates.get(self.given_up).copied().flatten();
            let is_pending = earliest.is_some_and(|candidate| candidate.start.offset <= last.offset);
            if self.cursor.at > last.offset as usize && !is_pending {
                return Ok(self.key);
            }
        }
    }

    fn indent(&self) -> i64 {
        self.indents.last().copied().unwrap_or(-1)
    }

    fn unindent(&mut self, column: i64) {
        while self.indent() > column {
            self.indents.pop();
        }
    }

    fn deepen(&mut self, column: u32) {
        if self.indent() < i64::from(column) {
            self.indents.push(i64::from(column));
        }
    }

    /// Skips one token.
    fn pass(&mut self, next: Look) -> Outcome<()> {
        let in_flow = self.candidates.len() > 1;
        match next.sign {
            Sign::SeqOpen | Sign::MapOpen => {
                self.remember(next)?;
                self.candidates.push(None);
                self.indicator(true)
            }
            Sign::SeqClose | Sign::MapClose => {
                self.forget()?;
                if in_flow {
                    self.candidates.pop();
                    self.give_up_wordless();
                }
                self.indicator(false)
            }
            Sign::Comma => {
                self.forget()?;
                self.indicator(true)
            }
            Sign::Dash | Sign::Question => {
                let next = next.allowed(in_flow)?;
                self.forget()?;
                if !in_flow {
                    self.deepen(next.spot.column);
                }
                self.indicator(next.sign == Sign::Dash || !in_flow)
            }
            Sign::Colon => self.colon(next),
            _ => self.word(next),
        }
    }

    /// After brackets that contain no word, upstream does not expect a colon, so they cannot be a key.
    fn give_up_wordless(&mut self) {
        let text = self.cursor.text.as_bytes();
        let last = self.last_start;
        let is_bracket = |start: Spot| matches!(text.get(start.offset as usize), Some(b'[' | b'{'));
        if let Some(slot) = self.candidates.last_mut()
            && slot.is_some_and(|candidate| last == Some(candidate.start) && is_bracket(candidate.start))
        {
            *slot = None;
        }
    }

    fn indicator(&mut self, fresh: bool) -> Outcome<()> {
        self.cursor.advance(1);
        self.fresh = fresh;
        Ok(())
    }

    fn colon(&mut self, next: Look) -> Outcome<()> {
        let in_flow = self.candidates.len() > 1;
        self.drop_stale()?;
        let candidate = self.candidates.last_mut().and_then(Option::take);
        if let Some(candidate) = candidate {
            if !in_flow {
                self.key = self.key.or(Some(candidate.start));
                self.deepen(candidate.start.column);
            }
            return self.indicator(false);
        }
        next.allowed(in_flow)?;
        if !in_flow {
            self.deepen(next.spot.column);
        }
        self.indicator(!in_flow)
    }

    fn word(&mut self, next: Look) -> Outcome<()> {
        let in_flow = self.candidates.len() > 1;
        if next.sign == Sign::BlockScalar {
            self.forget()?;
            let indent = self.indent();
            block_scalar(&mut self.cursor, self.arena, indent)?;
            self.fresh = true;
            return Ok(());
        }
        self.remember(next)?;
        self.fresh = false;
        match next.sign {
            Sign::Alias | Sign::Anchor => drop(properties::anchor(&mut self.cursor)?),
            Sign::Tag => drop(properties::tag(&mut self.cursor)?),
            Sign::Quoted => drop(quoted(&mut self.cursor, self.arena)?),
            _ => {
                let indent = self.indent();
                self.fresh = plain(&mut self.cursor, self.arena, indent, in_flow)?.line_passed;
            }
        }
        Ok(())
    }

    /// Records a possible key, if a key can begin here.
    fn remember(&mut self, next: Look) -> Outcome<()> {
        if !next.fresh {
            return Ok(());
        }
        self.forget()?;
        self.last_start = Some(next.spot);
        let required = self.candidates.len() == 1 && self.indent() == i64::from(next.spot.column);
        if let Some(slot) = self.candidates.last_mut() {
            *slot = Some(Candidate {
                start: next.spot,
                required,
            });
            self.given_up = self.given_up.min(self.candidates.len() - 1);
        }
        Ok(())
    }

    fn forget(&mut self) -> Outcome<()> {
        match self.candidates.last_mut().and_then(Option::take) {
            Some(candidate) if candidate.required => Err(self.no_colon()),
            _ => Ok(()),
        }
    }

    fn no_colon(&self) -> Box<Fault> {
        Fault::lexical("could not find expected ':'", self.cursor.spot())
    }

    /// Drops candidates that are out of reach: the outermost ones, because they began first.
    fn drop_stale(&mut self) -> Outcome<()> {
        let here = self.cursor.spot();
        let mut missing = false;
        while let Some(slot) = self.candidates.get_mut(self.given_up) {
            if slot.is_some_and(|candidate| in_reach(candidate.start, here)) {
                break;
            }
            missing |= slot.take().is_some_and(|candidate| candidate.required);
            self.given_up += 1;
        }
        if missing { Err(self.no_colon()) } else { Ok(()) }
    }
}
