//! The text of a file or of standard input, or why there is none.

use std::ops::Range;
use std::path::Path;

use crate::files;

/// The name of standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Why a file has no text.
pub(super) struct Unreadable {
    pub(super) reason: String,
    pub(super) help: Option<String>,
    /// What can be shown of it, and the place of the first wrong character.
    pub(super) shown: String,
    pub(super) at: Range<usize>,
}

/// Reads a file.
pub(super) fn read(file: &Path) -> Result<String, Unreadable> {
    match read_bytes(file) {
        Ok(bytes) => text(bytes),
        Err(error) => Err(Unreadable {
            reason: format!("cannot be read: {error}"),
            help: None,
            shown: String::new(),
            at: 0..0,
        }),
    }
}

/// The text of a file's bytes.
fn text(bytes: Vec<u8>) -> Result<String, Unreadable> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Unreadable {
            reason: "is UTF-16, not UTF-8 text".to_owned(),
            help: Some("save it as UTF-8: `iconv -f UTF-16 -t UTF-8`".to_owned()),
            shown: String::new(),
            at: 0..0,
        });
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let shown = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let line = 1 + shown[..valid].matches('\n').count();
        Unreadable {
            reason: format!("is not UTF-8 text: the first wrong byte is in line {line}"),
            help: Some("if it is Latin-1, save it as UTF-8: `iconv -f LATIN1 -t UTF-8`".to_owned()),
            shown,
            at: valid..valid + char::REPLACEMENT_CHARACTER.len_utf8(),
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
