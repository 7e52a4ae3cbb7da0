//! The bytes of a YAML stream as text: encodings, the byte order mark, and characters YAML does not allow.

use std::borrow::Cow;

use super::cursor::Mark;
use super::error::{Problem, YamlError};

/// Decodes UTF-8, or UTF-16 with a byte order mark.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, YamlError> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)?),
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(utf8(rest)?),
        _ => Cow::Borrowed(utf8(bytes)?),
    };
    // Almost all text is plain ASCII, which the processor checks many bytes at a time.
    if text.bytes().fold(true, |plain, byte| {
        plain & matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')
    }) {
        return Ok(text);
    }
    match text.char_indices().find(|(_, character)| !is_allowed(*character)) {
        None => Ok(text),
        Some((offset, _)) => Err(problem("control characters are not allowed", offset)),
    }
}

fn problem(text: &'static str, offset: usize) -> YamlError {
    Problem::decoding(
        text,
        Mark {
            offset,
            ..Mark::default()
        },
    )
    .into()
}

fn utf8(bytes: &[u8]) -> Result<&str, YamlError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        // Rust stops before the whole bad character, go-yaml tells what is wrong inside of it.
        let bad = &bytes[offset..];
        let width = match bad[0].leading_ones() {
            0 => 1,
            length @ 2..=4 => length as usize,
            _ => return problem("invalid leading UTF-8 octet", offset),
        };
        if bad.len() < width {
            return problem("incomplete UTF-8 octet sequence", offset);
        }
        if bad[1..width].iter().any(|byte| byte & 0xc0 != 0x80) {
            return problem("invalid trailing UTF-8 octet", offset);
        }
        let overlong = matches!(
            (bad[0], bad[1]),
            (0xc0 | 0xc1, _) | (0xe0, 0x80..0xa0) | (0xf0, 0x80..0x90)
        );
        problem(
            if overlong {
                "invalid length of a UTF-8 sequence"
            } else {
                "invalid Unicode character"
            },
            offset,
        )
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, YamlError> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    if !bytes.len().is_multiple_of(2) {
        return Err(problem("incomplete UTF-16 character", bytes.len()));
    }
    char::decode_utf16(units)
        .collect::<Result<String, _>>()
        .map_err(|_| problem("unexpected low surrogate area", 0))
}

fn is_allowed(character: char) -> bool {
    matches!(
        character,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..
    )
}
