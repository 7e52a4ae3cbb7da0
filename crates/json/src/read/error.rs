//! Syntax errors with the messages of Go's encoding/json (scanner.go), and their place.

use std::fmt;

use crate::location::line_column;

/// A text that is not JSON, or exceeds the limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The kind of error.
    pub kind: ReadErrorKind,
    /// The wrong byte; `None` at the end of the text.
    pub byte: Option<u8>,
    /// The byte offset of the place, from 0.
    pub offset: usize,
    /// The line of the place, from 1.
    pub line: usize,
    /// The column of the place in characters, from 1.
    pub column: usize,
    // The literal of a number out of range.
    literal: Box<str>,
}

/// Kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// An unexpected byte; the text is Go's context, e.g. `looking for beginning of value`.
    InvalidCharacter(&'static str),
    /// A number outside the range of `float64`.
    NumberOutOfRange,
    /// More bytes than the limit.
    TooLong,
}

/// A `ReadError` before line and column are known.
pub(super) struct Fault {
    pub(super) kind: ReadErrorKind,
    pub(super) offset: usize,
}

impl Fault {
    /// An unexpected byte, or the end of the text.
    #[cold]
    pub(super) fn unexpected(byte: Option<u8>, offset: usize, context: &'static str) -> Fault {
        let kind = match byte {
            Some(_) => ReadErrorKind::InvalidCharacter(context),
            None => ReadErrorKind::UnexpectedEnd,
        };
        Fault { kind, offset }
    }

    /// An unexpected byte inside a literal; Go treats the end of the text as a space there.
    #[cold]
    pub(super) fn invalid(offset: usize, context: &'static str) -> Fault {
        Fault {
            kind: ReadErrorKind::InvalidCharacter(context),
            offset,
        }
    }
}

impl ReadError {
    pub(crate) fn at(text: &[u8], offset: usize, kind: ReadErrorKind) -> Self {
        let rest = text.get(offset..).unwrap_or_default();
        let (line, column) = line_column(text, offset);
        let literal = match kind {
            ReadErrorKind::NumberOutOfRange => number_literal(rest),
            _ => String::new(),
        };
        ReadError {
            kind,
            byte: rest.first().copied(),
            offset,
            line,
            column,
            literal: literal.into(),
        }
    }
}

impl ReadError {
    /// The offset as in Go's `SyntaxError.Offset`: bytes read, including the wrong one.
    #[must_use]
    pub fn go_offset(&self) -> usize {
        self.offset + usize::from(self.byte.is_some())
    }
}

fn number_literal(text: &[u8]) -> String {
    let is_part = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    text.iter()
        .take_while(is_part)
        .map(|&byte| char::from(byte))
        .collect()
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ReadErrorKind::UnexpectedEnd => out.write_str("unexpected end of JSON input"),
            ReadErrorKind::InvalidCharacter(context) => {
                write!(
                    out,
                    "invalid character {} {context}",
                    Quoted(self.byte.unwrap_or(b' '))
                )
            }
            ReadErrorKind::NumberOutOfRange => {
                write!(
                    out,
                    "json: cannot unmarshal number {} into Go value of type float64",
                    self.literal
                )
            }
            ReadErrorKind::TooLong => out.write_str("text is too long"),
        }
    }
}

impl std::error::Error for ReadError {}

/// A byte, quoted like Go quotes a rune of that number (`quoteChar` in scanner.go).
struct Quoted(u8);

impl fmt::Display for Quoted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            b'\'' => out.write_str(r"'\''"),
            b'"' => out.write_str("'\"'"),
            byte => {
                let quoted = crate::write::go_quote(char::from(byte).encode_utf8(&mut [0; 4]));
                write!(out, "'{}'", &quoted[1..quoted.len() - 1])
            }
        }
    }
}
