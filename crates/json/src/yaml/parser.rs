//! Fits tokens together into nodes. Keeps its own stack, so nesting never exhausts the thread's.
//!
//! Accepts and refuses what go.yaml.in/yaml/v2 does, in its words.

use std::borrow::Cow;
use std::collections::HashMap;

use super::cursor::Mark;
use super::error::Problem;
use super::node::{Content, Document, Node, NodeId};
use super::scanner::Scanner;
use super::token::TokenKind;

/// Reads the first document of a stream.
pub(super) fn document(text: &str) -> Result<Document<'_>, Problem> {
    let mut parser = Parser {
        scanner: Scanner::new(text),
        document: Document::default(),
        open: Vec::new(),
        states: Vec::new(),
        anchors: HashMap::new(),
        tag_prefixes: Vec::new(),
    };
    parser.document()?;
    Ok(parser.document)
}

pub(super) struct Parser<'t> {
    pub(super) scanner: Scanner<'t>,
    document: Document<'t>,
    /// Collections that are not closed yet, innermost last.
    open: Vec<NodeId>,
    /// What is expected next, innermost last.
    pub(super) states: Vec<State>,
    anchors: HashMap<&'t str, NodeId>,
    tag_prefixes: Vec<(&'t str, Cow<'t, str>)>,
}

#[derive(Clone, Copy)]
pub(super) enum State {
    BlockEntry,
    /// An entry of a sequence that is not further in than the key it belongs to.
    IndentlessEntry,
    BlockKey,
    BlockValue,
    FlowFirstEntry,
    FlowEntry,
    /// The key of a single pair in a flow sequence: `[a: 1]`.
    PairKey,
    PairValue,
    PairEnd,
    FlowFirstKey,
    FlowKey,
    FlowValue,
    /// The value of a flow key without `:`.
    FlowNoValue,
}

/// What a node may be where it stands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Flow,
    Block,
    /// A block node that may be an indentless sequence.
    BlockInMapping,
}

impl<'t> Parser<'t> {
    fn document(&mut self) -> Result<(), Problem> {
        let explicit = match self.scanner.peek()?.kind {
            TokenKind::StreamEnd => return Ok(()),
            TokenKind::Version { .. } | TokenKind::TagDirective { .. } | TokenKind::DocumentStart => true,
            _ => false,
        };
        self.directives()?;
        if explicit {
            let token = self.scanner.take()?;
            if token.kind != TokenKind::DocumentStart {
                return Err(Problem::parsing(
                    "did not find expected <document start>",
                    token.start,
                ));
            }
        }
        self.content(explicit)?;
        while let Some(state) = self.states.pop() {
            self.step(state)?;
        }
        // The token behind the document must be one, even if nobody asks for it.
        self.scanner.peek()?;
        Ok(())
    }

    fn content(&mut self, explicit: bool) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let start = token.start;
        let ends = matches!(
            token.kind,
            TokenKind::Version { .. }
                | TokenKind::TagDirective { .. }
                | TokenKind::DocumentStart
                | TokenKind::DocumentEnd
                | TokenKind::StreamEnd
        );
        if explicit && ends {
            self.empty(start);
            return Ok(());
        }
        self.node(Place::Block)
    }

    fn directives(&mut self) -> Result<(), Problem> {
        let mut version_seen = false;
        loop {
            let start = self.scanner.peek()?.start;
            match &self.scanner.peek()?.kind {
                TokenKind::Version { major, minor } => {
                    if version_seen {
                        return Err(Problem::parsing("found duplicate %YAML directive", start));
                    }
                    if (*major, *minor) != (1, 1) {
                        return Err(Problem::parsing("found incompatible YAML document", start));
                    }
                    version_seen = true;
                }
                TokenKind::TagDirective { handle, prefix } => {
                    if self.tag_prefixes.iter().any(|(known, _)| known == handle) {
                        return Err(Problem::parsing("found duplicate %TAG directive", start));
                    }
                    self.tag_prefixes.push((handle, prefix.clone()));
                }
                _ => break,
            }
            self.scanner.take()?;
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            if self.tag_prefixes.iter().all(|(known, _)| *known != handle) {
                self.tag_prefixes.push((handle, prefix.into()));
            }
        }
        Ok(())
    }

    fn step(&mut self, state: State) -> Result<(), Problem> {
        match state {
            State::BlockEntry => self.block_entry(),
            State::IndentlessEntry => self.indentless_entry(),
            State::BlockKey => self.block_key(),
            State::BlockValue => self.block_value(),
            State::FlowFirstEntry => self.flow_entry(true),
            State::FlowEntry => self.flow_entry(false),
            State::PairKey => self.pair_key(),
            State::PairValue => self.pair_value(),
            State::PairEnd => self.pair_end(),
            State::FlowFirstKey => self.flow_key(true),
            State::FlowKey => self.flow_key(false),
            State::FlowValue => self.flow_value(),
            State::FlowNoValue => {
                self.states.push(State::FlowKey);
                let start = self.scanner.peek()?.start;
                self.empty(start);
                Ok(())
            }
        }
    }

    pub(super) fn node(&mut self, place: Place) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let start = token.start;
        if let TokenKind::Alias(name) = token.kind {
            return self.alias(name);
        }
        let properties = self.properties()?;
        let token = self.scanner.peek()?;
        let block = place != Place::Flow;
        let (content, state) = match &token.kind {
            TokenKind::BlockEntry if place == Place::BlockInMapping => {
                (Content::Sequence(Vec::new()), State::IndentlessEntry)
            }
            TokenKind::Scalar { .. } => return self.scalar(properties, start),
            TokenKind::FlowSequenceStart => (Content::Sequence(Vec::new()), State::FlowFirstEntry),
            TokenKind::FlowMappingStart => (Content::Mapping(Vec::new()), State::FlowFirstKey),
            TokenKind::BlockSequenceStart if block => (Content::Sequence(Vec::new()), State::BlockEntry),
            TokenKind::BlockMappingStart if block => (Content::Mapping(Vec::new()), State::BlockKey),
            _ if properties.anchor.is_some() || !properties.tag.is_empty() => {
                let implicit = properties.tag.is_empty();
                let content = Content::Scalar {
                    text: "".into(),
                    tag: properties.tag,
                    implicit,
                };
                let end = token.start;
                self.add(Node { content, start, end }, properties.anchor);
                return Ok(());
            }
            _ => {
                return Err(Problem::parsing(
                    "did not find expected node content",
                    token.start,
                ));
            }
        };
        if !matches!(state, State::IndentlessEntry) {
            self.scanner.take()?;
        }
        self.open(content, start, properties.anchor, state);
        Ok(())
    }

    fn alias(&mut self, name: &'t str) -> Result<(), Problem> {
        let token = self.scanner.take()?;
        let Some(&target) = self.anchors.get(name) else {
            return Err(Problem::decoding(
                format!("unknown anchor '{name}' referenced"),
                token.start,
            ));
        };
        let content = Content::Alias { name, target };
        self.add(
            Node {
                content,
                start: token.start,
                end: token.end,
            },
            None,
        );
        Ok(())
    }

    /// Reads an anchor and a tag, in either order, at most one of each.
    fn properties(&mut self) -> Result<Properties<'t>, Problem> {
        let (mut anchor, mut tag) = (None, None);
        loop {
            let token = self.scanner.peek()?;
            match &token.kind {
                TokenKind::Anchor(name) if anchor.is_none() => anchor = Some(*name),
                TokenKind::Tag { handle, suffix } if tag.is_none() => {
                    tag = Some((*handle, suffix.clone(), token.start));
                }
                _ => break,
            }
            self.scanner.take()?;
        }
        // A tag is looked up only once the token behind it proved well-formed.
        let tag = match tag {
            Some((handle, suffix, mark)) => self.full_tag(handle, suffix, mark)?,
            None => Cow::Borrowed(""),
        };
        Ok(Properties { anchor, tag })
    }

    fn full_tag(&self, handle: &str, suffix: Cow<'t, str>, mark: Mark) -> Result<Cow<'t, str>, Problem> {
        if handle.is_empty() {
            return Ok(suffix);
        }
        let prefix = self.tag_prefixes.iter().find(|(known, _)| *known == handle);
        match prefix {
            Some((_, prefix)) if !(prefix.is_empty() && suffix.is_empty()) => {
                Ok(format!("{prefix}{suffix}").into())
            }
            _ => Err(Problem::parsing("found undefined tag handle", mark)),
        }
    }

    fn scalar(&mut self, properties: Properties<'t>, start: Mark) -> Result<(), Problem> {
        let token = self.scanner.take()?;
        if let TokenKind::Scalar { text, plain } = token.kind {
            let implicit = (properties.tag.is_empty() && plain) || properties.tag == "!";
            let content = Content::Scalar {
                text,
                tag: properties.tag,
                implicit,
            };
            self.add(
                Node {
                    content,
                    start,
                    end: token.end,
                },
                properties.anchor,
            );
        }
        Ok(())
    }

    pub(super) fn empty(&mut self, mark: Mark) {
        let content = Content::Scalar {
            text: "".into(),
            tag: "".into(),
            implicit: true,
        };
        self.add(
            Node {
                content,
                start: mark,
                end: mark,
            },
            None,
        );
    }

    pub(super) fn open(&mut self, content: Content<'t>, start: Mark, anchor: Option<&'t str>, state: State) {
        let id = self.add(
            Node {
                content,
                start,
                end: start,
            },
            anchor,
        );
        self.open.push(id);
        self.states.push(state);
    }

    pub(super) fn close(&mut self, end: Mark) -> Result<(), Problem> {
        if let Some(id) = self.open.pop() {
            self.document.nodes[id].end = end;
        }
        Ok(())
    }

    /// Adds a node to the innermost collection.
    fn add(&mut self, node: Node<'t>, anchor: Option<&'t str>) -> NodeId {
        let id = self.document.nodes.len();
        self.document.nodes.push(node);
        if let Some(name) = anchor {
            self.anchors.insert(name, id);
        }
        match self.open.last() {
            None => self.document.root = Some(id),
            Some(&parent) => {
                if let Content::Sequence(children) | Content::Mapping(children) =
                    &mut self.document.nodes[parent].content
                {
                    children.push(id);
                }
            }
        }
        id
    }
}

struct Properties<'t> {
    anchor: Option<&'t str>,
    tag: Cow<'t, str>,
}
