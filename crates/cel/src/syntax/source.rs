//! The text of an expression and positions in it: code points, lines, snippets.
//!
//! Knows nothing about tokens. Positions count code points, as cel-go's `common.Source` does.

/// A zero-based code point offset into an expression.
pub type Offset = u32;

/// The offset of parts that are not in the text; cel-go shows them before the first column.
pub(crate) const NOWHERE: Offset = Offset::MAX;

/// A line and column; lines count from one, columns from zero.
///
/// Line `-1` marks an error without a place, which cel-go prints as `-1:0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// One-based line, or -1 for no place.
    pub line: i32,
    /// Zero-based column in code points.
    pub column: i32,
}

impl Location {
    /// The location of errors without a place.
    pub const NONE: Location = Location { line: -1, column: -1 };
}

/// An expression's text, decoded once, with the start of every line.
#[derive(Clone, Debug)]
pub struct Source {
    chars: Vec<char>,
    line_starts: Vec<Offset>,
}

impl Source {
    /// Decodes `text` and notes where lines start.
    pub fn new(text: &str) -> Source {
        let chars: Vec<char> = text.chars().collect();
        let mut line_starts = vec![0];
        for (at, c) in chars.iter().enumerate() {
            if *c == '\n' {
                line_starts.push(at as Offset + 1);
            }
        }
        Source { chars, line_starts }
    }

    /// The code points of the text.
    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// The line and column of an offset.
    pub fn location(&self, offset: Offset) -> Location {
        // An empty text has no locations.
        if offset == NOWHERE || self.chars.is_empty() {
            return Location { line: 1, column: -1 };
        }
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        Location {
            line: line as i32,
            column: (offset - start) as i32,
        }
    }

    /// The text between two offsets.
    pub fn slice(&self, start: usize, end: usize) -> String {
        let end = end.min(self.chars.len());
        self.chars[start.min(end)..end].iter().collect()
    }

    /// The text of a line without its end, or `None` when there is no such line.
    pub fn snippet(&self, line: i32) -> Option<String> {
        if line < 1 || self.chars.is_empty() {
            return None;
        }
        let start = *self.line_starts.get(line as usize - 1)? as usize;
        let end = match self.line_starts.get(line as usize) {
            Some(next) => *next as usize - 1,
            None => self.chars.len(),
        };
        Some(self.slice(start, end))
    }
}
