//! Reading numbers and booleans as Go's `strconv` does, with its error texts. Writing floats is in
//! [`crate::float`], quoted strings in [`crate::quote`].

mod float;
mod int;

use std::fmt;

use crate::quote;
pub use float::{parse_f32, parse_f64};
pub use int::{atoi, parse_int, parse_uint};

/// Why a number was rejected; prints as Go's `strconv.NumError`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumError {
    /// The Go function that reports the error, such as `ParseInt`.
    pub function: &'static str,
    /// The text that was read.
    pub text: String,
    /// The kind of error.
    pub reason: Reason,
}

/// The reasons of a [`NumError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The text is not a number of this kind.
    Syntax,
    /// The number does not fit.
    Range,
    /// The caller gave an invalid base.
    Base(u32),
    /// The caller gave an invalid width.
    BitSize(u32),
}

impl NumError {
    fn new(function: &'static str, text: &str, reason: Reason) -> Self {
        NumError {
            function,
            text: text.to_owned(),
            reason,
        }
    }
}

impl fmt::Display for NumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "strconv.{}: parsing {}: {}",
            self.function,
            quote::quote(&self.text),
            self.reason
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Syntax => f.write_str("invalid syntax"),
            Reason::Range => f.write_str("value out of range"),
            Reason::Base(base) => write!(f, "invalid base {base}"),
            Reason::BitSize(bits) => write!(f, "invalid bit size {bits}"),
        }
    }
}

impl std::error::Error for NumError {}

/// Reads a boolean (`strconv.ParseBool`).
pub fn parse_bool(text: &str) -> Result<bool, NumError> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(NumError::new("ParseBool", text, Reason::Syntax)),
    }
}

/// Reports whether underscores are only where Go allows them: between digits or after a base prefix.
fn underscores_are_fine(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text).as_bytes();
    let (digits, hex, mut last) = match unsigned {
        [b'0', b'b' | b'B' | b'o' | b'O', rest @ ..] => (rest, false, b'0'),
        [b'0', b'x' | b'X', rest @ ..] => (rest, true, b'0'),
        _ => (unsigned, false, b'^'),
    };
    for &byte in digits {
        let kind = match byte {
            b'0'..=b'9' => b'0',
            b'a'..=b'f' | b'A'..=b'F' if hex => b'0',
            b'_' if last == b'0' => b'_',
            b'_' => return false,
            _ if last == b'_' => return false,
            _ => b'!',
        };
        last = kind;
    }
    last != b'_'
}
