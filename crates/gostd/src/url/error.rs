//! Errors in URLs, with Go's messages.

use std::fmt;

use crate::ip::ParseAddrError;
use crate::quote::{quote, quote_bytes};

/// Why a text is not a URL; prints as Go's `url.Error`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseUrlError {
    text: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Text(&'static str),
    /// A percent sign without two hexadecimal digits, or with two that are not allowed there.
    Escape(Vec<u8>),
    /// A character that is not allowed in hosts.
    Host(char),
    Port(String),
    Address(ParseAddrError),
}

impl ParseUrlError {
    pub(super) fn new(text: &str, problem: Problem) -> Self {
        ParseUrlError {
            text: text.to_owned(),
            problem,
        }
    }
}

impl fmt::Display for ParseUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "parse {}: ", quote(&self.text))?;
        match &self.problem {
            Problem::Text(text) => f.write_str(text),
            Problem::Escape(bytes) => write!(f, "invalid URL escape {}", quote_bytes(bytes)),
            Problem::Host(c) => write!(f, "invalid character {} in host name", quote(&c.to_string())),
            Problem::Port(port) => write!(f, "invalid port {} after host", quote(port)),
            Problem::Address(error) => write!(f, "invalid host: {error}"),
        }
    }
}

impl std::error::Error for ParseUrlError {}
