//! Reads JSON text like sigs.k8s.io/json: same values, same reports of duplicate fields, same error messages.
//!
//! Knows no schemas; YAML is read elsewhere.

mod error;
mod literal;
mod number;
mod parser;
mod readable;
pub(crate) mod string;
mod utf8;

pub use error::{ReadError, ReadErrorKind};
pub(crate) use utf8::repair;

use crate::path::PathBuf;
use crate::{Arena, Value};

/// Options for reading.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The maximum nesting of arrays and objects. Go's encoding/json stops at 10000.
    pub max_depth: usize,
    /// The maximum length in bytes; longer texts are rejected unread.
    pub max_bytes: usize,
    /// How integers between `i64::MAX` and `u64::MAX` are handled.
    pub big_integers: BigIntegers,
}

impl Options {
    /// Sets [`Options::max_depth`].
    #[must_use]
    pub fn max_depth(self, max_depth: usize) -> Self {
        Options { max_depth, ..self }
    }

    /// Sets [`Options::max_bytes`].
    #[must_use]
    pub fn max_bytes(self, max_bytes: usize) -> Self {
        Options { max_bytes, ..self }
    }

    /// Sets [`Options::big_integers`].
    #[must_use]
    pub fn big_integers(self, big_integers: BigIntegers) -> Self {
        Options { big_integers, ..self }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_depth: 10_000,
            max_bytes: u32::MAX as usize,
            big_integers: BigIntegers::Float,
        }
    }
}

/// How integers that fit `u64` but not `i64` are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BigIntegers {
    /// As the nearest float, like Kubernetes' untyped data.
    Float,
    /// As [`Value::Uint`], so that decoding into a Go `uint64` is exact. For decoding into a Go `float64`,
    /// `-0` keeps its sign and is a float.
    Exact,
}

/// The result of reading.
#[derive(Clone, Debug)]
pub struct Read<'a> {
    /// The value; if a key is repeated, the last value counts, at the position of the first.
    pub value: Value<'a>,
    /// Repeated keys in document order, each path once, at most 100.
    pub duplicates: Vec<Duplicate>,
}

/// A repeated key in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The path of the field; every step into an object is a field, as sigs.k8s.io/json prints it.
    pub path: PathBuf,
    /// The byte offset of the repeated key's opening quote.
    pub offset: usize,
}

impl std::fmt::Display for Duplicate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "duplicate field {}",
            crate::write::go_quote(&self.path.dotted())
        )
    }
}

/// Reads one JSON value, ignoring repeated keys.
pub fn parse<'a>(arena: &'a Arena, text: &'a [u8]) -> Result<Value<'a>, ReadError> {
    read(arena, text, Options::default()).map(|read| read.value)
}

/// Reads one JSON value from a string, ignoring repeated keys.
pub fn parse_str<'a>(arena: &'a Arena, text: &'a str) -> Result<Value<'a>, ReadError> {
    parse(arena, text.as_bytes())
}

/// Reads one JSON value and reports repeated keys.
///
/// Each byte in a string that is not UTF-8 becomes U+FFFD, and so does each lone surrogate, as in Go.
pub fn read<'a>(arena: &'a Arena, text: &'a [u8], options: Options) -> Result<Read<'a>, ReadError> {
    if text.len() > options.max_bytes.min(u32::MAX as usize) {
        return Err(ReadError::at(text, 0, ReadErrorKind::TooLong));
    }
    match std::str::from_utf8(text) {
        Ok(clean) => parser::parse(arena, clean, options)
            .map_err(|fault| ReadError::at(text, fault.offset, fault.kind)),
        Err(_) => {
            let repaired = arena.alloc_str(&utf8::repair(text));
            let original = |offset| utf8::original_offset(text, offset);
            let mut read = parser::parse(arena, repaired, options)
                .map_err(|fault| ReadError::at(text, original(fault.offset), fault.kind))?;
            for duplicate in &mut read.duplicates {
                duplicate.offset = original(duplicate.offset);
            }
            Ok(read)
        }
    }
}

/// The value of a well-formed number literal.
pub(crate) fn number_literal(literal: &str, big_integers: BigIntegers) -> Value<'static> {
    number::number(literal, 0, big_integers).map_or(Value::Null, |(value, _)| value)
}
