//! Scalars in single or double quotes, with their escapes and folded lines.

use super::cursor::Cursor;
use super::error::{Fault, Outcome};
use super::fold::Gap;
use crate::Arena;

/// Reads a scalar whose opening quote is here.
pub(super) fn quoted<'a>(cursor: &mut Cursor<'a>, arena: &'a Arena) -> Outcome<&'a str> {
    let quote = cursor.peek(0);
    cursor.advance(1);
    if let Some(text) = simple(cursor, quote) {
        return Ok(text);
    }
    let mut text = String::new();
    loop {
        if cursor.is_document_mark() {
            return Err(Fault::lexical(
                "found unexpected document indicator",
                cursor.spot(),
            ));
        }
        if cursor.at_end() {
            return Err(Fault::lexical("found unexpected end of stream", cursor.spot()));
        }
        let mut gap = word(cursor, quote, &mut text)?;
        if cursor.peek(0) == quote {
            cursor.advance(1);
            return Ok(arena.alloc_str(&text));
        }
        loop {
            if cursor.break_len(0) > 0 {
                gap.push_break(cursor.line_break());
            } else if cursor.is_blank(0) {
                gap.push_blank(cursor.peek(0));
                cursor.advance(1);
            } else {
                break;
            }
        }
        gap.append_to(&mut text);
    }
}

/// The text if it is on one line and without escapes: then no copy is needed.
fn simple<'a>(cursor: &mut Cursor<'a>, quote: u8) -> Option<&'a str> {
    let rest = &cursor.text[cursor.at..];
    let special = |byte: &u8| *byte == quote || matches!(byte, b'\\' | b'\n' | b'\r' | 0xc2 | 0xe2);
    let len = rest.as_bytes().iter().position(special)?;
    if rest.as_bytes()[len] != quote || rest.as_bytes().get(len + 1) == Some(&b'\'') && quote == b'\'' {
        return None;
    }
    cursor.advance(len + 1);
    Some(&rest[..len])
}

/// Reads up to white space or the closing quote, and returns the gap that begins there.
fn word(cursor: &mut Cursor<'_>, quote: u8, text: &mut String) -> Outcome<Gap> {
    while !cursor.is_gap(0) {
        match cursor.peek(0) {
            b'\'' if quote == b'\'' && cursor.peek(1) == b'\'' => {
                text.push('\'');
                cursor.advance(2);
            }
            byte if byte == quote => break,
            b'\\' if quote == b'"' && cursor.break_len(1) > 0 => {
                cursor.advance(1);
                cursor.line_break();
                return Ok(Gap::joined());
            }
            b'\\' if quote == b'"' => text.push(escape(cursor)?),
            _ => {
                let start = cursor.at;
                match ordinary_len(&cursor.text.as_bytes()[start..]) {
                    0 => cursor.advance_char(),
                    len => cursor.advance(len),
                }
                text.push_str(&cursor.text[start..cursor.at]);
            }
        }
    }
    Ok(Gap::default())
}

/// The length of text that means itself; a single space between words of one line belongs to it.
fn ordinary_len(rest: &[u8]) -> usize {
    let mut len = 0;
    loop {
        len += rest[len..].iter().take_while(|byte| is_ordinary(**byte)).count();
        match rest[len..] {
            [b' ', next, ..] if len > 0 && next.is_ascii_alphanumeric() => len += 2,
            _ => return len,
        }
    }
}

/// Whether a byte ends neither a word nor a line, and escapes nothing.
fn is_ordinary(byte: u8) -> bool {
    !matches!(
        byte,
        b'"' | b'\'' | b'\\' | b' ' | b'\t' | b'\n' | b'\r' | 0xc2 | 0xe2
    )
}

fn escape(cursor: &mut Cursor<'_>) -> Outcome<char> {
    let start = cursor.spot();
    let (character, digits) = match cursor.peek(1) {
        b'0' => ('\0', 0),
        b'a' => ('\u{7}', 0),
        b'b' => ('\u{8}', 0),
        b't' | b'\t' => ('\t', 0),
        b'n' => ('\n', 0),
        b'v' => ('\u{b}', 0),
        b'f' => ('\u{c}', 0),
        b'r' => ('\r', 0),
        b'e' => ('\u{1b}', 0),
        byte @ (b' ' | b'"' | b'\'' | b'\\') => (char::from(byte), 0),
        b'N' => ('\u{85}', 0),
        b'_' => ('\u{a0}', 0),
        b'L' => ('\u{2028}', 0),
        b'P' => ('\u{2029}', 0),
        b'x' => ('\0', 2),
        b'u' => ('\0', 4),
        b'U' => ('\0', 8),
        _ => return Err(Fault::lexical("found unknown escape character", start)),
    };
    cursor.advance(2);
    if digits == 0 {
        return Ok(character);
    }
    let mut code = 0_u32;
    for ahead in 0..digits {
        let Some(digit) = char::from(cursor.peek(ahead)).to_digit(16) else {
            return Err(Fault::lexical("did not find expected hexdecimal number", start));
        };
        code = (code << 4) | digit;
    }
    let Some(character) = char::from_u32(code) else {
        return Err(Fault::lexical(
            "found invalid Unicode character escape code",
            start,
        ));
    };
    cursor.advance(digits);
    Ok(character)
}
