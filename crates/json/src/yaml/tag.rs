//! Anchors, aliases, tags and directives.

use std::borrow::Cow;

use super::error::Problem;
use super::scanner::Scanner;
use super::token::TokenKind;

impl<'t> Scanner<'t> {
    /// Reads `&name` or `*name`.
    pub(super) fn anchor(&mut self) -> Result<TokenKind<'t>, Problem> {
        let is_alias = self.cursor.is(b'*');
        self.cursor.skip();
        let name = self.word();
        let ended = self.cursor.is_space_or_end(0)
            || matches!(
                self.cursor.byte(0),
                Some(b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`')
            );
        if name.is_empty() || !ended {
            return Err(self.problem("did not find expected alphabetic or numeric character"));
        }
        Ok(if is_alias {
            TokenKind::Alias(name)
        } else {
            TokenKind::Anchor(name)
        })
    }

    fn word(&mut self) -> &'t str {
        let from = self.cursor.mark.offset;
        while self.cursor.is_word() {
            self.cursor.skip();
        }
        self.cursor.slice(from, self.cursor.mark.offset)
    }

    /// Reads `!`, `!suffix`, `!handle!suffix` or `!<uri>`.
    pub(super) fn tag(&mut self) -> Result<TokenKind<'t>, Problem> {
        let (handle, suffix) = if self.cursor.byte(1) == Some(b'<') {
            self.cursor.skip_ascii(2);
            let uri = self.uri("", false)?;
            if !self.cursor.is(b'>') {
                return Err(self.problem("did not find the expected '>'"));
            }
            self.cursor.skip();
            ("", uri)
        } else {
            let handle = self.tag_handle(false)?;
            if handle.len() > 1 && handle.ends_with('!') {
                (handle, self.uri("", false)?)
            } else {
                match self.uri(&handle[1..], true)? {
                    // A lone `!` stands for itself.
                    suffix if suffix.is_empty() => ("", Cow::Borrowed("!")),
                    suffix => ("!", suffix),
                }
            }
        };
        if !self.cursor.is_space_or_end(0) {
            return Err(self.problem("did not find expected whitespace or line break"));
        }
        Ok(TokenKind::Tag { handle, suffix })
    }

    fn tag_handle(&mut self, directive: bool) -> Result<&'t str, Problem> {
        if !self.cursor.is(b'!') {
            return Err(self.problem("did not find expected '!'"));
        }
        let from = self.cursor.mark.offset;
        self.cursor.skip();
        let name = self.word();
        if self.cursor.is(b'!') {
            self.cursor.skip();
        } else if directive && !name.is_empty() {
            return Err(self.problem("did not find expected '!'"));
        }
        Ok(self.cursor.slice(from, self.cursor.mark.offset))
    }

    /// Reads a URI that begins with `head`.
    fn uri(&mut self, head: &str, may_be_empty: bool) -> Result<Cow<'t, str>, Problem> {
        let mut uri = head.as_bytes().to_vec();
        let start = self.cursor.mark.offset;
        while let Some(byte) = self.cursor.byte(0) {
            if byte == b'%' {
                self.uri_escape(&mut uri)?;
            } else if self.cursor.is_word() || b";/?:@&=+$,.!~*'()[]".contains(&byte) {
                uri.push(byte);
                self.cursor.skip();
            } else {
                break;
            }
        }
        if self.cursor.mark.offset == start && !may_be_empty {
            return Err(self.problem("did not find expected tag URI"));
        }
        Ok(String::from_utf8_lossy(&uri).into_owned().into())
    }

    /// Reads the escaped bytes of one character.
    fn uri_escape(&mut self, uri: &mut Vec<u8>) -> Result<(), Problem> {
        let mut left = 1;
        let mut first = true;
        while left > 0 {
            let digit = |ahead| {
                self.cursor
                    .byte(ahead)
                    .and_then(|byte| char::from(byte).to_digit(16))
            };
            let octet = match (self.cursor.byte(0), digit(1), digit(2)) {
                (Some(b'%'), Some(high), Some(low)) => (high * 16 + low) as u8,
                _ => return Err(self.problem("did not find URI escaped octet")),
            };
            if first {
                left = match octet.leading_ones() {
                    0 => 1,
                    length @ 2..=4 => length,
                    _ => return Err(self.problem("found an incorrect leading UTF-8 octet")),
                };
                first = false;
            } else if octet & 0xc0 != 0x80 {
                return Err(self.problem("found an incorrect trailing UTF-8 octet"));
            }
            uri.push(octet);
            self.cursor.skip_ascii(3);
            left -= 1;
        }
        Ok(())
    }

    /// Reads `%YAML 1.1` or `%TAG ! prefix` with the rest of the line.
    pub(super) fn scan_directive(&mut self) -> Result<TokenKind<'t>, Problem> {
        self.cursor.skip();
        let name = self.word();
        if name.is_empty() {
            return Err(self.problem("could not find expected directive name"));
        }
        if !self.cursor.is_space_or_end(0) {
            return Err(self.problem("found unexpected non-alphabetical character"));
        }
        let kind = match name {
            "YAML" => self.version()?,
            "TAG" => self.tag_directive()?,
            _ => return Err(self.problem("found unknown directive name")),
        };
        self.cursor.skip_blanks();
        self.cursor.skip_comment();
        if !self.cursor.is_break_or_end(0) {
            return Err(self.problem("did not find expected comment or line break"));
        }
        self.cursor.read_break();
        Ok(kind)
    }

    fn version(&mut self) -> Result<TokenKind<'t>, Problem> {
        self.cursor.skip_blanks();
        let major = self.version_number()?;
        if !self.cursor.is(b'.') {
            return Err(self.problem("did not find expected digit or '.' character"));
        }
        self.cursor.skip();
        Ok(TokenKind::Version {
            major,
            minor: self.version_number()?,
        })
    }

    fn version_number(&mut self) -> Result<u8, Problem> {
        let (mut number, mut length) = (0, 0);
        while let Some(digit @ b'0'..=b'9') = self.cursor.byte(0) {
            length += 1;
            if length > 2 {
                return Err(self.problem("found extremely long version number"));
            }
            number = number * 10 + (digit - b'0');
            self.cursor.skip();
        }
        if length == 0 {
            return Err(self.problem("did not find expected version number"));
        }
        Ok(number)
    }

    fn tag_directive(&mut self) -> Result<TokenKind<'t>, Problem> {
        self.cursor.skip_blanks();
        let handle = self.tag_handle(true)?;
        if !self.cursor.is_blank(0) {
            return Err(self.problem("did not find expected whitespace"));
        }
        self.cursor.skip_blanks();
        let prefix = self.uri("", false)?;
        if !self.cursor.is_space_or_end(0) {
            return Err(self.problem("did not find expected whitespace or line break"));
        }
        Ok(TokenKind::TagDirective { handle, prefix })
    }
}
