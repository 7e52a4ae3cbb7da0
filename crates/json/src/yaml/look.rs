//! Recognizes tokens by their first characters. Knows no nesting and reads nothing.

use super::cursor::{Cursor, Spot};
use super::error::{Fault, Outcome};

/// The kind of token here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    End,
    DocumentStart,
    DocumentEnd,
    Directive,
    SeqOpen,
    MapOpen,
    SeqClose,
    MapClose,
    Comma,
    Dash,
    Question,
    Colon,
    Alias,
    Anchor,
    Tag,
    BlockScalar,
    Quoted,
    Plain,
}

/// The token at a position, and whether block structure may begin there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub sign: Sign,
    pub spot: Spot,
    pub fresh: bool,
}

impl Look {
    /// Can it be, or begin, a key on one line?
    pub(super) fn is_atom(self) -> bool {
        use Sign::{Alias, Anchor, MapOpen, Plain, Quoted, SeqOpen, Tag};
        matches!(
            self.sign,
            Alias | Anchor | MapOpen | Plain | Quoted | SeqOpen | Tag
        )
    }

    /// Does it end every block?
    pub(super) fn is_outside(self) -> bool {
        use Sign::{Directive, DocumentEnd, DocumentStart, End};
        matches!(self.sign, Directive | DocumentEnd | DocumentStart | End)
    }

    /// Rejects indicators of block structure where it cannot begin.
    pub(super) fn allowed(self, in_flow: bool) -> Outcome<Look> {
        if in_flow || self.fresh {
            return Ok(self);
        }
        let message = match self.sign {
            Sign::Dash => "block sequence entries are not allowed in this context",
            Sign::Question => "mapping keys are not allowed in this context",
            Sign::Colon => "mapping values are not allowed in this context",
            _ => return Ok(self),
        };
        Err(Fault::lexical(message, self.spot))
    }
}

/// Recognizes the token here; white space is already skipped.
pub(super) fn look(cursor: &Cursor<'_>, in_flow: bool, fresh: bool) -> Outcome<Look> {
    let spot = cursor.spot();
    let found = |sign| Ok(Look { sign, spot, fresh });
    if cursor.at_end() {
        return Ok(Look {
            sign: Sign::End,
            spot: cursor.end_spot(),
            fresh,
        });
    }
    if cursor.is_document_mark() {
        let start = cursor.peek(0) == b'-';
        return found(if start {
            Sign::DocumentStart
        } else {
            Sign::DocumentEnd
        });
    }
    found(match cursor.peek(0) {
        b'%' if spot.column == 0 => Sign::Directive,
        b'[' => Sign::SeqOpen,
        b'{' => Sign::MapOpen,
        b']' => Sign::SeqClose,
        b'}' => Sign::MapClose,
        b',' => Sign::Comma,
        b'-' if cursor.is_gap(1) => Sign::Dash,
        b'?' if in_flow || cursor.is_gap(1) => Sign::Question,
        b':' if in_flow || cursor.is_gap(1) => Sign::Colon,
        b'*' => Sign::Alias,
        b'&' => Sign::Anchor,
        b'!' => Sign::Tag,
        b'|' | b'>' if !in_flow => Sign::BlockScalar,
        b'\'' | b'"' => Sign::Quoted,
        b'|' | b'>' | b'%' | b'@' | b'`' | b'#' | b'\t' => {
            return Err(Fault::lexical(
                "found character that cannot start any token",
                spot,
            ));
        }
        _ => Sign::Plain,
    })
}
