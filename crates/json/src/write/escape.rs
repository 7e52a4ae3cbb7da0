//! JSON strings with the escapes of Go's encoding/json (`appendString` in encode.go).

use super::sink::Sink;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Which characters are escaped beyond the minimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Escape {
    /// Only U+2028 and U+2029, like Go with `SetEscapeHTML(false)`.
    #[default]
    Minimal,
    /// Also `<`, `>` and `&`, like Go by default and like the API server.
    Html,
}

/// Appends `text` as a JSON string with its quotes.
pub fn append(out: &mut String, text: &str, escape: Escape) {
    write(out, text, escape);
}

pub(super) fn write<S: Sink>(out: &mut S, text: &str, escape: Escape) {
    out.push('"');
    let bytes = text.as_bytes();
    let mut plain_from = 0;
    let mut at = suspect(bytes, 0);
    while at < bytes.len() {
        let escaped = match bytes[at] {
            b'"' => Some("\\\""),
            b'\\' => Some("\\\\"),
            byte @ 0..0x20 => Some(CONTROLS[usize::from(byte)]),
            b'<' if escape == Escape::Html => Some("\\u003c"),
            b'>' if escape == Escape::Html => Some("\\u003e"),
            b'&' if escape == Escape::Html => Some("\\u0026"),
            // U+2028 and U+2029 are line breaks in JavaScript; Go always escapes them.
            0xe2 if bytes[at..].starts_with("\u{2028}".as_bytes()) => Some("\\u2028"),
            0xe2 if bytes[at..].starts_with("\u{2029}".as_bytes()) => Some("\\u2029"),
            _ => None,
        };
        let Some(escaped) = escaped else {
            at = suspect(bytes, at + 1);
            continue;
        };
        out.push_str(&text[plain_from..at]);
        out.push_str(escaped);
        plain_from = at + if bytes[at] == 0xe2 { 3 } else { 1 };
        at = suspect(bytes, plain_from);
    }
    out.push_str(&text[plain_from..]);
    out.push('"');
}

/// Returns the offset of the next byte that may need an escape, or of the end.
#[inline]
fn suspect(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        // One test finds `"` and `&`, which differ in one bit, another finds `<` and `>`.
        let quotes = zero_bytes((word & !(ONES * 0x04)) ^ (ONES * u64::from(b'"')));
        let angles = zero_bytes((word & !(ONES * 0x02)) ^ (ONES * u64::from(b'<')));
        let backslashes = zero_bytes(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let hits = quotes | angles | backslashes | controls | (word & HIGHS);
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .position(|&byte| SUSPECT[usize::from(byte)])
        .unwrap_or(rest.len())
}

#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

const SUSPECT: [bool; 256] = {
    let mut suspect = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        suspect[byte] =
            byte < 0x20 || byte >= 0x80 || matches!(byte as u8, b'"' | b'\\' | b'<' | b'>' | b'&');
        byte += 1;
    }
    suspect
};

#[rustfmt::skip]
const CONTROLS: [&str; 32] = [
    "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
    "\\b", "\\t", "\\n", "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f",
    "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017",
    "\\u0018", "\\u0019", "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
];
