//! A place in YAML text: characters, line breaks and marks. Knows no token.

/// Where something is: everything counts from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// Byte offset.
    pub(super) offset: usize,
    /// Number of characters before.
    pub(super) index: usize,
    pub(super) line: usize,
    /// Column in characters.
    pub(super) column: usize,
}

pub(super) struct Cursor<'t> {
    text: &'t str,
    pub(super) mark: Mark,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Cursor {
            text,
            mark: Mark::default(),
        }
    }

    /// The byte `ahead` bytes from here; `None` behind the end.
    #[inline]
    pub(super) fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.mark.offset + ahead).copied()
    }

    #[inline]
    pub(super) fn is(&self, byte: u8) -> bool {
        self.byte(0) == Some(byte)
    }

    pub(super) fn at_end(&self) -> bool {
        self.mark.offset >= self.text.len()
    }

    /// A space or a tab, `ahead` bytes from here.
    #[inline]
    pub(super) fn is_blank(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), Some(b' ' | b'\t'))
    }

    /// The length of the line break `ahead` bytes from here, 0 if there is none. CR LF counts as one.
    #[inline]
    pub(super) fn break_len(&self, ahead: usize) -> usize {
        match self.byte(ahead) {
            Some(b'\r') if self.byte(ahead + 1) == Some(b'\n') => 2,
            Some(b'\r' | b'\n') => 1,
            Some(0xc2) if self.byte(ahead + 1) == Some(0x85) => 2,
            Some(0xe2) if self.byte(ahead + 1) == Some(0x80) => match self.byte(ahead + 2) {
                Some(0xa8 | 0xa9) => 3,
                _ => 0,
            },
            _ => 0,
        }
    }

    pub(super) fn is_break(&self, ahead: usize) -> bool {
        self.break_len(ahead) > 0
    }

    /// A line break or the end.
    pub(super) fn is_break_or_end(&self, ahead: usize) -> bool {
        self.byte(ahead).is_none() || self.is_break(ahead)
    }

    /// A space, a tab, a line break or the end.
    #[inline]
    pub(super) fn is_space_or_end(&self, ahead: usize) -> bool {
        match self.byte(ahead) {
            None | Some(b' ' | b'\t' | b'\r' | b'\n') => true,
            Some(0xc2 | 0xe2) => self.is_break(ahead),
            _ => false,
        }
    }

    /// A letter, digit, `_` or `-`.
    pub(super) fn is_word(&self) -> bool {
        self.byte(0)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
    }

    /// `---` or `...` at the start of a line, followed by white space.
    pub(super) fn is_document_indicator(&self) -> bool {
        self.mark.column == 0
            && (self.rest().starts_with("---") || self.rest().starts_with("..."))
            && self.is_space_or_end(3)
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.mark.offset..]
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        &self.text[from..to]
    }

    /// Moves one character on.
    #[inline]
    pub(super) fn skip(&mut self) {
        let length = match self.byte(0) {
            None => return,
            Some(0..0x80) => 1,
            Some(0x80..0xe0) => 2,
            Some(0xe0..0xf0) => 3,
            Some(_) => 4,
        };
        self.mark.offset += length;
        self.mark.index += 1;
        self.mark.column += 1;
    }

    pub(super) fn skip_ascii(&mut self, count: usize) {
        (0..count).for_each(|_| self.skip());
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank(0) {
            self.skip();
        }
    }

    pub(super) fn skip_comment(&mut self) {
        if self.is(b'#') {
            while !self.is_break_or_end(0) {
                self.skip();
            }
        }
    }

    /// Moves one character on and keeps it.
    pub(super) fn read(&mut self, into: &mut String) {
        let from = self.mark.offset;
        self.skip();
        into.push_str(self.slice(from, self.mark.offset));
    }

    /// Moves behind the line break and returns what it reads as: LS and PS stay, all others are newlines.
    pub(super) fn read_break(&mut self) -> &'t str {
        let (from, length) = (self.mark.offset, self.break_len(0));
        if length == 0 {
            return "";
        }
        self.mark.offset += length;
        self.mark.index += if self.slice(from, self.mark.offset) == "\r\n" {
            2
        } else {
            1
        };
        self.mark.column = 0;
        self.mark.line += 1;
        if length == 3 {
            self.slice(from, self.mark.offset)
        } else {
            "\n"
        }
    }
}
