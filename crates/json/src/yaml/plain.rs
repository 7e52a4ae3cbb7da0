//! Plain scalars, which have no quotes. Knows where they end, not what they mean.

use super::cursor::Cursor;
use super::error::{Fault, Outcome};
use super::fold::Gap;
use crate::Arena;

/// A plain scalar.
pub(super) struct Plain<'a> {
    pub text: &'a str,
    /// The offset after its last character.
    pub end: usize,
    /// Is the cursor on a later line than the end?
    pub line_passed: bool,
}

/// Reads a plain scalar. Outside of brackets its further lines must be indented deeper than `indent`.
pub(super) fn plain<'a>(
    cursor: &mut Cursor<'a>,
    arena: &'a Arena,
    indent: i64,
    in_flow: bool,
) -> Outcome<Plain<'a>> {
    let start = cursor.at;
    let mut folded: Option<String> = None;
    let mut end = start;
    let mut gap = Gap::default();
    loop {
        let line_start = cursor.at;
        if cursor.is_document_mark() || (cursor.peek(0) == b'#' && line_start > start) {
            break;
        }
        let width = line_len(cursor, in_flow);
        if width == 0 {
            break;
        }
        cursor.advance(width);
        if gap.is_broken() {
            let text = folded.get_or_insert_with(|| first_line(&cursor.text[start..end]));
            gap.append_to(text);
            text.push_str(&cursor.text[line_start..cursor.at]);
        }
        end = cursor.at;
        gap = collect_gap(cursor, indent)?;
        if !gap.is_broken() || (!in_flow && i64::from(cursor.column) <= indent) {
            break;
        }
    }
    let text = match folded {
        Some(text) => arena.alloc_str(&text),
        None => &cursor.text[start..end],
    };
    Ok(Plain {
        text,
        end,
        line_passed: gap.is_broken(),
    })
}

/// The text of a scalar of several lines, with room for more.
fn first_line(line: &str) -> String {
    let mut text = String::with_capacity(2 * line.len() + 256);
    text.push_str(line);
    text
}

/// The length of the text of this line, up to a colon, a comment or the end of the scalar.
fn line_len(cursor: &Cursor<'_>, in_flow: bool) -> usize {
    let rest = &cursor.text.as_bytes()[cursor.at..];
    let mut len = 0;
    loop {
        len += if in_flow {
            rest[len..].iter().take_while(|&&byte| !is_special(byte)).count()
        } else {
            ordinary_len(&rest[len..])
        };
        let ends = match cursor.peek(len) {
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => in_flow,
            b':' => cursor.is_gap(len + 1),
            b'#' => len == 0 || cursor.is_blank(len - 1),
            0 => cursor.at + len >= cursor.text.len(),
            _ => cursor.break_len(len) > 0,
        };
        if ends {
            break;
        }
        len += 1;
    }
    let blanks = rest[..len]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t'));
    len - blanks.count()
}

/// Whether a scalar may end at a byte, or in brackets.
fn is_special(byte: u8) -> bool {
    matches!(byte, ..b' ' | b':' | b'#' | 0x80.. | b',' | b'?' | b'[' | b']' | b'{' | b'}')
}

/// How many bytes there are at which no scalar ends outside of brackets. Eight are looked at at a time.
fn ordinary_len(text: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    // A borrow can only change bytes above a true match, and only the lowest match counts.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let (eights, tail) = text.as_chunks::<8>();
    let mut len = 0;
    for eight in eights {
        let word = u64::from_le_bytes(*eight);
        let colons = zeros(word ^ (ONES * u64::from(b':')));
        let comments = zeros(word ^ (ONES * u64::from(b'#')));
        let controls = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let hits = colons | comments | controls | word & HIGHS;
        len += (hits.trailing_zeros() / 8) as usize;
        if hits != 0 {
            return len;
        }
    }
    let is_ordinary = |byte: &&u8| !matches!(byte, ..b' ' | b':' | b'#' | 0x80..);
    len + tail.iter().take_while(is_ordinary).count()
}

/// Moves over white space and line breaks.
fn collect_gap(cursor: &mut Cursor<'_>, indent: i64) -> Outcome<Gap> {
    let mut gap = Gap::default();
    loop {
        match cursor.peek(0) {
            b' ' => cursor.skip_spaces(),
            b'\t' if gap.is_broken() && i64::from(cursor.column) <= indent => {
                let message = "found a tab character that violates indentation";
                return Err(Fault::lexical(message, cursor.spot()));
            }
            b'\t' => cursor.advance(1),
            _ if cursor.break_len(0) > 0 => gap.push_break(cursor.line_break()),
            _ => return Ok(gap),
        }
    }
}
