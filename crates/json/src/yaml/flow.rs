//! The steps of flow containers, which are in brackets.

use super::error::{Fault, Outcome};
use super::frame::{Lead, Phase, Shape};
use super::look::{Look, Sign};
use super::parser::Parser;

impl<'a> Parser<'a> {
    /// Advances the innermost container, a flow one, by one step.
    pub(super) fn flow_step(&mut self) -> Outcome<()> {
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        match (frame.shape, frame.phase) {
            (shape, Phase::MayColon) => self.colon_in_flow(shape),
            (shape, Phase::Value) => self.value_in_flow(shape),
            (Shape::FlowPair, _) => self.end_pair(),
            (_, Phase::Bare) => {
                let spot = self.cursor.spot();
                self.empty(spot);
                self.in_phase(Phase::Comma);
                Ok(())
            }
            (shape, Phase::Comma) => self.comma(shape),
            (shape, _) => {
                let next = self.look()?;
                self.item_in_flow(shape, next)
            }
        }
    }

    fn in_phase(&mut self, phase: Phase) {
        if let Some(frame) = self.frames.last_mut() {
            frame.phase = phase;
        }
    }

    fn end_pair(&mut self) -> Outcome<()> {
        if let Some((id, _)) = self.close(self.last_end) {
            self.done.push(id);
        }
        Ok(())
    }

    fn comma(&mut self, shape: Shape) -> Outcome<()> {
        let next = self.look()?;
        if next.sign == Sign::Comma {
            self.cursor.advance(1);
            self.fresh = true;
            self.in_phase(Phase::Item);
            return Ok(());
        }
        if is_close(shape, next) {
            return self.end_flow();
        }
        Err(self.complain(
            next,
            match shape {
                Shape::FlowSeq => "did not find expected ',' or ']'",
                _ => "did not find expected ',' or '}'",
            },
        ))
    }

    fn end_flow(&mut self) -> Outcome<()> {
        self.cursor.advance(1);
        self.last_end = self.cursor.at;
        let closed = self.close(self.last_end);
        self.fresh = false;
        match closed {
            Some((id, frame)) if self.is_hasty(id, frame.lead) => self.finish_hasty(id, frame.lead),
            Some((id, frame)) => self.finish(id, frame.lead),
            None => Ok(()),
        }
    }

    /// Outside of brackets, upstream treats an empty collection as a value before it looks for a colon after
    /// it.
    fn is_hasty(&self, id: u32, lead: Lead<'_>) -> bool {
        self.in_flow == 0
            && lead.own.is_empty()
            && lead.key_start.is_some()
            && self.tree.children(id).is_empty()
    }

    fn finish_hasty(&mut self, id: u32, lead: Lead<'a>) -> Outcome<()> {
        let start = self.tree.nodes[id as usize].start;
        self.key_start = None;
        let outer = self.frames.last().map(|frame| (frame.shape, frame.phase));
        if let Some((_, Phase::NeedColon)) = outer {
            return Err(Fault::structural("did not find expected key", start));
        }
        let mut ahead = self.cursor;
        ahead.skip_blanks();
        let colon = ahead.peek(0) == b':' && ahead.is_gap(1) && ahead.line == start.line;
        self.finish(
            id,
            Lead {
                key_start: None,
                ..lead
            },
        )?;
        match outer {
            _ if !colon => Ok(()),
            Some((Shape::BlockSeq, _)) => {
                Err(Fault::structural("did not find expected '-' indicator", start))
            }
            Some(_) => Err(Fault::structural("did not find expected key", start)),
            None => {
                // Nothing after the document matters.
                self.cursor.at = self.cursor.text.len();
                Ok(())
            }
        }
    }

    fn item_in_flow(&mut self, shape: Shape, next: Look) -> Outcome<()> {
        if is_close(shape, next) {
            return self.end_flow();
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.item = next.spot;
        }
        if next.sign == Sign::Question {
            self.cursor.advance(1);
            self.fresh = false;
            self.in_phase(Phase::Comma);
            if shape == Shape::FlowSeq {
                self.open(Shape::FlowPair, next.spot, Lead::default(), 0)?;
            }
            self.in_phase(Phase::MayColon);
            let after = self.look()?;
            if after.sign == Sign::Colon || is_end_of_value(shape, after) {
                self.empty(after.spot);
                if shape == Shape::FlowSeq {
                    self.swallow(after);
                }
                return Ok(());
            }
            return self.node(false, after);
        }
        self.in_phase(if shape == Shape::FlowSeq {
            Phase::Comma
        } else {
            Phase::Bare
        });
        self.node(false, next)
    }

    /// Skips the indicator after a lone `?` in a sequence, which upstream treats as part of the key.
    fn swallow(&mut self, next: Look) {
        self.cursor.advance(1);
        self.fresh = next.sign == Sign::Comma;
        if next.sign == Sign::SeqClose {
            self.in_flow -= 1;
        }
    }

    fn colon_in_flow(&mut self, shape: Shape) -> Outcome<()> {
        let next = self.look()?;
        if next.sign == Sign::Colon {
            self.cursor.advance(1);
            self.fresh = false;
            self.last_end = self.cursor.at;
            return self.value_in_flow(shape);
        }
        self.in_phase(Phase::Comma);
        self.empty(next.spot);
        Ok(())
    }

    fn value_in_flow(&mut self, shape: Shape) -> Outcome<()> {
        self.in_phase(Phase::Comma);
        let after = self.cursor.spot();
        let next = self.look()?;
        if is_end_of_value(shape, next) {
            self.empty(after);
            return Ok(());
        }
        self.node(false, next)
    }
}

fn is_close(shape: Shape, next: Look) -> bool {
    match shape {
        Shape::FlowMap => next.sign == Sign::MapClose,
        _ => next.sign == Sign::SeqClose,
    }
}

fn is_end_of_value(shape: Shape, next: Look) -> bool {
    next.sign == Sign::Comma || is_close(shape, next)
}
