//! The files of one run, with their line tables.

use std::sync::{Arc, OnceLock};

use crate::{FileId, Span};

/// One source file: its display name, its text and where its lines start.
#[derive(Debug)]
pub struct File {
    name: String,
    text: Arc<str>,
    /// Computed on first use: most files of a run have no findings.
    lines: OnceLock<Vec<u32>>,
    /// How many characters start before each step of the text, for columns in long lines.
    characters: OnceLock<Vec<u32>>,
}

/// The bytes between two entries of [`File::characters`].
const STEP: usize = 512;

/// A position for people: line and column count from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line number, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// All files of one run.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<File>,
}

impl SourceMap {
    /// Adds a file. Files longer than 4 GiB cannot be addressed and must be rejected before.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).expect("fewer than 2^32 files"));
        self.files.push(File::new(name.into(), text.into()));
        id
    }

    /// The file behind `id`.
    #[must_use]
    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }

    /// The text a span covers.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        &self.file(span.file).text[span.start as usize..span.end as usize]
    }

    /// Line and column of a span's first byte.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        self.file(span.file).position(span.start)
    }

    /// All files with their ids, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &File)> {
        self.files
            .iter()
            .enumerate()
            .map(|(index, file)| (FileId(index as u32), file))
    }
}

impl File {
    fn new(name: String, text: Arc<str>) -> Self {
        Self {
            name,
            text,
            lines: OnceLock::new(),
            characters: OnceLock::new(),
        }
    }

    /// The offsets at which lines start.
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let ends = self.text.match_indices('\n');
            std::iter::once(0)
                .chain(ends.map(|(at, _)| at as u32 + 1))
                .collect()
        })
    }

    /// The name shown to people, usually the path as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Line and column of a byte offset.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let line = self.lines().partition_point(|start| *start <= offset) - 1;
        let start = self.lines()[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.characters(start, end) as u32 + 1;
        Position {
            line: line as u32 + 1,
            column,
        }
    }

    /// How many characters start in a part of the text. The middle of a long part was counted before.
    fn characters(&self, start: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        if end - start < 2 * STEP {
            return starts(&bytes[start..end]);
        }
        let steps = self.characters.get_or_init(|| {
            let counts = bytes.chunks(STEP).scan(0, |before, chunk| {
                *before += starts(chunk) as u32;
                Some(*before)
            });
            std::iter::once(0).chain(counts).collect()
        });
        let (first, last) = (start.div_ceil(STEP), end / STEP);
        let middle = (steps[last] - steps[first]) as usize;
        starts(&bytes[start..first * STEP]) + middle + starts(&bytes[last * STEP..end])
    }

    /// The byte range of a line counted from 1, without its line break.
    #[must_use]
    pub fn line_range(&self, line: u32) -> std::ops::Range<usize> {
        let index = (line as usize).clamp(1, self.lines().len()) - 1;
        let start = self.lines()[index] as usize;
        let end = self
            .lines()
            .get(index + 1)
            .map_or(self.text.len(), |next| *next as usize);
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// The number of lines.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        self.lines().len() as u32
    }
}

/// How many characters start in some bytes; continuation bytes start none.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, offset: u32, line: u32, column: u32) {
        let file = File::new("a.go".into(), text.into());
        assert_eq!(file.position(offset), Position { line, column });
    }

    #[test]
    fn positions_count_from_one() {
        check("ab\ncd", 0, 1, 1);
        check("ab\ncd", 2, 1, 3);
        check("ab\ncd", 3, 2, 1);
        check("ab\ncd", 5, 2, 3);
    }

    #[test]
    fn columns_count_characters() {
        check("éa", 2, 1, 2);
    }

    #[test]
    fn columns_of_long_lines_are_the_same() {
        let text = format!("ab\n{}\n{}", "é1".repeat(3 * STEP), "2".repeat(5 * STEP));
        let file = File::new("a.json".into(), text.as_str().into());
        for (offset, _) in text.char_indices().step_by(97) {
            let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
            let column = text[start..offset].chars().count() as u32 + 1;
            assert_eq!(file.position(offset as u32).column, column, "{offset}");
        }
    }

    #[test]
    fn line_ranges_leave_out_the_break() {
        let file = File::new("a.go".into(), "ab\r\ncd\n".into());
        assert_eq!(file.line_range(1), 0..2);
        assert_eq!(file.line_range(2), 4..6);
        assert_eq!(file.line_range(3), 7..7);
    }
}
