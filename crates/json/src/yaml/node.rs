//! Reads one node: its properties, then a scalar, an alias, or the opening of a container; and distinguishes
//! keys from values.

use super::block_scalar::block_scalar;
use super::cursor::Spot;
use super::error::{Family, Fault, Outcome};
use super::frame::{Lead, Phase, Properties, Shape};
use super::look::{Look, Sign};
use super::parser::Parser;
use super::plain::plain;
use super::properties;
use super::quoted::quoted;
use super::tree::{Kind, Node};

/// The maximum length of a key on one line, in characters.
const LONGEST_KEY: u32 = 1024;

/// Can a key begin at `start` and end before `here`?
pub(super) fn in_reach(start: Spot, here: Spot) -> bool {
    start.line == here.line && here.column - start.column <= LONGEST_KEY
}

impl<'a> Parser<'a> {
    /// Reads the node that `next` begins, or opens its container. With `level`, dashes in the column of the key are its
    /// sequence.
    pub(super) fn node(&mut self, level: bool, mut next: Look) -> Outcome<()> {
        let stored = self.tree.nodes.len();
        let mut lead = Lead {
            stored,
            ..Lead::default()
        };
        loop {
            if self.starts_anew(next, &lead) {
                if self.needs_colon() {
                    return Err(self.complain(next, "could not find expected ':'"));
                }
                match lead.outer.join(lead.own) {
                    Some(outer) => {
                        lead = Lead {
                            outer,
                            stored,
                            ..Lead::default()
                        }
                    }
                    None => return self.take_back(lead),
                }
            }
            if self.in_flow == 0 && next.fresh && lead.own.is_empty() && self.is_next_entry(next) {
                return self.nothing(next, lead);
            }
            match next.sign {
                Sign::Anchor | Sign::Tag => {
                    if !self.property(next, &mut lead)? {
                        return self.nothing(next, lead);
                    }
                    next = self.look_for_colon()?;
                }
                Sign::Alias if !lead.own.is_empty() => return self.nothing(next, lead),
                Sign::Alias => return self.alias(next, lead),
                Sign::Quoted | Sign::Plain => return self.word(next, lead),
                Sign::BlockScalar if self.needs_colon() => {
                    return Err(self.complain(next, "could not find expected ':'"));
                }
                Sign::BlockScalar => return self.block_scalar(next, lead),
                Sign::SeqOpen | Sign::MapOpen => return self.open_flow(next, lead),
                Sign::Dash | Sign::Question | Sign::Colon if self.in_flow == 0 => {
                    return self.open_block(next, lead, level);
                }
                _ => return self.nothing(next, lead),
            }
        }
    }

    /// Are the properties before `next` on lines of their own?
    fn starts_anew(&self, next: Look, lead: &Lead<'_>) -> bool {
        let earlier = lead.own.start.is_some_and(|start| start.line != next.spot.line);
        earlier && next.fresh && self.in_flow == 0
    }

    fn needs_colon(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| frame.phase == Phase::NeedColon)
    }

    /// Is `next` a key of the container around this node?
    fn is_next_entry(&self, next: Look) -> bool {
        next.is_atom() && i64::from(next.spot.column) <= self.indent && !self.needs_colon()
    }

    /// Records where a key would begin.
    fn begin(&mut self, next: Look, lead: &mut Lead<'a>) {
        if lead.own.is_empty() && next.fresh {
            lead.key_start = Some(next.spot);
            if self.in_flow == 0 {
                self.key_start = Some(next.spot);
                self.key_indent = self.indent;
            }
        }
        self.fresh = false;
    }

    /// Reads an anchor or tag, unless there is one already.
    fn property(&mut self, next: Look, lead: &mut Lead<'a>) -> Outcome<bool> {
        let anchor = next.sign == Sign::Anchor;
        if anchor && lead.own.anchor.is_some() || !anchor && lead.own.tag.is_some() {
            return Ok(false);
        }
        self.begin(next, lead);
        lead.own.start = lead.own.start.or(Some(next.spot));
        if anchor {
            lead.own.anchor = Some(properties::anchor(&mut self.cursor)?);
        } else {
            let spelled = properties::tag(&mut self.cursor)?;
            lead.own.tag = self.resolve(&spelled);
            if lead.own.tag.is_none() {
                let after = self.look_for_colon()?;
                self.read_ahead(after)?;
                return Err(Fault::structural("found undefined tag handle", next.spot));
            }
        }
        self.last_end = self.cursor.at;
        Ok(true)
    }

    /// Ends a node that consists of its properties; without any the text is invalid.
    fn nothing(&mut self, next: Look, lead: Lead<'a>) -> Outcome<()> {
        if lead.outer.is_empty() && lead.own.is_empty() {
            let next = next.allowed(self.in_flow > 0)?;
            return Err(self.complain(next, "did not find expected node content"));
        }
        let own = lead.own;
        let (start, end) = (own.start.unwrap_or(next.spot), self.last_end);
        let id = self.scalar("", true, start, end, own);
        self.finish(id, lead)
    }

    /// Goes back before properties that cannot belong to the node, which ends with those above.
    fn take_back(&mut self, lead: Lead<'a>) -> Outcome<()> {
        let own_start = lead.own.start.or(lead.key_start).unwrap_or(self.cursor.spot());
        self.cursor.rewind(own_start);
        self.tree.nodes.truncate(lead.stored);
        self.fresh = true;
        let start = lead.outer.start.unwrap_or(own_start);
        let id = self.scalar("", true, start, self.last_end, lead.outer);
        self.done.push(id);
        Ok(())
    }

    fn alias(&mut self, next: Look, mut lead: Lead<'a>) -> Outcome<()> {
        self.begin(next, &mut lead);
        let name = properties::anchor(&mut self.cursor)?;
        let Some(&anchor) = self.anchors.get(name) else {
            let key = lead.key_start.is_some_and(|start| self.passes_colon(start));
            if !lead.outer.is_empty() && !key {
                return self.take_back(lead);
            }
            let start = self.cursor;
            self.cursor.rewind(next.spot);
            self.fresh = next.fresh;
            self.read_ahead(next)?;
            self.cursor = start;
            let message = format!("unknown anchor '{name}' referenced");
            return Err(Fault::new(Family::Unplaced, message, next.spot));
        };
        self.begun += 1;
        let id = self.store(Node {
            kind: Kind::Alias { anchor },
            tag: Default::default(),
            start: next.spot,
            end: self.cursor.at as u32,
            anchor: None,
            begun: self.begun,
        });
        self.finish(id, lead)
    }

    fn word(&mut self, next: Look, mut lead: Lead<'a>) -> Outcome<()> {
        self.begin(next, &mut lead);
        let is_plain = next.sign == Sign::Plain;
        let (text, end) = if is_plain {
            let plain = plain(&mut self.cursor, self.arena, self.indent, self.in_flow > 0)?;
            self.fresh = plain.line_passed;
            (plain.text, plain.end)
        } else {
            let text = quoted(&mut self.cursor, self.arena)?;
            (text, self.cursor.at)
        };
        let id = self.scalar(text, is_plain, next.spot, end, lead.own);
        self.finish(id, lead)
    }

    fn block_scalar(&mut self, next: Look, lead: Lead<'a>) -> Outcome<()> {
        let block = block_scalar(&mut self.cursor, self.arena, self.indent)?;
        self.fresh = true;
        let id = self.scalar(block.text, false, next.spot, block.end, lead.own);
        self.finish(
            id,
            Lead {
                key_start: None,
                ..lead
            },
        )
    }

    fn open_flow(&mut self, next: Look, mut lead: Lead<'a>) -> Outcome<()> {
        self.begin(next, &mut lead);
        self.cursor.advance(1);
        let shape = if next.sign == Sign::SeqOpen {
            Shape::FlowSeq
        } else {
            Shape::FlowMap
        };
        // The anchor above may turn out to belong to a map; inside this node it refers to the node.
        self.register(lead.outer.anchor);
        self.open(shape, next.spot, lead, 0)?;
        self.fresh = true;
        Ok(())
    }

    /// A dash, question mark or colon outside of brackets.
    fn open_block(&mut self, next: Look, lead: Lead<'a>, level: bool) -> Outcome<()> {
        let on_line = lead.key_start.is_some_and(|start| in_reach(start, next.spot));
        if next.sign == Sign::Colon && on_line && !lead.own.is_empty() {
            return self.nothing(next, lead);
        }
        let next = next.allowed(false)?;
        self.key_start = None;
        let column = i64::from(next.spot.column);
        let lead = Lead {
            own: lead.outer,
            ..Lead::default()
        };
        match next.sign {
            Sign::Dash if column > self.indent => self.open(Shape::BlockSeq, next.spot, lead, 0),
            Sign::Dash if level && column == self.indent => self.open(Shape::LevelSeq, next.spot, lead, 0),
            Sign::Question if column > self.indent => self.open(Shape::BlockMap, next.spot, lead, 0),
            Sign::Colon if column > self.indent => Err(self.complain(next, "did not find expected key")),
            _ => self.nothing(next, lead),
        }
    }

    /// Ends a node: as a key if a colon follows on its line, otherwise as a value.
    pub(super) fn finish(&mut self, id: u32, lead: Lead<'a>) -> Outcome<()> {
        if let Some(start) = lead.key_start.filter(|&start| self.passes_colon(start)) {
            return self.finish_key(id, start, lead);
        }
        if self.needs_colon() {
            self.read_ahead(self.here())?;
            let next = self.look_for_colon()?;
            return Err(self.complain(next, "could not find expected ':'"));
        }
        if !lead.outer.is_empty() {
            if lead.outer.join(lead.own).is_none() || self.is_alias(id) {
                return self.take_back(lead);
            }
            self.adopt(id, lead.outer);
        }
        self.done.push(id);
        Ok(())
    }

    fn is_alias(&self, id: u32) -> bool {
        matches!(self.tree.nodes[id as usize].kind, Kind::Alias { .. })
    }

    /// Gives a finished node the properties above it.
    fn adopt(&mut self, id: u32, outer: Properties<'a>) {
        if let Some(anchor) = self.register(outer.anchor) {
            self.tree.anchors[anchor as usize].node = Some(id);
            self.tree.nodes[id as usize].anchor = Some(anchor);
        }
        let node = &mut self.tree.nodes[id as usize];
        node.tag = outer.tag.unwrap_or(node.tag);
        node.start = outer.start.unwrap_or(node.start);
    }

    /// Moves over a colon that turns the node at `start` into a key.
    fn passes_colon(&mut self, start: Spot) -> bool {
        let mut ahead = self.cursor;
        ahead.skip_blanks();
        let colon = ahead.peek(0) == b':' && (self.in_flow > 0 || ahead.is_gap(1));
        if !colon || !in_reach(start, ahead.spot()) {
            return false;
        }
        ahead.advance(1);
        self.cursor = ahead;
        self.fresh = false;
        self.last_end = ahead.at;
        true
    }

    fn finish_key(&mut self, id: u32, start: Spot, lead: Lead<'a>) -> Outcome<()> {
        self.done.push(id);
        let shape = self.frames.last().map(|frame| frame.shape);
        if self.in_flow == 0 {
            self.key_start = None;
            if !self.needs_colon() {
                let map = Lead {
                    own: lead.outer,
                    ..Lead::default()
                };
                self.open(Shape::BlockMap, start, map, 1)?;
            }
        } else if shape == Some(Shape::FlowSeq) {
            self.open(Shape::FlowPair, start, Lead::default(), 1)?;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.phase = Phase::Value;
        }
        Ok(())
    }
}
