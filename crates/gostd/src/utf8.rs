//! Runes as Go counts them. Go reads each byte that does not start a valid sequence as one U+FFFD, while Rust replaces
//! the longest invalid prefix by one, so lossy conversion needs its own code.

use std::borrow::Cow;

/// Counts the code points of a text (`utf8.RuneCountInString`).
pub fn rune_count(text: &str) -> usize {
    text.chars().count()
}

/// Counts the runes of any bytes; each invalid byte counts as one (`utf8.RuneCount`).
pub fn rune_count_bytes(bytes: &[u8]) -> usize {
    runes(bytes).count()
}

/// Reports whether the text has more than `limit` code points, decoding only if its length in bytes does not decide it.
pub fn is_longer_than(text: &str, limit: usize) -> bool {
    // Characters never outnumber bytes, and never use more than four of them.
    if text.len() <= limit {
        return false;
    }
    text.len() / 4 > limit || rune_count(text) > limit
}

/// A decoded rune: the character with its width, or one invalid byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rune {
    /// A valid sequence.
    Valid(char),
    /// A byte that does not start a valid sequence.
    Invalid(u8),
}

impl Rune {
    /// The character Go's `range` yields for it.
    pub fn char(self) -> char {
        match self {
            Rune::Valid(c) => c,
            Rune::Invalid(_) => char::REPLACEMENT_CHARACTER,
        }
    }
}

/// Iterates over the runes of any bytes as Go's `range` over a string does.
pub fn runes(bytes: &[u8]) -> impl Iterator<Item = Rune> + '_ {
    bytes.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(Rune::Valid);
        valid.chain(chunk.invalid().iter().map(|&byte| Rune::Invalid(byte)))
    })
}

/// Turns bytes into text with one U+FFFD for each invalid byte, as Go's JSON decoder does.
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(runes(bytes).map(Rune::char).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_runes_like_go() {
        for (bytes, want) in [
            (&b""[..], 0),
            (b"abc", 3),
            ("日本語".as_bytes(), 3),
            ("e\u{301}".as_bytes(), 2),
            ("😀".as_bytes(), 1),
            (b"\xff", 1),
            (b"\xe2\x82", 2),
            (b"\xf0\x9f\x98", 3),
            (b"\xed\xa0\x80", 3),
            (b"a\xc0\x80b", 4),
            (b"\xf5\x80\x80\x80", 4),
        ] {
            assert_eq!(rune_count_bytes(bytes), want, "{bytes:?}");
            assert_eq!(lossy(bytes).chars().count(), want, "{bytes:?}");
        }
    }

    #[test]
    fn length_limit_counts_characters_not_bytes() {
        for (text, limit, longer) in [
            ("", 0, false),
            ("a", 0, true),
            ("abc", 3, false),
            ("日本語", 3, false),
            ("日本語", 2, true),
            ("😀😀", 2, false),
            ("😀😀", 1, true),
            ("aaaaaaaaa", 1, true),
        ] {
            assert_eq!(is_longer_than(text, limit), longer, "{text} {limit}");
        }
    }

    #[test]
    fn lossy_replaces_every_invalid_byte() {
        assert_eq!(lossy(b"a\xe2\x82b"), "a\u{fffd}\u{fffd}b");
        assert!(matches!(lossy(b"plain"), Cow::Borrowed("plain")));
    }
}
