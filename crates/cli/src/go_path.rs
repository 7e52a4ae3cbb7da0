//! Paths of Go packages as text. The reader of Go packages knows paths as text only, but a path of this machine may hold
//! invalid bytes. Each such byte becomes a character that nobody uses, and a byte again when a file is opened.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};

/// The characters for bytes from 0x80 on: the end of a plane for private use.
const FIRST: u32 = 0x0010_FE80;
const LAST: u32 = 0x0010_FEFF;

/// Reads an argument that names Go packages.
pub(crate) fn parser() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|text| to_text(&text))
}

/// A path as text.
pub(crate) fn to_text(path: &OsStr) -> String {
    let mut text = String::new();
    for chunk in path.as_encoded_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            if (FIRST..=LAST).contains(&(character as u32)) {
                append(&mut text, character.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                text.push(character);
            }
        }
        append(&mut text, chunk.invalid());
    }
    text
}

fn append(text: &mut String, bytes: &[u8]) {
    let characters = bytes
        .iter()
        .filter_map(|byte| char::from_u32(FIRST - 0x80 + u32::from(*byte)));
    text.extend(characters);
}

/// The path behind the text.
pub(crate) fn to_path(text: &str) -> Cow<'_, Path> {
    #[cfg(unix)]
    if has_bytes(text) {
        use std::os::unix::ffi::OsStringExt as _;
        let mut bytes = Vec::new();
        for character in text.chars() {
            if is_byte(character) {
                bytes.push(character as u8);
            } else {
                bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        return Cow::Owned(PathBuf::from(std::ffi::OsString::from_vec(bytes)));
    }
    Cow::Borrowed(Path::new(text))
}

/// Whether some of the characters are bytes.
fn has_bytes(text: &str) -> bool {
    // Their first byte in UTF-8 is rare.
    text.as_bytes().contains(&0xF4) && text.chars().any(is_byte)
}

fn is_byte(character: char) -> bool {
    (FIRST..=LAST).contains(&(character as u32))
}

/// Text for people: bytes that are no text are shown as such.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if has_bytes(text) {
        Cow::Owned(text.replace(is_byte, "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn every_path_comes_back() {
        let cases: [&[u8]; 5] = [
            b"api/v1",
            b"\xff/\xc3\x28/a",
            "\u{e9}\u{10FE80}".as_bytes(),
            b"a\xf4\x8f",
            b"",
        ];
        for bytes in cases {
            let path = OsStr::from_bytes(bytes);
            let text = to_text(path);
            assert_eq!(to_path(&text).as_os_str(), path, "{text:?}");
        }
        assert_eq!(to_text(OsStr::new("caf\u{e9}")), "caf\u{e9}");
    }

    #[test]
    fn people_see_that_bytes_are_no_text() {
        let text = to_text(OsStr::from_bytes(b"a\xff.go"));
        assert_eq!(shown(&text), "a\u{FFFD}.go");
        assert_eq!(shown("\u{10FFFF}"), "\u{10FFFF}");
    }
}
