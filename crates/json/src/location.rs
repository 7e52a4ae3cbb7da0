//! Places in a text: the bytes that a path leads to, the line and column of an offset.

use std::ops::Range;

/// The target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The number of steps that were found; the spans belong to the last of them.
    pub found: usize,
    /// The bytes of the key, including quotes; `None` at the root and for elements.
    pub key: Option<Range<usize>>,
    /// The bytes of the value.
    pub value: Range<usize>,
}

/// Line and column of an offset, both from 1, the column in characters.
#[must_use]
pub fn line_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line_start = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |newline| newline + 1);
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    (
        line,
        1 + String::from_utf8_lossy(&before[line_start..]).chars().count(),
    )
}
