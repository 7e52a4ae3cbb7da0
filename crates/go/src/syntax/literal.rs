//! The values of string and rune literals. Knows escapes, not the place of literals.

use std::borrow::Cow;

use kindsmith_source::Span;
use memchr::{memchr, memchr3};

use super::ast::File;
use super::lexer::Lexer;
use super::token::Kind;

/// The value of a string literal with its quotes; `None` if it is malformed. Bytes that are not UTF-8 after
/// unescaping become replacement characters.
#[must_use]
pub fn string_value(literal: &str) -> Option<Cow<'_, str>> {
    if let Some(raw) = literal.strip_prefix('`') {
        let text = raw.strip_suffix('`')?;
        return Some(match memchr(b'\r', text.as_bytes()) {
            Some(_) => Cow::Owned(text.replace('\r', "")),
            None => Cow::Borrowed(text),
        });
    }
    let body = literal.strip_prefix('"')?.strip_suffix('"')?;
    match memchr3(b'\\', b'"', b'\n', body.as_bytes()) {
        None => return Some(Cow::Borrowed(body)),
        Some(_) if memchr(b'\\', body.as_bytes()).is_none() => return None,
        Some(_) => {}
    }
    let mut bytes = Vec::with_capacity(body.len());
    let mut rest = body;
    while !rest.is_empty() {
        let (unit, tail) = unescape(rest, '"')?;
        match unit {
            Unit::Byte(byte) => bytes.push(byte),
            Unit::Char(char) => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        rest = tail;
    }
    Some(Cow::Owned(String::from_utf8(bytes).unwrap_or_else(|error| {
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    })))
}

/// The value of a rune literal with its quotes.
#[must_use]
pub fn char_value(literal: &str) -> Option<i128> {
    let body = literal.strip_prefix('\'')?.strip_suffix('\'')?;
    let (unit, rest) = unescape(body, '\'')?;
    let value = match unit {
        Unit::Byte(byte) => i128::from(byte),
        Unit::Char(char) => i128::from(u32::from(char)),
    };
    rest.is_empty().then_some(value)
}

/// The values of all string literals inside a span: what `return []string{"a", "b"}` returns.
#[must_use]
pub fn string_literals(file: &File, span: Span) -> Vec<(Span, String)> {
    let mut lexer = Lexer::new(span.file, file.text(span), 0);
    let mut found = Vec::new();
    loop {
        let token = lexer.next();
        match token.kind {
            Kind::End => return found,
            Kind::String => {
                let place = span.part(token.start as usize, token.end as usize);
                found.extend(string_value(file.text(place)).map(|value| (place, value.into_owned())));
            }
            _ => {}
        }
    }
}

enum Unit {
    Byte(u8),
    Char(char),
}

/// The first character or escape of `text`, and the rest.
fn unescape(text: &str, quote: char) -> Option<(Unit, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first != '\\' {
        return (first != quote && first != '\n').then_some((Unit::Char(first), chars.as_str()));
    }
    let simple = |char: char, rest| Some((Unit::Char(char), rest));
    let kind = chars.next()?;
    let rest = chars.as_str();
    match kind {
        'a' => simple('\x07', rest),
        'b' => simple('\x08', rest),
        'f' => simple('\x0C', rest),
        'n' => simple('\n', rest),
        'r' => simple('\r', rest),
        't' => simple('\t', rest),
        'v' => simple('\x0B', rest),
        '\\' => simple('\\', rest),
        '\'' | '"' if kind == quote => simple(kind, rest),
        'x' => {
            digits(rest, 2, 16).and_then(|(value, rest)| Some((Unit::Byte(u8::try_from(value).ok()?), rest)))
        }
        'u' => digits(rest, 4, 16).and_then(|(value, rest)| Some((Unit::Char(char::from_u32(value)?), rest))),
        'U' => digits(rest, 8, 16).and_then(|(value, rest)| Some((Unit::Char(char::from_u32(value)?), rest))),
        '0'..='7' => {
            let (value, rest) = digits(&text[1..], 3, 8)?;
            Some((Unit::Byte(u8::try_from(value).ok()?), rest))
        }
        _ => None,
    }
}

fn digits(text: &str, count: usize, radix: u32) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    let all = digits.bytes().all(|byte| char::from(byte).is_digit(radix));
    let value = u32::from_str_radix(digits, radix).ok()?;
    all.then_some((value, rest))
}
