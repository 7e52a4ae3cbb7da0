//! The length and kind of a number literal. The constant evaluator computes its value.

use super::token::Kind;

/// The kind and length of the number at the start of `bytes`, which begins with a digit or a dot.
pub(super) fn scan(bytes: &[u8]) -> (Kind, usize) {
    let hex = matches!(bytes, [b'0', b'x' | b'X', ..]);
    let mut kind = Kind::Int;
    let mut len = 0;
    while let Some(byte) = bytes.get(len) {
        match byte {
            b'.' => kind = Kind::Float,
            b'e' | b'E' if !hex => kind = Kind::Float,
            b'p' | b'P' if hex => kind = Kind::Float,
            b'+' | b'-' if exponent_before(bytes, len, hex) => {}
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => {}
            _ => break,
        }
        len += 1;
    }
    if bytes[..len].ends_with(b"i") {
        kind = Kind::Imaginary;
    }
    (kind, len)
}

fn exponent_before(bytes: &[u8], at: usize, hex: bool) -> bool {
    match at.checked_sub(1).map(|before| bytes[before]) {
        Some(b'e' | b'E') => !hex,
        Some(b'p' | b'P') => hex,
        _ => false,
    }
}
