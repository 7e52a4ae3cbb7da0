//! Escapes in URLs. Knows no path or parameter by name.

use std::borrow::Cow;

/// Decodes a path. Invalid UTF-8 becomes U+FFFD; a broken escape stays unchanged.
pub(crate) fn decode_path(path: &str) -> String {
    String::from_utf8_lossy(&path_bytes(path)).into_owned()
}

/// The bytes of a path with its escapes decoded.
pub(crate) fn path_bytes(path: &str) -> Cow<'_, [u8]> {
    if !path.contains('%') {
        return Cow::Borrowed(path.as_bytes());
    }
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = (bytes[at] == b'%').then(|| bytes.get(at + 1..at + 3)).flatten();
        match escape.and_then(hexadecimal) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    Cow::Owned(decoded)
}

fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*digits.first()?)? * 16 + digit(*digits.get(1)?)?).ok()
}
