//! Reads a marker line character by character (gengo `codetags/scanner.go`).
//!
//! Positions are counted twice: in characters for messages, and in bytes for spans.

use std::ops::Range;

use kindsmith_gostd::quote::quote;
use kindsmith_gostd::strconv;

use super::syntax_error::SyntaxError;

/// A position in the text.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Offset of the next character in bytes.
    byte: usize,
    /// Offset of the next character in characters.
    position: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            byte: 0,
            position: 0,
        }
    }

    pub(super) fn byte(&self) -> usize {
        self.byte
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.byte..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.byte += c.len_utf8();
        self.position += 1;
        Some(c)
    }

    pub(super) fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// Whether only blanks are before a `#`.
    pub(super) fn at_comment(&self) -> bool {
        self.rest().trim_start().starts_with('#')
    }

    /// Reads the longest run of matching characters; the caller has checked the first one.
    pub(super) fn ident(&mut self, fits: fn(char) -> bool) -> &'a str {
        let start = self.byte;
        self.next();
        while self.peek().is_some_and(fits) {
            self.next();
        }
        &self.text[start..self.byte]
    }

    /// Reads an integer that fits 64 bits, in any Go notation.
    pub(super) fn number(&mut self) -> Result<&'a str, SyntaxError> {
        let start = self.byte;
        if matches!(self.peek(), Some('+' | '-')) {
            self.next();
        }
        match self.peek() {
            Some('0') => {
                self.next();
                match self.peek() {
                    Some('x' | 'o' | 'b') => self.digits(),
                    Some(c) if is_digit(c) => self.digits(),
                    _ => {}
                }
            }
            Some(c) if is_digit(c) => self.digits(),
            _ => {}
        }
        let text = &self.text[start..self.byte];
        if strconv::parse_int(text, 0, 64).is_err() {
            let message = format!("invalid number {} at position {}", quote(text), self.position);
            return Err(SyntaxError::new(message, start..self.byte));
        }
        Ok(text)
    }

    /// Reads any one character, then digits and hexadecimal letters.
    fn digits(&mut self) {
        self.next();
        while self.peek().is_some_and(|c| is_digit(c) || c.is_ascii_hexdigit()) {
            self.next();
        }
    }

    /// Reads a string in the quotes that come next.
    pub(super) fn string(&mut self) -> Result<String, SyntaxError> {
        let start = self.byte;
        let quote_char = self.next();
        let mut value = String::new();
        loop {
            let at = self.byte;
            match self.next() {
                None => return Err(self.unterminated(start)),
                Some('\\') => match self.peek() {
                    None => return Err(self.unterminated(start)),
                    Some(c) if c == '\\' || Some(c) == quote_char => {
                        value.push(c);
                        self.next();
                    }
                    Some(c) => {
                        let message = format!("unhandled escaped character {}", quote_char_of(c));
                        return Err(SyntaxError::new(message, at..self.byte + c.len_utf8()));
                    }
                },
                c if c == quote_char => return Ok(value),
                Some(c) => value.push(c),
            }
        }
    }

    fn unterminated(&self, start: usize) -> SyntaxError {
        let message = format!("unterminated string at position {}", self.position);
        SyntaxError::new(message, start..self.byte)
    }

    /// The error about the next character.
    pub(super) fn unexpected(&mut self) -> SyntaxError {
        let start = self.byte;
        let c = self.next().unwrap_or('\u{FFFD}');
        let message = format!(
            "unexpected character {} at position {}",
            quote_char_of(c),
            self.position
        );
        SyntaxError::new(message, start..self.byte)
    }

    /// The bytes from `start` to here.
    pub(super) fn since(&self, start: usize) -> Range<usize> {
        start..self.byte
    }
}

/// `%q` of a character.
fn quote_char_of(c: char) -> String {
    match c {
        '\'' => r"'\''".to_owned(),
        '"' => "'\"'".to_owned(),
        _ => {
            let quoted = quote(c.encode_utf8(&mut [0; 4]));
            format!("'{}'", &quoted[1..quoted.len() - 1])
        }
    }
}

/// Go's `unicode.IsLetter`, as far as the standard library distinguishes letters from other alphabetic
/// characters.
pub(super) fn is_ident_begin(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(super) fn is_ident_interior(c: char) -> bool {
    is_ident_begin(c) || is_digit(c) || c == '.' || c == '-'
}

pub(super) fn is_name_interior(c: char) -> bool {
    is_ident_interior(c) || c == ':'
}

pub(super) fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || (!c.is_ascii() && c.is_numeric())
}
