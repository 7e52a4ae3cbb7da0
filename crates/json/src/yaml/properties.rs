//! Anchors, aliases, tags and directive lines (`%`). Knows their spelling, not their targets.

use super::cursor::Cursor;
use super::error::{Fault, Outcome};

/// A tag as written: `!!str` has the handle `!!`, `!<str>` none.
pub(super) struct Spelled<'a> {
    pub handle: &'a str,
    pub suffix: String,
}

/// A line that begins with `%`.
pub(super) enum Directive<'a> {
    Version(u32, u32),
    Tag { handle: &'a str, prefix: String },
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn word<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let start = cursor.at;
    while is_word(cursor.peek(0)) {
        cursor.advance(1);
    }
    &cursor.text[start..cursor.at]
}

/// Reads the name after `&` or `*`.
pub(super) fn anchor<'a>(cursor: &mut Cursor<'a>) -> Outcome<&'a str> {
    cursor.advance(1);
    let name = word(cursor);
    let ends = cursor.is_gap(0)
        || matches!(
            cursor.peek(0),
            b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'
        );
    if name.is_empty() || !ends {
        let message = "did not find expected alphabetic or numeric character";
        return Err(Fault::lexical(message, cursor.spot()));
    }
    Ok(name)
}

/// Reads the tag that begins here.
pub(super) fn tag<'a>(cursor: &mut Cursor<'a>) -> Outcome<Spelled<'a>> {
    let spelled = if cursor.peek(1) == b'<' {
        cursor.advance(2);
        let suffix = uri(cursor, "")?;
        if cursor.peek(0) != b'>' {
            return Err(Fault::lexical("did not find the expected '>'", cursor.spot()));
        }
        cursor.advance(1);
        Spelled { handle: "", suffix }
    } else {
        shorthand(cursor)?
    };
    expect_gap(cursor)?;
    Ok(spelled)
}

fn shorthand<'a>(cursor: &mut Cursor<'a>) -> Outcome<Spelled<'a>> {
    let start = cursor.at;
    cursor.advance(1);
    let name = word(cursor);
    if cursor.peek(0) == b'!' {
        cursor.advance(1);
        let handle = &cursor.text[start..cursor.at];
        return Ok(Spelled {
            handle,
            suffix: uri(cursor, "")?,
        });
    }
    cursor.at = start + 1 + name.len();
    let suffix = rest_of_uri(cursor, name)?;
    Ok(if suffix.is_empty() {
        Spelled {
            handle: "",
            suffix: "!".to_owned(),
        }
    } else {
        Spelled { handle: "!", suffix }
    })
}

fn expect_gap(cursor: &Cursor<'_>) -> Outcome<()> {
    if cursor.is_gap(0) {
        return Ok(());
    }
    let message = "did not find expected whitespace or line break";
    Err(Fault::lexical(message, cursor.spot()))
}

fn uri(cursor: &mut Cursor<'_>, head: &str) -> Outcome<String> {
    let uri = rest_of_uri(cursor, head)?;
    if uri.is_empty() {
        return Err(Fault::lexical("did not find expected tag URI", cursor.spot()));
    }
    Ok(uri)
}

fn rest_of_uri(cursor: &mut Cursor<'_>, head: &str) -> Outcome<String> {
    let mut uri = head.to_owned();
    loop {
        match cursor.peek(0) {
            b'%' => uri.push_str(&escaped_char(cursor)?),
            byte if is_word(byte) || b";/?:@&=+$.,!~*'()[]".contains(&byte) => {
                uri.push(char::from(byte));
                cursor.advance(1);
            }
            _ => return Ok(uri),
        }
    }
}

/// Reads `%c3%a9`: the octets of one character.
fn escaped_char(cursor: &mut Cursor<'_>) -> Outcome<String> {
    let mut octets: Vec<u8> = Vec::new();
    let mut width = 1;
    while octets.len() < width {
        let digit = |ahead| char::from(cursor.peek(ahead)).to_digit(16);
        let (b'%', Some(high), Some(low)) = (cursor.peek(0), digit(1), digit(2)) else {
            return Err(Fault::lexical("did not find URI escaped octet", cursor.spot()));
        };
        let octet = (high * 16 + low) as u8;
        if octets.is_empty() {
            width = match octet {
                0..=0x7f => 1,
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => {
                    return Err(Fault::lexical(
                        "found an incorrect leading UTF-8 octet",
                        cursor.spot(),
                    ));
                }
            };
        } else if octet & 0xc0 != 0x80 {
            return Err(Fault::lexical(
                "found an incorrect trailing UTF-8 octet",
                cursor.spot(),
            ));
        }
        octets.push(octet);
        cursor.advance(3);
    }
    Ok(String::from_utf8_lossy(&octets).into_owned())
}

/// Reads the directive that begins here, up to the end of its line.
pub(super) fn directive<'a>(cursor: &mut Cursor<'a>) -> Outcome<Directive<'a>> {
    let start = cursor.spot();
    cursor.advance(1);
    let name = word(cursor);
    if name.is_empty() {
        return Err(Fault::lexical(
            "could not find expected directive name",
            cursor.spot(),
        ));
    }
    if !cursor.is_gap(0) {
        let message = "found unexpected non-alphabetical character";
        return Err(Fault::lexical(message, cursor.spot()));
    }
    let found = match name {
        "YAML" => version(cursor)?,
        "TAG" => tag_directive(cursor)?,
        _ => return Err(Fault::lexical("found unknown directive name", start)),
    };
    cursor.skip_blanks();
    if cursor.peek(0) == b'#' {
        cursor.skip_line();
    }
    if cursor.break_len(0) > 0 {
        cursor.line_break();
    } else if !cursor.at_end() {
        let message = "did not find expected comment or line break";
        return Err(Fault::lexical(message, cursor.spot()));
    }
    Ok(found)
}

fn version<'a>(cursor: &mut Cursor<'a>) -> Outcome<Directive<'a>> {
    cursor.skip_blanks();
    let major = version_number(cursor)?;
    if cursor.peek(0) != b'.' {
        let message = "did not find expected digit or '.' character";
        return Err(Fault::lexical(message, cursor.spot()));
    }
    cursor.advance(1);
    Ok(Directive::Version(major, version_number(cursor)?))
}

fn version_number(cursor: &mut Cursor<'_>) -> Outcome<u32> {
    let start = cursor.at;
    while cursor.peek(0).is_ascii_digit() {
        cursor.advance(1);
        if cursor.at - start > 2 {
            return Err(Fault::lexical(
                "found extremely long version number",
                cursor.spot(),
            ));
        }
    }
    let digits = &cursor.text[start..cursor.at];
    digits
        .parse()
        .map_err(|_| Fault::lexical("did not find expected version number", cursor.spot()))
}

fn tag_directive<'a>(cursor: &mut Cursor<'a>) -> Outcome<Directive<'a>> {
    cursor.skip_blanks();
    let start = cursor.at;
    if cursor.peek(0) != b'!' {
        return Err(Fault::lexical("did not find expected '!'", cursor.spot()));
    }
    cursor.advance(1);
    let name = word(cursor);
    if cursor.peek(0) == b'!' {
        cursor.advance(1);
    } else if !name.is_empty() {
        return Err(Fault::lexical("did not find expected '!'", cursor.spot()));
    }
    let handle = &cursor.text[start..cursor.at];
    if !cursor.is_blank(0) {
        return Err(Fault::lexical("did not find expected whitespace", cursor.spot()));
    }
    cursor.skip_blanks();
    let prefix = uri(cursor, "")?;
    expect_gap(cursor)?;
    Ok(Directive::Tag { handle, prefix })
}
