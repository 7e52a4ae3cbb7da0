//! The text of a document with its lines, and positions as editors count them.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every editor knows.
    #[default]
    Utf16,
}

/// A text and where its lines start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    text: String,
    lines: Vec<usize>,
    encoding: Encoding,
}

impl Text {
    pub(crate) fn new(text: String, encoding: Encoding) -> Self {
        let lines = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Self {
            text,
            lines,
            encoding,
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The offset where a line starts; that of the end for lines after the last.
    pub(crate) fn line_start(&self, line: usize) -> usize {
        self.lines.get(line).copied().unwrap_or(self.text.len())
    }

    /// A line without its break.
    pub(crate) fn line(&self, line: usize) -> &str {
        let (start, end) = (self.line_start(line), self.line_start(line + 1));
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// The offset of a position; positions after the end of a line are its end.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let (start, text) = (self.line_start(line), self.line(line));
        let wanted = position.character as usize;
        if self.encoding == Encoding::Utf8 {
            let mut at = wanted.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            return start + at;
        }
        let mut units = 0;
        for (at, letter) in text.char_indices() {
            if units >= wanted {
                return start + at;
            }
            units += letter.len_utf16();
        }
        start + text.len()
    }

    /// The position of an offset.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.lines.partition_point(|start| *start <= offset) - 1;
        let before = self.text.get(self.lines[line]..offset).unwrap_or_default();
        let character = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        Position::new(line as u32, character as u32)
    }

    pub(crate) fn range(&self, range: std::ops::Range<usize>) -> Range {
        Range::new(self.position(range.start), self.position(range.end))
    }

    /// Replaces a part, or everything.
    pub(crate) fn change(&mut self, change: &TextDocumentContentChangeEvent) {
        let Some(range) = change.range else {
            *self = Self::new(change.text.clone(), self.encoding);
            return;
        };
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        let mut text = std::mem::take(&mut self.text);
        text.replace_range(start..end.max(start), &change.text);
        *self = Self::new(text, self.encoding);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, encoding: Encoding, offset: usize, line: u32, character: u32) {
        let text = Text::new(text.to_owned(), encoding);
        let position = Position::new(line, character);
        assert_eq!(text.position(offset), position);
        assert_eq!(text.offset(position), offset);
    }

    #[test]
    fn columns_count_units() {
        check("a\né𝄞b", Encoding::Utf16, 8, 1, 3);
        check("a\né𝄞b", Encoding::Utf8, 8, 1, 6);
        check("", Encoding::Utf16, 0, 0, 0);
    }

    #[test]
    fn positions_beyond_the_text_are_its_end() {
        let text = Text::new("ab\nc".to_owned(), Encoding::Utf16);
        assert_eq!(text.offset(Position::new(0, 99)), 2);
        assert_eq!(text.offset(Position::new(9, 9)), 4);
        assert_eq!(text.position(99), Position::new(1, 1));
    }

    #[test]
    fn changes_replace_a_part() {
        let mut text = Text::new("one\ntwo\n".to_owned(), Encoding::Utf16);
        text.change(&TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(0, 1), Position::new(1, 1))),
            range_length: None,
            text: "-".to_owned(),
        });
        assert_eq!(text.as_str(), "o-wo\n");
        assert_eq!(text.line(0), "o-wo");
    }
}
