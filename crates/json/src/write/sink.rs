//! The output of the JSON writer: a string, or just a count of bytes.

/// Takes text piece by piece.
pub(super) trait Sink {
    fn push(&mut self, character: char);
    fn push_str(&mut self, text: &str);
    /// How many bytes are held.
    fn held(&self) -> usize;
}

impl Sink for String {
    #[inline]
    fn push(&mut self, character: char) {
        String::push(self, character);
    }

    #[inline]
    fn push_str(&mut self, text: &str) {
        String::push_str(self, text);
    }

    fn held(&self) -> usize {
        self.len()
    }
}

/// Counts bytes.
#[derive(Debug, Default)]
pub(super) struct Count {
    pub(super) bytes: usize,
}

impl Sink for Count {
    #[inline]
    fn push(&mut self, character: char) {
        self.bytes += character.len_utf8();
    }

    #[inline]
    fn push_str(&mut self, text: &str) {
        self.bytes += text.len();
    }

    fn held(&self) -> usize {
        0
    }
}
