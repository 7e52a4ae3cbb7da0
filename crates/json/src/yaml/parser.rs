//! Reads one document into a tree: the stack of open containers, and the document around them.
//!
//! Nesting is on an explicit stack, so deep text does not need deep calls. A node is known to be a key once
//! it has been read: then a colon follows on the same line, or not. Does not know what scalars mean.

use std::collections::HashMap;

use super::cursor::{Cursor, Spot};
use super::error::{Fault, Outcome};
use super::frame::{Frame, Lead, Phase, Properties, Shape};
use super::look::{self, Look, Sign};
use super::properties::{self, Directive};
use super::tree::{Anchor, Kind, Node, Tag, Tree};
use crate::Arena;
use crate::pause::Pace;

/// Reads the first document of the text.
pub(super) fn parse<'a>(text: &'a str, arena: &'a Arena, max_depth: usize) -> Outcome<Tree<'a>> {
    let mut parser = Parser {
        cursor: Cursor::new(text),
        arena,
        max_depth,
        fresh: true,
        in_flow: 0,
        blocks: 0,
        indent: -1,
        frames: Vec::new(),
        done: Vec::new(),
        tree: Tree::with_room_for(text),
        anchors: HashMap::new(),
        pace: Pace::default(),
        handles: Vec::new(),
        key_start: None,
        key_indent: -1,
        begun: 0,
        last_end: 0,
    };
    parser.document()?;
    Ok(parser.tree)
}

pub(super) struct Parser<'a> {
    pub cursor: Cursor<'a>,
    pub arena: &'a Arena,
    max_depth: usize,
    /// May block structure begin here?
    pub fresh: bool,
    /// How many brackets are open.
    pub in_flow: usize,
    /// How many indented containers are open.
    blocks: usize,
    /// The indentation of the innermost of them.
    pub indent: i64,
    pub frames: Vec<Frame<'a>>,
    /// Finished nodes of open containers.
    pub done: Vec<u32>,
    pub tree: Tree<'a>,
    pub anchors: HashMap<&'a str, u32>,
    pace: Pace,
    /// Tag handles and their prefixes.
    handles: Vec<(&'a str, String)>,
    /// Where the last node outside of brackets began that a later colon on the line would turn into a key.
    pub key_start: Option<Spot>,
    /// The indentation there.
    pub key_indent: i64,
    pub begun: u32,
    /// The offset after the last part of a node.
    pub last_end: usize,
}

impl<'a> Parser<'a> {
    fn document(&mut self) -> Outcome<()> {
        let mut next = self.look()?;
        if next.sign == Sign::End {
            return Ok(());
        }
        let directives = next.sign == Sign::Directive;
        if directives {
            next = self.directives()?;
        }
        if next.sign == Sign::DocumentStart {
            self.cursor.advance(3);
            self.fresh = false;
            next = self.look()?;
            if next.is_outside() {
                self.empty(next.spot);
                return self.end_of_document();
            }
        } else if directives {
            return Err(self.complain(next, "did not find expected <document start>"));
        }
        self.node(false, next)?;
        while let Some(frame) = self.frames.last() {
            match frame.shape {
                Shape::BlockSeq | Shape::LevelSeq | Shape::BlockMap => self.block_step()?,
                Shape::FlowSeq | Shape::FlowMap | Shape::FlowPair => self.flow_step()?,
            }
        }
        self.end_of_document()
    }

    /// The text after the document is not read, but its first token must be valid.
    fn end_of_document(&mut self) -> Outcome<()> {
        self.tree.root = self.done.pop();
        let next = self.look()?;
        match self.read_ahead(next)? {
            Some(key) if key.offset < next.spot.offset => {
                Err(Fault::structural("did not find expected key", next.spot))
            }
            _ => Ok(()),
        }
    }

    fn directives(&mut self) -> Outcome<Look> {
        let mut has_version = false;
        loop {
            let next = self.look()?;
            if next.sign != Sign::Directive {
                return Ok(next);
            }
            self.fresh = false;
            match properties::directive(&mut self.cursor)? {
                Directive::Version(..) if has_version => {
                    return Err(Fault::structural("found duplicate %YAML directive", next.spot));
                }
                Directive::Version(1, 1) => has_version = true,
                Directive::Version(..) => {
                    return Err(Fault::structural("found incompatible YAML document", next.spot));
                }
                Directive::Tag { handle, .. } if self.handles.iter().any(|(known, _)| *known == handle) => {
                    return Err(Fault::structural("found duplicate %TAG directive", next.spot));
                }
                Directive::Tag { handle, prefix } => self.handles.push((handle, prefix)),
            }
        }
    }

    /// Moves to the next content and recognizes its token.
    pub(super) fn look(&mut self) -> Outcome<Look> {
        self.look_for_colon()?.allowed(self.in_flow > 0)
    }

    /// Like `look`, where a colon may turn the text before it into a key.
    pub(super) fn look_for_colon(&mut self) -> Outcome<Look> {
        self.cursor.skip_to_content(self.in_flow > 0, &mut self.fresh);
        if self.in_flow > 0 && self.has_lost_key() {
            self.read_ahead(self.here())?;
            self.key_start = None;
        }
        look::look(&self.cursor, self.in_flow > 0, self.fresh)
    }

    /// Are we in brackets that must be a key, but on a later line?
    fn has_lost_key(&self) -> bool {
        let lost = |start: Spot| start.line != self.cursor.line && i64::from(start.column) == self.key_indent;
        self.key_start.is_some_and(lost)
    }

    /// This position, whatever is here.
    pub(super) fn here(&self) -> Look {
        Look {
            sign: Sign::Plain,
            spot: self.cursor.spot(),
            fresh: self.fresh,
        }
    }

    /// The error that upstream reports when `next` is not allowed: it scans to the end of a possible key
    /// before it checks the structure, so lexical errors there come first.
    #[cold]
    pub(super) fn complain(&mut self, next: Look, message: &'static str) -> Box<Fault> {
        match self.read_ahead(next) {
            Err(fault) => fault,
            Ok(Some(key)) if self.in_flow == 0 && key.offset < next.spot.offset => {
                Fault::structural("did not find expected key", next.spot)
            }
            Ok(_) => Fault::structural(message, next.spot),
        }
    }

    /// The tag that was read here, if its handle is known.
    pub(super) fn resolve(&self, spelled: &properties::Spelled<'_>) -> Option<Tag> {
        let known = self.handles.iter().find(|(handle, _)| *handle == spelled.handle);
        let prefix = match (known, spelled.handle) {
            (Some((_, prefix)), _) => prefix.as_str(),
            (None, "") => "",
            (None, "!") => "!",
            (None, "!!") => "tag:yaml.org,2002:",
            (None, _) => return None,
        };
        Some(Tag::named(&format!("{prefix}{}", spelled.suffix)))
    }

    /// Registers the anchor of a node that begins.
    pub(super) fn register(&mut self, name: Option<&'a str>) -> Option<u32> {
        let name = name?;
        let anchor = self.tree.anchors.len() as u32;
        self.tree.anchors.push(Anchor { name, node: None });
        self.anchors.insert(name, anchor);
        Some(anchor)
    }

    /// Stores a finished node.
    pub(super) fn store(&mut self, node: Node<'a>) -> u32 {
        let id = self.tree.nodes.len() as u32;
        let (arena, nodes) = (self.arena, self.tree.nodes.len());
        self.pace
            .step(|| arena.allocated_bytes() + nodes * size_of::<Node<'a>>());
        if let Some(anchor) = node.anchor {
            self.tree.anchors[anchor as usize].node = Some(id);
        }
        self.last_end = self.last_end.max(node.end as usize);
        self.tree.nodes.push(node);
        id
    }

    /// Stores a scalar with the properties of `own`.
    pub(super) fn scalar(
        &mut self,
        text: &'a str,
        plain: bool,
        start: Spot,
        end: usize,
        own: Properties<'a>,
    ) -> u32 {
        self.begun += 1;
        let anchor = self.register(own.anchor);
        self.store(Node {
            kind: Kind::Scalar { text, plain },
            tag: own.tag.unwrap_or_default(),
            start: own.start.unwrap_or(start),
            end: end as u32,
            anchor,
            begun: self.begun,
        })
    }

    /// An absent node.
    pub(super) fn empty(&mut self, spot: Spot) {
        let id = self.scalar("", true, spot, spot.offset as usize, Properties::default());
        self.done.push(id);
    }

    /// Opens a container. The top `taken` of the finished nodes are its first children.
    pub(super) fn open(&mut self, shape: Shape, start: Spot, lead: Lead<'a>, taken: usize) -> Outcome<()> {
        let outer_indent = self.indent;
        match shape {
            Shape::BlockSeq | Shape::BlockMap => {
                self.blocks += 1;
                self.indent = i64::from(start.column);
            }
            Shape::FlowSeq | Shape::FlowMap => self.in_flow += 1,
            Shape::LevelSeq | Shape::FlowPair => {}
        }
        if self.blocks > self.max_depth || self.in_flow > self.max_depth {
            return Err(self.too_deep(start));
        }
        self.begun += 1;
        let anchor = self.register(lead.own.anchor);
        self.frames.push(Frame {
            shape,
            phase: Phase::Item,
            base: self.done.len() - taken,
            start: lead.own.start.unwrap_or(start),
            item: start,
            outer_indent,
            lead,
            tag: lead.own.tag.unwrap_or_default(),
            anchor,
            begun: self.begun,
        });
        Ok(())
    }

    fn too_deep(&self, start: Spot) -> Box<Fault> {
        let message = format!("exceeded max depth of {}", self.max_depth);
        Fault::new(super::error::Family::Lexical, message, start)
    }

    /// Closes the innermost container, whose last character is at `end`, and returns its node and frame.
    pub(super) fn close(&mut self, end: usize) -> Option<(u32, Frame<'a>)> {
        let frame = self.frames.pop()?;
        match frame.shape {
            Shape::BlockSeq | Shape::BlockMap => self.blocks -= 1,
            Shape::FlowSeq | Shape::FlowMap => self.in_flow = self.in_flow.saturating_sub(1),
            Shape::LevelSeq | Shape::FlowPair => {}
        }
        self.indent = frame.outer_indent;
        let first = self.tree.children.len() as u32;
        self.tree.children.extend(self.done.drain(frame.base..));
        let len = self.tree.children.len() as u32 - first;
        let kind = match frame.shape {
            Shape::BlockSeq | Shape::LevelSeq | Shape::FlowSeq => Kind::Seq { first, len },
            Shape::BlockMap | Shape::FlowMap | Shape::FlowPair => Kind::Map { first, len },
        };
        let id = self.store(Node {
            kind,
            tag: frame.tag,
            start: frame.start,
            end: end as u32,
            anchor: frame.anchor,
            begun: frame.begun,
        });
        Some((id, frame))
    }
}
