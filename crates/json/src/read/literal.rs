//! The words `true`, `false` and `null`.

use super::error::Fault;

/// A word with Go's messages, by the number of correct bytes minus one.
pub(super) type Word = (&'static str, &'static [&'static str]);

/// Skips the word, whose first byte is at `at`.
#[inline]
pub(super) fn literal(bytes: &[u8], at: usize, (word, contexts): Word) -> Result<usize, Fault> {
    let rest = &bytes[at..];
    if rest.starts_with(word.as_bytes()) {
        return Ok(at + word.len());
    }
    let matched = rest
        .iter()
        .zip(word.as_bytes())
        .take_while(|(byte, expected)| byte == expected)
        .count();
    Err(Fault::invalid(at + matched, contexts[matched - 1]))
}

pub(super) const TRUE: Word = (
    "true",
    &[
        "in literal true (expecting 'r')",
        "in literal true (expecting 'u')",
        "in literal true (expecting 'e')",
    ],
);
pub(super) const FALSE: Word = (
    "false",
    &[
        "in literal false (expecting 'a')",
        "in literal false (expecting 'l')",
        "in literal false (expecting 's')",
        "in literal false (expecting 'e')",
    ],
);
pub(super) const NULL: Word = (
    "null",
    &[
        "in literal null (expecting 'u')",
        "in literal null (expecting 'l')",
        "in literal null (expecting 'l')",
    ],
);
