//! Reads Go string, character and raw string literals back (`strconv.Unquote`).

use std::fmt;

/// The text is not a Go literal; prints as Go's `strconv.ErrSyntax`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSyntax;

impl fmt::Display for InvalidSyntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid syntax")
    }
}

impl std::error::Error for InvalidSyntax {}

/// Returns the value of a quoted literal as bytes; `\x` escapes can make them invalid UTF-8.
pub fn unquote(literal: &str) -> Result<Vec<u8>, InvalidSyntax> {
    let quote = literal.chars().next().ok_or(InvalidSyntax)?;
    if !matches!(quote, '"' | '\'' | '`') || literal.len() < 2 {
        return Err(InvalidSyntax);
    }
    let body = literal[1..].strip_suffix(quote).ok_or(InvalidSyntax)?;
    if quote == '`' {
        return raw(body);
    }
    let mut bytes = Vec::with_capacity(body.len());
    let mut rest = body;
    let mut units = 0;
    while !rest.is_empty() {
        rest = unit(rest, quote, &mut bytes)?;
        units += 1;
    }
    // Go reads `''` as an empty value, although the language has no such literal.
    if quote == '\'' && units > 1 {
        return Err(InvalidSyntax);
    }
    Ok(bytes)
}

/// Carriage returns are not part of a raw string's value.
fn raw(body: &str) -> Result<Vec<u8>, InvalidSyntax> {
    if body.contains('`') {
        return Err(InvalidSyntax);
    }
    Ok(body.bytes().filter(|&byte| byte != b'\r').collect())
}

/// Reads one character or escape and returns what follows it.
fn unit<'t>(text: &'t str, quote: char, bytes: &mut Vec<u8>) -> Result<&'t str, InvalidSyntax> {
    let mut chars = text.chars();
    match chars.next().ok_or(InvalidSyntax)? {
        '\\' => escape(chars.as_str(), quote, bytes),
        c if c == quote || c == '\n' => Err(InvalidSyntax),
        c => {
            push(bytes, c);
            Ok(chars.as_str())
        }
    }
}

fn escape<'t>(text: &'t str, quote: char, bytes: &mut Vec<u8>) -> Result<&'t str, InvalidSyntax> {
    let mut chars = text.chars();
    let letter = chars.next().ok_or(InvalidSyntax)?;
    let byte = match letter {
        'a' => 0x07,
        'b' => 0x08,
        'f' => 0x0c,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 0x0b,
        '\\' => b'\\',
        '\'' | '"' if letter == quote => letter as u8,
        'x' => {
            let (value, rest) = number(chars.as_str(), 2, 16)?;
            bytes.push(value as u8);
            return Ok(rest);
        }
        'u' | 'U' => {
            let (value, rest) = number(chars.as_str(), if letter == 'u' { 4 } else { 8 }, 16)?;
            push(bytes, char::from_u32(value).ok_or(InvalidSyntax)?);
            return Ok(rest);
        }
        '0'..='7' => {
            let (value, rest) = number(text, 3, 8)?;
            bytes.push(u8::try_from(value).map_err(|_| InvalidSyntax)?);
            return Ok(rest);
        }
        _ => return Err(InvalidSyntax),
    };
    bytes.push(byte);
    Ok(chars.as_str())
}

fn number(text: &str, digits: usize, radix: u32) -> Result<(u32, &str), InvalidSyntax> {
    let (head, rest) = text.split_at_checked(digits).ok_or(InvalidSyntax)?;
    let mut value = 0_u32;
    for c in head.chars() {
        // Eight hexadecimal digits fit exactly, so no bits are lost.
        value = value * radix + c.to_digit(radix).ok_or(InvalidSyntax)?;
    }
    Ok((value, rest))
}

fn push(bytes: &mut Vec<u8>, c: char) {
    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}
