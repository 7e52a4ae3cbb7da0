//! Reads JSON text as sigs.k8s.io/json does: same values, same duplicate-field reports, same error texts.
//!
//! Knows nothing of schemas; YAML is read elsewhere.

mod error;
mod literal;
mod number;
mod parser;
mod string;
mod utf8;

pub use error::{ReadError, ReadErrorKind};
pub(crate) use utf8::repair;

use crate::path::{PathBuf, Step};
use crate::{Arena, Value};

/// How text is read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The most arrays and objects inside each other. Go's encoding/json stops at 10000.
    pub max_depth: usize,
    /// The most bytes of text; more is refused without looking.
    pub max_bytes: usize,
    /// What becomes of integers between `i64::MAX` and `u64::MAX`.
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

/// What becomes of integers that fit `u64` but not `i64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BigIntegers {
    /// The nearest float, as Kubernetes keeps untyped data.
    Float,
    /// [`Value::Uint`], so that a decode into a Go `uint64` is exact. For a decode into a Go `float64`, `-0` keeps
    /// its sign and is a float.
    Exact,
}

/// What reading gave.
#[derive(Clone, Debug)]
pub struct Read<'a> {
    /// The value; of repeated keys the last one counts, in the place of the first.
    pub value: Value<'a>,
    /// Repeated keys in document order, each path once, at most 100.
    pub duplicates: Vec<Duplicate>,
}

/// A key that was there before in the same object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The path of the field; every step of an object is a field, as sigs.k8s.io/json prints it.
    pub path: PathBuf,
    /// The byte offset of the repeated key's opening quote.
    pub offset: usize,
}

impl std::fmt::Display for Duplicate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "duplicate field {}",
            crate::write::go_quote(&self.printed_path())
        )
    }
}

impl Duplicate {
    /// The path as sigs.k8s.io/json prints it. Unlike in a field path, an empty key is just empty.
    fn printed_path(&self) -> String {
        let mut printed = String::new();
        for (position, step) in self.path.steps().iter().enumerate() {
            match step {
                Step::Index(index) => printed.push_str(&format!("[{index}]")),
                Step::Field(key) | Step::Key(key) => {
                    printed.push_str(if position > 0 { "." } else { "" });
                    printed.push_str(key);
                }
            }
        }
        printed
    }
}

/// Reads one JSON value, repeated keys ignored.
pub fn parse<'a>(arena: &'a Arena, text: &'a [u8]) -> Result<Value<'a>, ReadError> {
    read(arena, text, Options::default()).map(|read| read.value)
}

/// Reads one JSON value from a string, repeated keys ignored.
pub fn parse_str<'a>(arena: &'a Arena, text: &'a str) -> Result<Value<'a>, ReadError> {
    parse(arena, text.as_bytes())
}

/// Reads one JSON value and reports repeated keys.
///
/// Bytes in strings that are not UTF-8 become U+FFFD, one for each, and so do lone surrogates, as in Go.
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

/// What a well-formed number literal is worth.
pub(crate) fn number_literal(literal: &str, big_integers: BigIntegers) -> Value<'static> {
    number::number(literal, 0, big_integers).map_or(Value::Null, |(value, _)| value)
}
