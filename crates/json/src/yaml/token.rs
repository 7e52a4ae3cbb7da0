//! YAML tokens.

use std::borrow::Cow;

use super::cursor::Mark;

#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) start: Mark,
    pub(super) end: Mark,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'t> {
    StreamEnd,
    Version { major: u8, minor: u8 },
    TagDirective { handle: &'t str, prefix: Cow<'t, str> },
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(&'t str),
    Anchor(&'t str),
    Tag { handle: &'t str, suffix: Cow<'t, str> },
    Scalar { text: Cow<'t, str>, plain: bool },
}
