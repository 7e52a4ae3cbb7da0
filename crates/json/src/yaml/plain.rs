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
        let word_start = cursor.at;
        if cursor.is_document_mark() || (cursor.peek(0) == b'#' && word_start > start) {
            break;
        }
        let width = word_len(cursor, in_flow);
        if width == 0 {
            break;
        }
        cursor.advance(width);
        let word = &cursor.text[word_start..cursor.at];
        if gap.is_broken() && folded.is_none() {
            folded = Some(cursor.text[start..end].to_owned());
        }
        if let Some(text) = &mut folded {
            gap.append_to(text);
            text.push_str(word);
        }
        end = cursor.at;
        gap = Gap::default();
        collect_gap(cursor, indent, folded.is_some(), &mut gap)?;
        if !in_flow && gap.is_broken() && i64::from(cursor.column) <= indent {
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

/// Bytes within words, whatever comes before and after them.
const ORDINARY: [bool; 256] = {
    let mut ordinary = [true; 256];
    let special = b",?[]{}: \t\n\r\0\xc2\xe2";
    let mut at = 0;
    while at < special.len() {
        ordinary[special[at] as usize] = false;
        at += 1;
    }
    ordinary
};

/// The length up to white space or the end of the scalar; a single space between words of one line belongs to them.
fn word_len(cursor: &Cursor<'_>, in_flow: bool) -> usize {
    let rest = &cursor.text.as_bytes()[cursor.at..];
    let mut len = 0;
    loop {
        len += rest[len..]
            .iter()
            .take_while(|&&byte| ORDINARY[usize::from(byte)])
            .count();
        match cursor.peek(len) {
            b',' | b'?' | b'[' | b']' | b'{' | b'}' if in_flow => return len,
            b':' if cursor.is_gap(len + 1) => return len,
            b' ' if len > 0 && cursor.peek(len + 1).is_ascii_alphanumeric() => len += 2,
            b' ' | b'\t' | b'\n' | b'\r' => return len,
            0 if cursor.at + len >= cursor.text.len() => return len,
            0xc2 | 0xe2 if cursor.break_len(len) > 0 => return len,
            _ => len += 1,
        }
    }
}

fn collect_gap(cursor: &mut Cursor<'_>, indent: i64, keep_blanks: bool, gap: &mut Gap) -> Outcome<()> {
    loop {
        let byte = cursor.peek(0);
        if cursor.break_len(0) > 0 {
            gap.push_break(cursor.line_break());
        } else if byte != b' ' && byte != b'\t' {
            return Ok(());
        } else if byte == b'\t' && gap.is_broken() && i64::from(cursor.column) <= indent {
            let message = "found a tab character that violates indentation";
            return Err(Fault::lexical(message, cursor.spot()));
        } else {
            if keep_blanks {
                gap.push_blank(byte);
            }
            cursor.advance(1);
        }
    }
}
