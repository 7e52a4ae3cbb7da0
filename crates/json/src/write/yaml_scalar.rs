//! Strings in written YAML: the choice of a style, and the text in each style. Knows no containers.

use std::fmt::Write;

use crate::Value;
use crate::yaml::{is_timestamp, untagged};

/// Lines are folded after this column.
const WIDTH: usize = 80;
/// A longer key, in bytes, is written after a question mark.
const LONGEST_KEY: usize = 128;

/// Must a key be written after a question mark?
pub(super) fn is_long_key(key: &str) -> bool {
    key.len() > LONGEST_KEY || key.contains(is_break)
}

/// Whether a text is one short word that is written as it is, which is true for most keys.
pub(super) fn is_word(text: &str) -> bool {
    let first = text.bytes().next();
    first.is_some_and(|first| first.is_ascii_alphabetic())
        && text.len() <= LONGEST_KEY
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !reads_as_other(text)
}

/// Appends a string whose further lines are indented by `indent`. With `whole_line` it may take several lines
/// and ends with a line break. Returns whether it has escapes of other characters than quotes, backslashes, tabs and line breaks.
pub(super) fn append_string(out: &mut String, text: &str, indent: usize, whole_line: bool) -> bool {
    let classes = classes(text);
    let style = style(text, classes);
    // If nothing can be folded, the column does not matter.
    let may_fold = whole_line && classes & (SPACE | ODD) != 0 && style != Style::Literal;
    let mut pen = Pen {
        column: if may_fold { column(out) } else { 0 },
        out,
        indent,
        may_fold,
        escapes: false,
    };
    match style {
        Style::Plain => pen.folded(text),
        Style::Single => pen.single(text, classes),
        Style::Double => pen.double(text),
        Style::Literal => pen.literal(text, classes),
    }
    let escapes = pen.escapes;
    if whole_line && !out.ends_with('\n') {
        out.push('\n');
    }
    escapes
}

fn column(out: &str) -> usize {
    let line = out.rfind('\n').map_or(0, |newline| newline + 1);
    out[line..].chars().count()
}

/// `\n`.
const BREAK: u8 = 1;
/// Neither printable ASCII nor `\n`.
const ODD: u8 = 2;
/// `:` and `#`, which have a meaning next to blanks.
const MARK: u8 = 4;
/// `'`.
const QUOTE: u8 = 8;
/// A blank.
const SPACE: u8 = 16;

static CLASS: [u8; 256] = {
    let mut class = [ODD; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        class[byte as usize] = match byte {
            b' ' => SPACE,
            b':' | b'#' => MARK,
            b'\'' => QUOTE,
            _ => 0,
        };
        byte += 1;
    }
    class[b'\n' as usize] = BREAK;
    class
};

/// The classes of the bytes in a text: most texts contain nothing that needs a closer look.
fn classes(text: &str) -> u8 {
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk::<BLOCK>() else {
        return bytes
            .iter()
            .fold(0, |found, byte| found | CLASS[usize::from(*byte)]);
    };
    // The last block may overlap the one before: seeing bytes twice makes no difference.
    let mut found = [0; BLOCK];
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    for block in blocks.iter().chain([last]) {
        add_classes(&mut found, block);
    }
    found.into_iter().fold(0, |found, one| found | one)
}

/// The number of bytes classified together.
const BLOCK: usize = 32;

/// Adds the classes of a block by comparisons without branches, which the compiler vectorizes.
fn add_classes(found: &mut [u8; BLOCK], block: &[u8; BLOCK]) {
    let class = |class: u8, is: bool| if is { class } else { 0 };
    for (found, &byte) in found.iter_mut().zip(block) {
        let is_odd = (byte.wrapping_sub(b' ') > b'~' - b' ') && (byte != b'\n');
        *found |= class(BREAK, byte == b'\n')
            | class(ODD, is_odd)
            | class(MARK, (byte == b':') || (byte == b'#'))
            | class(QUOTE, byte == b'\'')
            | class(SPACE, byte == b' ');
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

fn style(text: &str, classes: u8) -> Style {
    if reads_as_other(text) {
        return Style::Double;
    }
    let is_odd = classes & ODD != 0;
    if is_odd
        && text
            .chars()
            .any(|character| !is_printable(character) && !matches!(character, '\n' | '\u{2028}' | '\u{2029}'))
    {
        return Style::Double;
    }
    if classes & BREAK != 0 {
        let spoiled = text.ends_with(' ')
            || if is_odd {
                follows(text, ' ', is_break)
            } else {
                text.contains(" \n")
            };
        return if spoiled { Style::Double } else { Style::Literal };
    }
    if is_odd && text.contains(is_break) {
        let spoiled =
            follows(text, ' ', is_break) || text.split(is_break).skip(1).any(|line| line.starts_with(' '));
        return if spoiled { Style::Double } else { Style::Single };
    }
    if is_plain(text, classes) {
        Style::Plain
    } else {
        Style::Single
    }
}

/// Would YAML, or a YAML 1.1 reader, read it as something other than a string without quotes?
fn reads_as_other(text: &str) -> bool {
    let is_numeric = || text.starts_with(|first: char| matches!(first, '0'..='9' | '-' | '+'));
    !matches!(untagged(text), Value::Str(_)) || is_numeric() && (is_timestamp(text) || is_base_60(text))
}

/// Is there a `first` followed by a character that `second` accepts?
fn follows(text: &str, first: char, second: fn(char) -> bool) -> bool {
    text.chars()
        .zip(text.chars().skip(1))
        .any(|(one, other)| one == first && second(other))
}

/// Does a one-line string read back unchanged without quotes?
fn is_plain(text: &str, classes: u8) -> bool {
    let bytes = text.as_bytes();
    let blank_at = |at: usize| matches!(bytes.get(at), None | Some(b' '));
    let bad_start = match bytes.first() {
        None
        | Some(
            b' ' | b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"',
        ) => true,
        Some(b'%' | b'@' | b'`') => true,
        Some(b'-' | b'?' | b':') => blank_at(1),
        Some(_) => false,
    };
    let inside = |(at, &byte): (usize, &u8)| match byte {
        b':' => blank_at(at + 1),
        b'#' => at > 0 && bytes[at - 1] == b' ',
        _ => false,
    };
    !bad_start
        && !text.ends_with(' ')
        && !text.starts_with("---")
        && !text.starts_with("...")
        && (classes & MARK == 0 || !bytes.iter().enumerate().any(inside))
}

/// `190:20:30.5`: a number in YAML 1.1, which some readers still accept.
fn is_base_60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !unsigned.starts_with(|start: char| start.is_ascii_digit()) {
        return false;
    }
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let mut parts = whole.split(':');
    let first = parts.next().unwrap_or("");
    let mut count = 0;
    let sixties = parts.all(|part| {
        count += 1;
        let tens = part.len() < 2 || part.as_bytes()[0] < b'6';
        matches!(part.len(), 1 | 2) && tens && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    digits(first) && sixties && count > 0 && digits(fraction)
}

fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_printable(character: char) -> bool {
    matches!(character, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
        && !is_break(character)
}

/// Appends this many spaces.
pub(super) fn append_indent(out: &mut String, indent: usize) {
    const SPACES: &str = "                                                                ";
    let mut left = indent;
    while left > 0 {
        let some = left.min(SPACES.len());
        out.push_str(&SPACES[..some]);
        left -= some;
    }
}

/// Writes the text of one scalar.
struct Pen<'o> {
    out: &'o mut String,
    column: usize,
    indent: usize,
    may_fold: bool,
    /// Whether any character but quotes, backslashes, tabs and line breaks was escaped.
    escapes: bool,
}

impl Pen<'_> {
    fn push(&mut self, character: char) {
        self.out.push(character);
        self.column += 1;
    }

    fn push_indent(&mut self) {
        append_indent(self.out, self.indent);
        self.column = self.indent;
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.push_indent();
    }

    /// Writes a text without line breaks; single spaces become line breaks where lines get long.
    fn folded(&mut self, text: &str) {
        let (mut start, mut from) = (0, 1);
        while self.may_fold {
            // A character takes at least one byte, so no earlier one is beyond the last column.
            from = from.max(start + (WIDTH + 1).saturating_sub(self.column));
            let Some(at) = lonely_space(text.as_bytes(), from) else {
                break;
            };
            from = at + 1;
            if self.column + text[start..at].chars().count() > WIDTH {
                self.out.push_str(&text[start..at]);
                self.new_line();
                start = at + 1;
            }
        }
        self.out.push_str(&text[start..]);
    }

    fn single(&mut self, text: &str, classes: u8) {
        self.push('\'');
        let doubled;
        let text = match classes & QUOTE {
            0 => text,
            _ => {
                doubled = text.replace('\'', "''");
                doubled.as_str()
            }
        };
        match classes & ODD {
            0 => self.folded(text),
            _ => self.folded_lines(text),
        }
        self.push('\'');
    }

    /// Like `folded`, for a text with line breaks other than `\n`.
    fn folded_lines(&mut self, text: &str) {
        for (index, line) in text.split_inclusive(is_break).enumerate() {
            let content = line.trim_end_matches(is_break);
            if index > 0 && !content.is_empty() {
                self.push_indent();
            }
            self.folded(content);
            self.out.push_str(&line[content.len()..]);
            self.column = 0;
        }
    }

    fn double(&mut self, text: &str) {
        self.push('"');
        // Upstream escapes everything after a leading byte order mark.
        let escape_all = text.starts_with('\u{feff}');
        let mut characters = text.chars().peekable();
        let (mut first, mut after_space) = (true, false);
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            if escape_all || !is_printable(character) || matches!(character, '"' | '\\') {
                self.escaped(character);
                after_space = false;
            } else if character == ' ' {
                let fold = self.may_fold && !after_space && self.column > WIDTH && !first && next.is_some();
                if fold {
                    self.new_line();
                    if next == Some(' ') {
                        self.push('\\');
                    }
                } else {
                    self.push(' ');
                }
                after_space = true;
            } else {
                self.push(character);
                after_space = false;
            }
            first = false;
        }
        self.push('"');
    }

    fn escaped(&mut self, character: char) {
        self.escapes |= !matches!(character, '"' | '\\' | '\t' | '\n' | '\r');
        let before = self.out.len();
        let letter = match character {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' | '\\' => character,
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => '\0',
        };
        let code = u32::from(character);
        let written = match (letter, code) {
            ('\0', ..=0xff) => write!(self.out, "\\x{code:02X}"),
            ('\0', ..=0xffff) => write!(self.out, "\\u{code:04X}"),
            ('\0', _) => write!(self.out, "\\U{code:08X}"),
            _ => write!(self.out, "\\{letter}"),
        };
        written.expect("a string takes everything");
        self.column += self.out.len() - before;
    }

    fn literal(&mut self, text: &str, classes: u8) {
        self.push('|');
        if text.starts_with([' ', '\n', '\u{2028}', '\u{2029}']) {
            self.push('2');
        }
        let content = text.trim_end_matches(is_break);
        let end: Vec<char> = text[content.len()..].chars().collect();
        match end.len() {
            0 => self.push('-'),
            1 if !content.is_empty() => {}
            _ => self.push('+'),
        }
        self.out.push('\n');
        if classes & ODD != 0 {
            for line in text.split_inclusive(is_break) {
                self.line(line, line.starts_with(is_break));
            }
            return;
        }
        for line in text.split_inclusive('\n') {
            self.line(line, line == "\n");
        }
    }

    fn line(&mut self, line: &str, is_blank: bool) {
        if !is_blank {
            self.push_indent();
        }
        self.out.push_str(line);
    }
}

/// The next single space between two other characters, starting at `from`.
fn lonely_space(bytes: &[u8], from: usize) -> Option<usize> {
    let is_lonely = |at: usize| bytes[at - 1] != b' ' && bytes.get(at + 1).is_some_and(|next| *next != b' ');
    let mut from = from;
    loop {
        let at = from + bytes.get(from..)?.iter().position(|byte| *byte == b' ')?;
        if is_lonely(at) {
            return Some(at);
        }
        from = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_classed_as_bytes_are() {
        for byte in 0..=u8::MAX {
            let (mut found, mut block) = ([0; BLOCK], [b'x'; BLOCK]);
            block[usize::from(byte) % BLOCK] = byte;
            add_classes(&mut found, &block);
            let found = found.iter().fold(0, |found, one| found | one);
            assert_eq!(found, CLASS[usize::from(byte)], "{byte}");
        }
    }

    #[test]
    fn words_are_plain() {
        for (text, is) in [
            ("object", true),
            ("a10", true),
            ("nan", true),
            ("yes", false),
            ("n", false),
            ("null", false),
            ("1a", false),
            ("0x1", false),
            ("a-b", false),
            ("\u{e9}", false),
            ("", false),
        ] {
            assert_eq!(is_word(text), is, "{text}");
            assert!(!is || style(text, classes(text)) == Style::Plain, "{text}");
        }
    }

    #[test]
    fn every_byte_of_a_text_is_classed() {
        for len in 0..3 * BLOCK {
            for at in 0..len {
                let text: String = (0..len)
                    .map(|index| if index == at { ':' } else { 'x' })
                    .collect();
                assert_eq!(classes(&text), MARK, "{text}");
            }
        }
    }
}
