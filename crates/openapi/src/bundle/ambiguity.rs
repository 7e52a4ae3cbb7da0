//! Whether the lines of a YAML text can be trusted: nothing opened on one line may reach into another line of
//! interest.
//!
//! Block and plain scalars cannot: they end with their indentation. Quoted scalars and flow collections can,
//! and YAML has more line breaks than `\n`.

use memchr::{memchr_iter, memchr2_iter, memmem};

/// Whether every line whose content begins within the first `columns` columns is what it looks like.
pub(super) fn is_certain(text: &str, columns: usize) -> bool {
    !has_odd_breaks(text) && opened(text).all(|at| closes(text, at, columns))
}

/// Whether the text has anchors, to which other items of a list may refer.
pub(super) fn has_anchors(text: &str) -> bool {
    let bytes = text.as_bytes();
    let names = |at: usize| bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    memchr_iter(b'&', bytes).any(|at| names(at) && is_at_value(bytes, at))
}

fn has_odd_breaks(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n'))
        || ["\u{85}", "\u{2028}", "\u{2029}", "\u{feff}"]
            .iter()
            .any(|odd| memmem::find(bytes, odd.as_bytes()).is_some())
}

/// Positions where something may be opened: a quote or bracket where a value is expected.
fn opened(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let quotes = memchr2_iter(b'"', b'\'', bytes);
    quotes
        .chain(memchr2_iter(b'{', b'[', bytes))
        .filter(|&at| is_at_value(bytes, at))
}

/// Whether a value can begin here: after an indicator, on the same line or the one before.
///
/// A quote or bracket at the beginning of any other line is text or a key, which cannot reach the next line.
fn is_at_value(bytes: &[u8], at: usize) -> bool {
    let before = trim_spaces(&bytes[..at]);
    let is_first = matches!(before.last(), None | Some(b'\n'));
    if !is_first {
        return before.len() < at && announces_value(last_line(before));
    }
    let before = before.trim_ascii_end();
    let line = last_line(before);
    before.is_empty() || line.contains(&b'#') || line.starts_with(b"---") || announces_value(line)
}

/// Whether a value can follow this part of a line: it ends with an indicator, a tag or an anchor.
fn announces_value(line: &[u8]) -> bool {
    let word = line
        .rsplit(|byte| matches!(byte, b' ' | b'\t'))
        .next()
        .unwrap_or_default();
    matches!(line.last(), Some(b':' | b'-' | b'?')) || matches!(word.first(), Some(b'!' | b'&'))
}

fn trim_spaces(bytes: &[u8]) -> &[u8] {
    let spaces = bytes.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t'));
    &bytes[..bytes.len() - spaces.count()]
}

fn last_line(bytes: &[u8]) -> &[u8] {
    bytes.rsplit(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// Whether the value opened here is closed before the next line of interest.
fn closes(text: &str, at: usize, columns: usize) -> bool {
    let bytes = &text.as_bytes()[at..];
    let quote = bytes[0];
    if matches!(quote, b'{' | b'[') {
        return flow_closes(bytes);
    }
    let Some(end) = quoted_end(bytes, quote) else {
        return false;
    };
    let is_deep = |line: &[u8]| {
        let indent = line.iter().take_while(|&&byte| byte == b' ').count();
        indent > columns || indent == line.len()
    };
    bytes[..end].split(|&byte| byte == b'\n').skip(1).all(is_deep)
}

fn quoted_end(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut here = 1;
    loop {
        match *bytes.get(here)? {
            b'\\' if quote == b'"' => here += 2,
            b'\'' if quote == b'\'' && bytes.get(here + 1) == Some(&b'\'') => here += 2,
            byte if byte == quote => return Some(here + 1),
            _ => here += 1,
        }
    }
}

/// Whether a flow collection ends on the line where it begins.
fn flow_closes(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let (mut depth, mut here) = (0usize, 0);
    while let Some(&byte) = line.get(here) {
        let begins = here > 0 && matches!(line[here - 1], b' ' | b'\t' | b'{' | b'[' | b',' | b':' | b'?');
        match byte {
            b'#' if begins => return false,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'"' | b'\'' if begins => match quoted_end(&line[here..], byte) {
                Some(end) => here += end - 1,
                None => return false,
            },
            _ => {}
        }
        if depth == 0 {
            return true;
        }
        here += 1;
    }
    false
}
