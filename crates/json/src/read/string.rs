//! Strings: scanned eight bytes at a time, borrowed from the text unless they have escapes.

use super::error::Fault;
use crate::Arena;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Reads the string whose opening quote is before `start`; returns it with the offset after the closing
/// quote.
#[inline(always)]
pub(super) fn string<'a>(arena: &'a Arena, text: &'a str, start: usize) -> Result<(&'a str, usize), Fault> {
    let end = special(text.as_bytes(), start);
    if text.as_bytes().get(end) == Some(&b'"') {
        return Ok((&text[start..end], end + 1));
    }
    unescape(arena, text, start, end)
}

/// Returns the offset of the next quote, backslash or control character, or of the end.
#[inline(always)]
pub(crate) fn special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        // A borrow can only corrupt bytes above a true match, and only the lowest match counts.
        let quote = zero_bytes(word ^ (ONES * u64::from(b'"')));
        let backslash = zero_bytes(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let hits = quote | backslash | control;
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .position(|&byte| is_special(byte))
        .unwrap_or(rest.len())
}

#[inline(always)]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

fn is_special(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20
}

#[cold]
fn unescape<'a>(
    arena: &'a Arena,
    text: &'a str,
    start: usize,
    mut at: usize,
) -> Result<(&'a str, usize), Fault> {
    let bytes = text.as_bytes();
    let mut unescaped = String::with_capacity((at - start) + 32);
    let mut plain_from = start;
    loop {
        unescaped.push_str(&text[plain_from..at]);
        match bytes.get(at) {
            Some(b'"') => return Ok((arena.alloc_str(&unescaped), at + 1)),
            Some(b'\\') => at = escape(bytes, at + 1, &mut unescaped)?,
            byte => return Err(Fault::unexpected(byte.copied(), at, "in string literal")),
        }
        plain_from = at;
        at = special(bytes, at);
    }
}

/// Reads the escape whose backslash is before `at`; returns the offset after it.
fn escape(bytes: &[u8], at: usize, unescaped: &mut String) -> Result<usize, Fault> {
    unescaped.push(match bytes.get(at) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(bytes, at + 1, unescaped),
        _ => return Err(Fault::invalid(at, "in string escape code")),
    });
    Ok(at + 1)
}

/// Reads the four digits at `at`, and a second escape if both form a surrogate pair.
fn unicode(bytes: &[u8], at: usize, unescaped: &mut String) -> Result<usize, Fault> {
    let first = four_hex_digits(bytes, at)?;
    let behind = at + 4;
    if let Some(character) = char::from_u32(first) {
        unescaped.push(character);
        return Ok(behind);
    }
    if bytes.get(behind..behind + 2) == Some(b"\\u")
        && let Ok(second) = four_hex_digits(bytes, behind + 2)
        && (0xd800..0xdc00).contains(&first)
        && (0xdc00..0xe000).contains(&second)
    {
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        unescaped.push(char::from_u32(code).expect("a surrogate pair is a character"));
        return Ok(behind + 6);
    }
    unescaped.push(char::REPLACEMENT_CHARACTER);
    Ok(behind)
}

fn four_hex_digits(bytes: &[u8], at: usize) -> Result<u32, Fault> {
    (at..at + 4).try_fold(0, |code, at| {
        let byte = bytes.get(at).copied();
        let digit = byte.and_then(|byte| char::from(byte).to_digit(16));
        let digit = digit.ok_or_else(|| Fault::invalid(at, "in \\u hexadecimal character escape"))?;
        Ok(code * 16 + digit)
    })
}
