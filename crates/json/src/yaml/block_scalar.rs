//! Literal (`|`) and folded (`>`) scalars.

use super::cursor::Cursor;
use super::error::{Fault, Outcome};
use crate::Arena;

/// How the line breaks at the end are handled.
#[derive(Clone, Copy, PartialEq)]
enum Chomp {
    Clip,
    Strip,
    Keep,
}

/// A block scalar.
pub(super) struct Block<'a> {
    pub text: &'a str,
    /// The offset after its last character other than a line break.
    pub end: usize,
}

/// Reads the scalar whose `|` or `>` is here, inside a block that is indented by `parent`.
pub(super) fn block_scalar<'a>(cursor: &mut Cursor<'a>, arena: &'a Arena, parent: i64) -> Outcome<Block<'a>> {
    let folded = cursor.peek(0) == b'>';
    cursor.advance(1);
    let (chomp, increment) = header(cursor)?;
    let mut end = cursor.at;
    finish_header(cursor)?;

    let explicit = increment.map(|increment| parent.max(0) + i64::from(increment));
    let mut breaks = String::new();
    let indent = match explicit {
        Some(indent) => indent,
        None => detect_indent(cursor, parent, &mut breaks)?,
    };
    if explicit.is_some() {
        empty_lines(cursor, indent, &mut breaks)?;
    }

    let mut text = String::new();
    let mut last_break = "";
    // Lines that begin with white space keep the line breaks around them, even in a folded scalar.
    let mut after_indented = false;
    while i64::from(cursor.column) == indent && !cursor.at_end() {
        let indented = cursor.is_blank(0);
        if folded && last_break == "\n" && !after_indented && !indented {
            if breaks.is_empty() {
                text.push(' ');
            }
        } else {
            text.push_str(last_break);
        }
        text.push_str(&breaks);
        breaks.clear();
        after_indented = indented;
        let start = cursor.at;
        cursor.skip_line();
        text.push_str(&cursor.text[start..cursor.at]);
        end = cursor.at;
        last_break = if cursor.at_end() { "" } else { cursor.line_break() };
        empty_lines(cursor, indent, &mut breaks)?;
    }
    if chomp != Chomp::Strip {
        text.push_str(last_break);
    }
    if chomp == Chomp::Keep {
        text.push_str(&breaks);
    }
    Ok(Block {
        text: arena.alloc_str(&text),
        end,
    })
}

/// The chomping and indentation indicators, in either order.
fn header(cursor: &mut Cursor<'_>) -> Outcome<(Chomp, Option<u8>)> {
    let (mut chomp, mut increment) = (None, None);
    loop {
        match cursor.peek(0) {
            b'+' if chomp.is_none() => chomp = Some(Chomp::Keep),
            b'-' if chomp.is_none() => chomp = Some(Chomp::Strip),
            b'0' if increment.is_none() => {
                let message = "found an indentation indicator equal to 0";
                return Err(Fault::lexical(message, cursor.spot()));
            }
            digit @ b'1'..=b'9' if increment.is_none() => increment = Some(digit - b'0'),
            _ => return Ok((chomp.unwrap_or(Chomp::Clip), increment)),
        }
        cursor.advance(1);
    }
}

fn finish_header(cursor: &mut Cursor<'_>) -> Outcome<()> {
    cursor.skip_blanks();
    if cursor.peek(0) == b'#' {
        cursor.skip_line();
    }
    if cursor.break_len(0) > 0 {
        cursor.line_break();
    } else if !cursor.at_end() {
        let message = "did not find expected comment or line break";
        return Err(Fault::lexical(message, cursor.spot()));
    }
    Ok(())
}

/// Skips empty lines and finds the indentation: the maximum of them or that of the first line with content,
/// and always deeper than the parent.
fn detect_indent(cursor: &mut Cursor<'_>, parent: i64, breaks: &mut String) -> Outcome<i64> {
    let mut deepest = 0;
    loop {
        cursor.skip_spaces();
        deepest = deepest.max(i64::from(cursor.column));
        refuse_tab(cursor)?;
        if cursor.break_len(0) == 0 {
            return Ok(deepest.max(parent + 1).max(1));
        }
        breaks.push_str(cursor.line_break());
    }
}

/// Skips empty lines and the indentation of the next line.
fn empty_lines(cursor: &mut Cursor<'_>, indent: i64, breaks: &mut String) -> Outcome<()> {
    loop {
        cursor.skip_indent(u32::try_from(indent).unwrap_or_default());
        if i64::from(cursor.column) < indent {
            refuse_tab(cursor)?;
        }
        if cursor.break_len(0) == 0 {
            return Ok(());
        }
        breaks.push_str(cursor.line_break());
    }
}

fn refuse_tab(cursor: &Cursor<'_>) -> Outcome<()> {
    if cursor.peek(0) != b'\t' {
        return Ok(());
    }
    let message = "found a tab character where an indentation space is expected";
    Err(Fault::lexical(message, cursor.spot()))
}
