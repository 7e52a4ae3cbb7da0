//! Go's quoted strings: what `%q` prints and what `strconv.Unquote` reads back. Knows no other Go syntax.

mod printable;
mod unquote;

use crate::utf8::{Rune, runes};
pub use unquote::{InvalidSyntax, unquote};

/// Quotes a text as Go's `strconv.Quote` and `%q` do.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

/// Appends the quoted text.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        push_char(out, c, Charset::Unicode);
    }
    out.push('"');
}

/// Quotes any bytes; invalid UTF-8 becomes `\x..`.
pub fn quote_bytes(bytes: &[u8]) -> String {
    quote_runes(bytes, Charset::Unicode)
}

/// Quotes a text with only ASCII characters in the result (`strconv.QuoteToASCII`, `%+q`).
pub fn quote_ascii(text: &str) -> String {
    quote_runes(text.as_bytes(), Charset::Ascii)
}

/// Reports whether the text can be written between back quotes unchanged (`strconv.CanBackquote`).
pub fn can_backquote(text: &str) -> bool {
    !text
        .chars()
        .any(|c| matches!(c, '\u{feff}' | '`' | '\u{7f}') || (c < ' ' && c != '\t'))
}

/// Reports whether Go considers the character printable (`strconv.IsPrint`).
pub fn is_print(c: char) -> bool {
    printable::contains(c)
}

#[derive(Clone, Copy, PartialEq)]
enum Charset {
    Unicode,
    Ascii,
}

fn quote_runes(bytes: &[u8], charset: Charset) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for rune in runes(bytes) {
        match rune {
            Rune::Valid(c) => push_char(&mut out, c, charset),
            Rune::Invalid(byte) => push_hex(&mut out, 'x', u32::from(byte), 2),
        }
    }
    out.push('"');
    out
}

fn push_char(out: &mut String, c: char, charset: Charset) {
    match c {
        '"' | '\\' => {
            out.push('\\');
            out.push(c);
        }
        ' '..='~' => out.push(c),
        '\x07' => out.push_str("\\a"),
        '\x08' => out.push_str("\\b"),
        '\x0c' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\x0b' => out.push_str("\\v"),
        '\0'..='\x1f' | '\x7f' => push_hex(out, 'x', c as u32, 2),
        _ if charset == Charset::Unicode && is_print(c) => out.push(c),
        _ if (c as u32) < 0x10000 => push_hex(out, 'u', c as u32, 4),
        _ => push_hex(out, 'U', c as u32, 8),
    }
}

fn push_hex(out: &mut String, letter: char, value: u32, digits: u32) {
    out.push('\\');
    out.push(letter);
    for place in (0..digits).rev() {
        let digit = (value >> (4 * place)) & 0xf;
        out.push(char::from_digit(digit, 16).expect("four bits are one hexadecimal digit"));
    }
}
