//! Scalars: plain, quoted and block. Folding and escapes as YAML 1.1 has them.

use std::borrow::Cow;

use super::error::Problem;
use super::scanner::Scanner;
use super::token::TokenKind;

/// Line breaks between two words: the first one may fold into a space.
#[derive(Default)]
struct Breaks {
    first: String,
    more: String,
}

impl Breaks {
    /// Joins what was before and what follows: one newline folds into a space, further ones stay.
    fn fold(&mut self, text: &mut String) {
        if self.first.starts_with('\n') {
            if self.more.is_empty() {
                text.push(' ');
            }
        } else {
            text.push_str(&self.first);
        }
        text.push_str(&self.more);
        self.first.clear();
        self.more.clear();
    }
}

impl<'t> Scanner<'t> {
    pub(super) fn plain(&mut self) -> Result<TokenKind<'t>, Problem> {
        let start = self.cursor.mark.offset;
        let indent = self.indent + 1;
        // Nothing is copied before the second line.
        let mut text: Option<String> = None;
        let (mut word_start, mut end) = (start, start);
        let mut breaks = Breaks::default();
        let mut new_line = false;
        while !self.cursor.is_document_indicator() && !self.cursor.is(b'#') {
            if !self.ends_plain() {
                if new_line {
                    let text = text.get_or_insert_default();
                    text.push_str(self.cursor.slice(word_start, end));
                    breaks.fold(text);
                    word_start = self.cursor.mark.offset;
                    new_line = false;
                }
                while !self.ends_plain() {
                    self.cursor.skip();
                }
                end = self.cursor.mark.offset;
            }
            if !(self.cursor.is_blank(0) || self.cursor.is_break(0)) {
                break;
            }
            new_line = self.plain_space(indent, new_line, &mut breaks)?;
            if !self.in_flow() && (self.cursor.mark.column as isize) < indent {
                break;
            }
        }
        if new_line {
            self.key_allowed = true;
        }
        let last = self.cursor.slice(word_start, end);
        let text = match text {
            None => Cow::Borrowed(last),
            Some(text) => Cow::Owned(text + last),
        };
        Ok(TokenKind::Scalar { text, plain: true })
    }

    /// Moves over white space after a plain word; was or is there a line break?
    fn plain_space(
        &mut self,
        indent: isize,
        mut new_line: bool,
        breaks: &mut Breaks,
    ) -> Result<bool, Problem> {
        loop {
            if self.cursor.is_break(0) {
                let text = self.cursor.read_break();
                if new_line {
                    &mut breaks.more
                } else {
                    &mut breaks.first
                }
                .push_str(text);
                new_line = true;
            } else if self.cursor.is_blank(0) {
                if new_line && (self.cursor.mark.column as isize) < indent && self.cursor.is(b'\t') {
                    return Err(self.problem("found a tab character that violates indentation"));
                }
                self.cursor.skip();
            } else {
                return Ok(new_line);
            }
        }
    }

    /// White space, the end, or an indicator that a plain scalar cannot hold.
    fn ends_plain(&self) -> bool {
        match self.cursor.byte(0) {
            Some(b':') => self.cursor.is_space_or_end(1),
            Some(b',' | b'?' | b'[' | b']' | b'{' | b'}') => self.in_flow(),
            _ => self.cursor.is_space_or_end(0),
        }
    }

    pub(super) fn quoted(&mut self, quote: u8) -> Result<TokenKind<'t>, Problem> {
        self.cursor.skip();
        let mut text = String::new();
        let mut breaks = Breaks::default();
        loop {
            if self.cursor.is_document_indicator() {
                return Err(self.problem("found unexpected document indicator"));
            }
            if self.cursor.at_end() {
                return Err(self.problem("found unexpected end of stream"));
            }
            let escaped_break = self.quoted_word(quote, &mut text)?;
            if self.cursor.is(quote) {
                break;
            }
            self.quoted_space(escaped_break, &mut text, &mut breaks);
        }
        self.cursor.skip();
        Ok(TokenKind::Scalar {
            text: text.into(),
            plain: false,
        })
    }

    /// Reads up to white space or the closing quote; true if it stopped behind an escaped line break.
    fn quoted_word(&mut self, quote: u8, text: &mut String) -> Result<bool, Problem> {
        while !self.cursor.is_space_or_end(0) {
            if self.cursor.is(quote) {
                if quote == b'"' || self.cursor.byte(1) != Some(quote) {
                    return Ok(false);
                }
                text.push('\'');
                self.cursor.skip_ascii(2);
            } else if quote == b'"' && self.cursor.is(b'\\') {
                if self.cursor.is_break(1) {
                    self.cursor.skip();
                    self.cursor.read_break();
                    return Ok(true);
                }
                self.escape(text)?;
            } else {
                self.cursor.read(text);
            }
        }
        Ok(false)
    }

    fn quoted_space(&mut self, mut new_line: bool, text: &mut String, breaks: &mut Breaks) {
        let mut blanks = String::new();
        loop {
            if self.cursor.is_break(0) {
                let read = self.cursor.read_break();
                if new_line {
                    &mut breaks.more
                } else {
                    &mut breaks.first
                }
                .push_str(read);
                new_line = true;
            } else if self.cursor.is_blank(0) {
                self.cursor.read(&mut blanks);
            } else {
                break;
            }
        }
        if new_line {
            breaks.fold(text);
        } else {
            text.push_str(&blanks);
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Problem> {
        let digits = match self.cursor.byte(1) {
            Some(b'x') => 2,
            Some(b'u') => 4,
            Some(b'U') => 8,
            Some(byte) => {
                let character =
                    named_escape(byte).ok_or_else(|| self.problem("found unknown escape character"))?;
                text.push(character);
                self.cursor.skip_ascii(2);
                return Ok(());
            }
            None => return Err(self.problem("found unknown escape character")),
        };
        self.cursor.skip_ascii(2);
        let mut code: u32 = 0;
        for ahead in 0..digits {
            let digit = self
                .cursor
                .byte(ahead)
                .and_then(|byte| char::from(byte).to_digit(16));
            let digit = digit.ok_or_else(|| self.problem("did not find expected hexdecimal number"))?;
            code = (code << 4) | digit;
        }
        let character = char::from_u32(code);
        text.push(character.ok_or_else(|| self.problem("found invalid Unicode character escape code"))?);
        self.cursor.skip_ascii(digits);
        Ok(())
    }

    pub(super) fn scan_block_scalar(&mut self, literal: bool) -> Result<TokenKind<'t>, Problem> {
        self.cursor.skip();
        let (chomping, increment) = self.block_header()?;
        let outer = usize::try_from(self.indent).unwrap_or(0);
        let mut indent = if increment > 0 { outer + increment } else { 0 };
        let mut text = String::new();
        let mut breaks = Breaks::default();
        self.block_breaks(&mut indent, &mut breaks.more)?;
        let mut after_blank = false;
        while self.cursor.mark.column == indent && !self.cursor.at_end() {
            let blank = self.cursor.is_blank(0);
            if literal || after_blank || blank {
                text.push_str(&breaks.first);
                text.push_str(&breaks.more);
                breaks = Breaks::default();
            } else {
                breaks.fold(&mut text);
            }
            after_blank = blank;
            while !self.cursor.is_break_or_end(0) {
                self.cursor.read(&mut text);
            }
            breaks.first.push_str(self.cursor.read_break());
            self.block_breaks(&mut indent, &mut breaks.more)?;
        }
        if chomping != Chomping::Strip {
            text.push_str(&breaks.first);
        }
        if chomping == Chomping::Keep {
            text.push_str(&breaks.more);
        }
        Ok(TokenKind::Scalar {
            text: text.into(),
            plain: false,
        })
    }

    /// Reads what follows `|` or `>` on its line.
    fn block_header(&mut self) -> Result<(Chomping, usize), Problem> {
        let mut chomping = self.chomping();
        let increment = match self.cursor.byte(0) {
            Some(b'0') => return Err(self.problem("found an indentation indicator equal to 0")),
            Some(digit @ b'1'..=b'9') => {
                self.cursor.skip();
                usize::from(digit - b'0')
            }
            _ => 0,
        };
        if chomping == Chomping::Clip && increment > 0 {
            chomping = self.chomping();
        }
        self.cursor.skip_blanks();
        self.cursor.skip_comment();
        if !self.cursor.is_break_or_end(0) {
            return Err(self.problem("did not find expected comment or line break"));
        }
        self.cursor.read_break();
        Ok((chomping, increment))
    }

    fn chomping(&mut self) -> Chomping {
        let chomping = match self.cursor.byte(0) {
            Some(b'+') => Chomping::Keep,
            Some(b'-') => Chomping::Strip,
            _ => return Chomping::Clip,
        };
        self.cursor.skip();
        chomping
    }

    /// Moves over indentation and empty lines; finds out the indentation if it is not known.
    fn block_breaks(&mut self, indent: &mut usize, breaks: &mut String) -> Result<(), Problem> {
        let mut deepest = 0;
        loop {
            let inside = |column: usize, indent: usize| indent == 0 || column < indent;
            while inside(self.cursor.mark.column, *indent) && self.cursor.is(b' ') {
                self.cursor.skip();
            }
            deepest = deepest.max(self.cursor.mark.column);
            if inside(self.cursor.mark.column, *indent) && self.cursor.is(b'\t') {
                return Err(self.problem("found a tab character where an indentation space is expected"));
            }
            if !self.cursor.is_break(0) {
                break;
            }
            breaks.push_str(self.cursor.read_break());
        }
        if *indent == 0 {
            *indent = deepest.max(usize::try_from(self.indent + 1).unwrap_or(0)).max(1);
        }
        Ok(())
    }
}

/// What becomes of the line breaks at the end of a block scalar.
#[derive(Clone, Copy, PartialEq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

fn named_escape(byte: u8) -> Option<char> {
    Some(match byte {
        b'0' => '\0',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\u{b}',
        b'f' => '\u{c}',
        b'r' => '\r',
        b'e' => '\u{1b}',
        b' ' | b'"' | b'\'' | b'\\' => char::from(byte),
        b'N' => '\u{85}',
        b'_' => '\u{a0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
