//! Numbers in decode errors: Go's decoder quotes the literal from the body, which values no longer have.

use kindsmith_engine::DecodeError;
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_request::body::{Body, Media};

/// The error with the number as written in a JSON body.
pub(super) fn as_written(error: DecodeError, body: Body<'_>) -> DecodeError {
    match error.number().and_then(|shown| literal(body, shown)) {
        Some(literal) => error.with_number(literal),
        None => error,
    }
}

/// A number as it is written in a JSON body.
#[must_use]
pub fn literal<'b>(body: Body<'b>, shown: &str) -> Option<&'b str> {
    match body.media {
        Media::Json => literals(body.bytes)
            .into_iter()
            .find(|literal| is_same(literal, shown)),
        Media::Yaml => None,
    }
}

/// Whether a literal and the decoder's text are the same number.
fn is_same(literal: &str, shown: &str) -> bool {
    let arena = Arena::new();
    let number = |text: &str| {
        let text: &str = arena.alloc_str(text);
        parse_str(&arena, text).ok().and_then(Value::as_f64)
    };
    literal == shown || number(literal).is_some_and(|value| number(shown) == Some(value))
}

/// All numbers of a JSON text, in order.
fn literals(text: &[u8]) -> Vec<&str> {
    let is_part = |byte: u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => at = end_of_string(text, at),
            b'-' | b'0'..=b'9' => {
                let length = text[at..].iter().take_while(|&&byte| is_part(byte)).count();
                found.extend(std::str::from_utf8(&text[at..at + length]));
                at += length;
            }
            _ => at += 1,
        }
    }
    found
}

/// The position after the string that starts here.
pub(super) fn end_of_string(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literal_is_found() {
        let found = literals(br#"{"a":"1e2","b":[3,1e2]}"#);
        assert_eq!(found, ["3", "1e2"]);
        assert!(is_same("1e2", "100.0"));
        assert!(!is_same("3", "100.0"));
    }
}
