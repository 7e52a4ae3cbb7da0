//! Decodes bytes to text: encodings, byte order marks, characters that YAML does not allow.

use std::borrow::Cow;

use super::cursor::{Cursor, Spot};
use super::error::{Family, Fault, Outcome};
use crate::Arena;

/// The text of the bytes, without a byte order mark.
pub(super) fn text<'a>(arena: &'a Arena, bytes: &'a [u8]) -> Outcome<&'a str> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => arena.alloc_str(&utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => arena.alloc_str(&utf16(rest, u16::from_be_bytes)?),
        _ => utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))?,
    };
    match first_refused(text) {
        None => Ok(text),
        Some(at) => Err(Fault::new(
            Family::Unplaced,
            "control characters are not allowed",
            spot_of(text, at),
        )),
    }
}

/// Where the first character is that is not allowed. Most text is ASCII, whose bytes are looked at many at a time.
fn first_refused(text: &str) -> Option<usize> {
    const BLOCK: usize = 64;
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n');
    let mut plain = 0;
    for block in text.as_bytes().chunks(BLOCK) {
        // Without an early end, so that the compiler can compare many bytes at once.
        let odd = block.iter().fold(false, |odd, byte| odd | !is_plain(byte));
        if odd {
            let start = text.floor_char_boundary(plain);
            let end = text.ceil_char_boundary(plain + block.len());
            let mut characters = text[start..end].char_indices();
            if let Some((at, _)) = characters.find(|&(_, character)| !is_allowed(character)) {
                return Some(start + at);
            }
        }
        plain += block.len();
    }
    None
}

fn is_allowed(character: char) -> bool {
    matches!(character,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn spot_of(text: &str, at: usize) -> Spot {
    let mut cursor = Cursor::new(text);
    while cursor.at < at {
        match cursor.break_len(0) {
            0 => cursor.advance_char(),
            _ => drop(cursor.line_break()),
        }
    }
    cursor.spot()
}

fn utf8(bytes: &[u8]) -> Outcome<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (good, bad) = bytes.split_at(error.valid_up_to());
        let good = String::from_utf8_lossy(good);
        // An earlier control character is reported first.
        match first_refused(&good) {
            Some(at) => {
                let message = "control characters are not allowed";
                Fault::new(Family::Unplaced, message, spot_of(&good, at))
            }
            None => Fault::new(Family::Unplaced, what_is_wrong(bad), spot_of(&good, good.len())),
        }
    })
}

fn what_is_wrong(bad: &[u8]) -> &'static str {
    let width = match bad.first() {
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf7) => 4,
        _ => return "invalid leading UTF-8 octet",
    };
    if bad.len() < width {
        return "incomplete UTF-8 octet sequence";
    }
    if bad[1..width].iter().any(|byte| byte & 0xc0 != 0x80) {
        return "invalid trailing UTF-8 octet";
    }
    let overlong = bad[0] < 0xc2 || bad[0] == 0xe0 && bad[1] < 0xa0 || bad[0] == 0xf0 && bad[1] < 0x90;
    if overlong {
        "invalid length of a UTF-8 sequence"
    } else {
        "invalid Unicode character"
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Outcome<Cow<'static, str>> {
    let fail = |message: &'static str| Fault::new(Family::Unplaced, message, Spot::default());
    if !bytes.len().is_multiple_of(2) {
        return Err(fail("incomplete UTF-16 character"));
    }
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| unit([pair[0], pair[1]]))
        .collect();
    let mut text = String::with_capacity(units.len());
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok(character) => text.push(character),
            Err(lone) if (0xdc00..0xe000).contains(&lone.unpaired_surrogate()) => {
                return Err(fail("unexpected low surrogate area"));
            }
            Err(_) if text.encode_utf16().count() + 1 >= units.len() => {
                return Err(fail("incomplete UTF-16 surrogate pair"));
            }
            Err(_) => return Err(fail("expected low surrogate area")),
        }
    }
    Ok(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn text_is_refused_where_a_single_look_at_each_character_refuses_it(
            plain in "[ -~\\n]{0,150}",
            odd in prop::collection::vec(
                prop::sample::select(vec!['\u{1}', '\t', '\r', '\u{7f}', '\u{85}', '\u{9f}', 'é', '\u{2028}', '\u{fffe}', '\u{1f600}']),
                0..6,
            ),
            more in "[ -~\\n]{0,150}",
        ) {
            let text: String = plain.chars().chain(odd).chain(more.chars()).collect();
            let naive = text.char_indices().find(|&(_, character)| !is_allowed(character));
            prop_assert_eq!(first_refused(&text), naive.map(|(at, _)| at));
        }
    }
}
