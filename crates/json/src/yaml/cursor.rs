//! A position in YAML text that moves forward and tracks line and column. Knows characters, not grammar.

/// A position: lines, columns (in characters) and offsets (in bytes) count from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spot {
    pub offset: u32,
    pub line: u32,
    pub column: u32,
}

/// Reads text from front to back.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
    pub line: u32,
    pub column: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Cursor {
            text,
            at: 0,
            line: 0,
            column: 0,
        }
    }

    pub(super) fn spot(&self) -> Spot {
        Spot {
            offset: self.at as u32,
            line: self.line,
            column: self.column,
        }
    }

    /// The position of the end: a last line without a line break counts as complete.
    pub(super) fn end_spot(&self) -> Spot {
        match self.column {
            0 => self.spot(),
            _ => Spot {
                offset: self.at as u32,
                line: self.line + 1,
                column: 0,
            },
        }
    }

    pub(super) fn rewind(&mut self, spot: Spot) {
        (self.at, self.line, self.column) = (spot.offset as usize, spot.line, spot.column);
    }

    /// The byte `ahead` of here; 0, which text cannot contain, at the end.
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// The length in bytes of the line break `ahead` of here, 0 if there is none. YAML 1.1 has six.
    pub(super) fn break_len(&self, ahead: usize) -> usize {
        match self.peek(ahead) {
            b'\n' => 1,
            b'\r' => 1 + usize::from(self.peek(ahead + 1) == b'\n'),
            0xc2 if self.peek(ahead + 1) == 0x85 => 2,
            0xe2 if self.peek(ahead + 1) == 0x80 && matches!(self.peek(ahead + 2), 0xa8 | 0xa9) => 3,
            _ => 0,
        }
    }

    pub(super) fn is_blank(&self, ahead: usize) -> bool {
        matches!(self.peek(ahead), b' ' | b'\t')
    }

    /// Does a word end `ahead` of here: white space, line break or the end?
    pub(super) fn is_gap(&self, ahead: usize) -> bool {
        self.is_blank(ahead) || self.at + ahead >= self.text.len() || self.break_len(ahead) > 0
    }

    /// Moves forward within a line.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.column += match bytes {
            1 => 1,
            _ => {
                let passed = &self.text.as_bytes()[self.at..self.at + bytes];
                passed.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u32
            }
        };
        self.at += bytes;
    }

    /// Moves over one character other than a line break.
    pub(super) fn advance_char(&mut self) {
        let width = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        self.at += width;
        self.column += 1;
    }

    /// Moves over a line break and returns its value: `\n`, or one of the two Unicode separators.
    pub(super) fn line_break(&mut self) -> &'a str {
        let width = self.break_len(0);
        let raw = &self.text[self.at..self.at + width];
        self.at += width;
        self.line += 1;
        self.column = 0;
        if width == 3 { raw } else { "\n" }
    }

    /// Moves over spaces.
    pub(super) fn skip_spaces(&mut self) {
        self.skip_indent(u32::MAX);
    }

    /// Moves over spaces up to a column.
    pub(super) fn skip_indent(&mut self, column: u32) {
        let room = column.saturating_sub(self.column);
        let spaces = self.spaces().min(room as usize);
        self.at += spaces;
        self.column += spaces as u32;
    }

    /// How many spaces are here. Indentation is long, so eight are looked at at a time.
    fn spaces(&self) -> usize {
        const SPACES: u64 = u64::from_le_bytes([b' '; 8]);
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let (eights, tail) = rest.as_chunks::<8>();
        let mut spaces = 0;
        for eight in eights {
            let others = u64::from_le_bytes(*eight) ^ SPACES;
            spaces += (others.trailing_zeros() / 8) as usize;
            if others != 0 {
                return spaces;
            }
        }
        spaces + tail.iter().take_while(|&&byte| byte == b' ').count()
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank(0) {
            self.at += 1;
            self.column += 1;
        }
    }

    /// Moves to the next line break or the end.
    pub(super) fn skip_line(&mut self) {
        while !self.at_end() && self.break_len(0) == 0 {
            let may_break = |byte: &u8| matches!(byte, b'\n' | b'\r' | 0xc2 | 0xe2);
            let rest = &self.text.as_bytes()[self.at..];
            match rest.iter().position(may_break).unwrap_or(rest.len()) {
                0 => self.advance_char(),
                len => self.advance(len),
            }
        }
    }

    /// Is this a line with `---` or `...`, perhaps followed by a space and more?
    pub(super) fn is_document_mark(&self) -> bool {
        self.column == 0
            && matches!(
                self.text.as_bytes().get(self.at..self.at + 3),
                Some(b"---" | b"...")
            )
            && self.is_gap(3)
    }

    /// Skips white space, comments and line breaks. Tabs count as white space only where no block structure
    /// can begin. A line break outside of brackets sets `fresh`.
    pub(super) fn skip_to_content(&mut self, in_flow: bool, fresh: &mut bool) {
        loop {
            match self.peek(0) {
                b' ' => self.skip_spaces(),
                b'\t' if in_flow || !*fresh => self.advance(1),
                b'#' => self.skip_line(),
                _ if self.break_len(0) > 0 => {
                    self.line_break();
                    *fresh |= !in_flow;
                }
                _ => return,
            }
        }
    }
}
