//! The text of a file or of standard input, or why there is none.

use std::path::Path;

use crate::files;

/// The name of standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Why a file has no text.
pub(super) struct Unreadable {
    pub(super) reason: String,
    pub(super) help: Option<String>,
}

/// Reads a file.
pub(super) fn read(file: &Path) -> Result<String, Unreadable> {
    match read_bytes(file) {
        Ok(bytes) => text(bytes),
        Err(error) => Err(Unreadable {
            reason: format!("cannot be read: {error}"),
            help: None,
        }),
    }
}

/// The text of a file's bytes.
fn text(bytes: Vec<u8>) -> Result<String, Unreadable> {
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        if is_utf16 {
            Unreadable {
                reason: "is UTF-16, not UTF-8 text".to_owned(),
                help: Some("save it as UTF-8: `iconv -f UTF-16 -t UTF-8`".to_owned()),
            }
        } else {
            Unreadable {
                reason: format!("is not UTF-8 text: the first wrong byte is in line {line}"),
                help: Some("if it is Latin-1, save it as UTF-8: `iconv -f LATIN1 -t UTF-8`".to_owned()),
            }
        }
    })
}

fn read_bytes(file: &Path) -> std::io::Result<Vec<u8>> {
    if file.as_os_str() == STANDARD_INPUT {
        files::read_all(std::io::stdin().lock())
    } else {
        files::read(file)
    }
}
