//! Numbers in decode errors: Go's decoder quotes the literal from the body, which values no longer have.

use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_request::body::{Body, Media};

const PREFIX: &str = "json: cannot unmarshal number ";

/// The message with the number as written in a JSON body.
pub(super) fn as_written(message: String, body: Body<'_>) -> String {
    let shown = message
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.split_once(" into "));
    let (Some((shown, rest)), Media::Json) = (shown, body.media) else {
        return message;
    };
    match literals(body.bytes)
        .into_iter()
        .find(|literal| is_same(literal, shown))
    {
        Some(literal) => format!("{PREFIX}{literal} into {rest}"),
        None => message,
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

    fn check(body: &str, message: &str, expected: &str) {
        let body = Body {
            bytes: body.as_bytes(),
            media: Media::Json,
        };
        assert_eq!(as_written(message.to_owned(), body), expected);
    }

    #[test]
    fn the_literal_is_quoted() {
        check(
            r#"{"a":"1e2","b":[3,1e2]}"#,
            "json: cannot unmarshal number 100.0 into Go struct field T.b of type int32",
            "json: cannot unmarshal number 1e2 into Go struct field T.b of type int32",
        );
        check(
            "{}",
            "json: cannot unmarshal string into x",
            "json: cannot unmarshal string into x",
        );
    }
}
