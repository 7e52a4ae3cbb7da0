//! Sequences of eight words as numbers. Words do not depend on where a text is written: a sentence gives the same
//! sequences as a Go comment, a YAML block, a JSON string and a line of Markdown.

/// How many words make a sequence.
pub(crate) const LENGTH: usize = 8;

/// How many bits of a number are kept.
pub(crate) const BITS: u32 = 40;

/// A sequence in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sequence {
    /// Its hash.
    pub(crate) number: u64,
    /// Where its first word begins.
    pub(crate) start: usize,
    /// Where its last word ends.
    pub(crate) end: usize,
}

/// All sequences of a text, one for every word but the last seven.
pub(crate) fn sequences(text: &[u8]) -> Vec<Sequence> {
    let words = words(text);
    let mut found = Vec::with_capacity(words.len());
    // A rolling hash: words that left the window are subtracted again.
    let mut sum = 0_u64;
    for (at, word) in words.iter().enumerate() {
        sum = sum.wrapping_mul(BASE).wrapping_add(word.hash);
        if let Some(old) = at.checked_sub(LENGTH) {
            sum = sum.wrapping_sub(words[old].hash.wrapping_mul(BEHIND));
        }
        if let Some(first) = (at + 1).checked_sub(LENGTH) {
            found.push(Sequence {
                number: scattered(sum),
                start: words[first].start,
                end: word.end,
            });
        }
    }
    found
}

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
const BEHIND: u64 = BASE.wrapping_pow(LENGTH as u32);

/// Mixes a number so that every bit depends on all bits.
fn scattered(sum: u64) -> u64 {
    let mixed = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed >> (64 - BITS)
}

/// The words between two places, in lower case.
pub(crate) fn spelled(text: &[u8], start: usize, end: usize) -> String {
    let words = words(&text[start..end]);
    let spelled = words.iter().map(|word| {
        let letters = &text[start + word.start..start + word.end];
        String::from_utf8_lossy(letters).to_ascii_lowercase()
    });
    spelled.collect::<Vec<_>>().join(" ")
}

#[derive(Debug, Clone, Copy)]
struct Word {
    start: usize,
    end: usize,
    hash: u64,
}

/// The words of a text: at least two letters and no digits. Tags, escapes and URLs are not words.
fn words(text: &[u8]) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.len() / 6);
    let mut at = 0;
    let mut is_line_start = true;
    while at < text.len() {
        let byte = text[at];
        match byte {
            b'\n' => is_line_start = true,
            b' ' | b'\t' | b'/' | b'*' | b'#' | b'!' if is_line_start => {}
            b'+' if is_line_start => {
                at += length(&text[at..], |byte| byte != b'\n');
                continue;
            }
            b'\\' => at += escape(&text[at..]),
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                is_line_start = false;
                let end = at + length(&text[at..], |byte| byte.is_ascii_alphanumeric());
                if text[end..].starts_with(b"://") {
                    at = end + length(&text[end..], |byte| !byte.is_ascii_whitespace() && byte != b'"');
                    continue;
                }
                words.extend(word(text, at, end));
                at = end;
                continue;
            }
            _ => is_line_start = false,
        }
        at += 1;
    }
    words
}

fn word(text: &[u8], start: usize, end: usize) -> Option<Word> {
    let letters = &text[start..end];
    if letters.len() < 2 || !letters.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let hash = letters.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, letter| {
        (hash ^ u64::from(letter.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    });
    Some(Word { start, end, hash })
}

/// How many bytes after the backslash belong to an escape.
fn escape(text: &[u8]) -> usize {
    match text.get(1) {
        Some(b'u') if text.len() > 5 && text[2..6].iter().all(u8::is_ascii_hexdigit) => 5,
        // A line continuation.
        Some(b'\n') | None => 0,
        Some(_) => 1,
    }
}

fn length(text: &[u8], is_inside: impl Fn(u8) -> bool) -> usize {
    text.iter()
        .position(|byte| !is_inside(*byte))
        .unwrap_or(text.len())
}
