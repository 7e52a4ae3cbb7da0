//! Offsets as browsers count them.

/// The texts of a request, in which offsets are converted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Utf16<'t> {
    text: &'t str,
    /// All bytes are characters, so that offsets stay as they are.
    is_ascii: bool,
}

impl<'t> Utf16<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            is_ascii: text.is_ascii(),
        }
    }

    /// A byte offset in UTF-16 units.
    pub(crate) fn offset(self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        if self.is_ascii {
            return byte;
        }
        let before = self.text.char_indices().take_while(|(at, _)| *at < byte);
        before.map(|(_, letter)| letter.len_utf16()).sum()
    }

    /// The line of a byte offset, counted from 1.
    pub(crate) fn line(self, byte: usize) -> usize {
        let before = &self.text.as_bytes()[..byte.min(self.text.len())];
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }
}

#[cfg(test)]
mod tests {
    use super::Utf16;

    #[test]
    fn characters_beyond_the_first_plane_count_twice() {
        for (text, byte, expected) in [("abc", 2, 2), ("äb", 2, 1), ("🌱b", 4, 2), ("a", 9, 1)] {
            assert_eq!(Utf16::new(text).offset(byte), expected, "{text} {byte}");
        }
    }
}
