//! Strings in written YAML: which style keeps them, and how each style looks. Knows nothing of containers.

use std::fmt::Write;

use crate::Value;
use crate::yaml::{is_timestamp, untagged};

/// Lines are folded behind this column.
const WIDTH: usize = 80;
/// A longer key, in bytes, is written behind a question mark.
const LONGEST_KEY: usize = 128;

/// Must a key be written behind a question mark?
pub(super) fn is_long_key(key: &str) -> bool {
    key.len() > LONGEST_KEY || key.contains(is_break)
}

/// Appends a string whose further lines are indented by `indent`. With `whole_line` it may take several lines and
/// ends with a line break.
pub(super) fn append_string(out: &mut String, text: &str, indent: usize, whole_line: bool) {
    let mut pen = Pen {
        column: column(out),
        out,
        indent,
        may_fold: whole_line,
    };
    match style(text) {
        Style::Plain => pen.words(text),
        Style::Single => pen.single(text),
        Style::Double => pen.double(text),
        Style::Literal => pen.literal(text),
    }
    if whole_line && !out.ends_with('\n') {
        out.push('\n');
    }
}

fn column(out: &str) -> usize {
    let line = out.rfind('\n').map_or(0, |newline| newline + 1);
    out[line..].chars().count()
}

enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

fn style(text: &str) -> Style {
    // Quoted doubly, if it would read as something else.
    if !matches!(untagged(text), Value::Str(_)) || is_timestamp(text) || is_base_60(text) {
        return Style::Double;
    }
    if text
        .chars()
        .any(|character| !is_printable(character) && !matches!(character, '\n' | '\u{2028}' | '\u{2029}'))
    {
        return Style::Double;
    }
    if text.contains('\n') {
        let spoiled = text.ends_with(' ') || follows(text, ' ', is_break);
        return if spoiled { Style::Double } else { Style::Literal };
    }
    if text.contains(is_break) {
        let spoiled =
            follows(text, ' ', is_break) || text.split(is_break).skip(1).any(|line| line.starts_with(' '));
        return if spoiled { Style::Double } else { Style::Single };
    }
    if is_plain(text) {
        Style::Plain
    } else {
        Style::Single
    }
}

/// Is there a `first` with something behind it that `second` likes?
fn follows(text: &str, first: char, second: fn(char) -> bool) -> bool {
    text.chars()
        .zip(text.chars().skip(1))
        .any(|(one, other)| one == first && second(other))
}

/// Does a string of one line read back without quotes?
fn is_plain(text: &str) -> bool {
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
        && !bytes.iter().enumerate().any(inside)
}

/// `190:20:30.5`: a number in YAML 1.1, which others may still read as one.
fn is_base_60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
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
    first.starts_with(|start: char| start.is_ascii_digit())
        && digits(first)
        && sixties
        && count > 0
        && digits(fraction)
}

fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_printable(character: char) -> bool {
    matches!(character, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
        && !is_break(character)
}

/// Writes the text of one scalar.
struct Pen<'o> {
    out: &'o mut String,
    column: usize,
    indent: usize,
    may_fold: bool,
}

impl Pen<'_> {
    fn push(&mut self, character: char) {
        self.out.push(character);
        self.column += 1;
    }

    fn push_indent(&mut self) {
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.column = self.indent;
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.push_indent();
    }

    /// Writes characters, folding lines at single spaces.
    fn words(&mut self, text: &str) {
        self.folded(text, |pen, character| pen.push(character));
    }

    fn single(&mut self, text: &str) {
        self.push('\'');
        let mut after_break = false;
        self.folded(text, |pen, character| {
            if is_break(character) {
                pen.out.push(character);
                pen.column = 0;
                after_break = true;
                return;
            }
            if std::mem::take(&mut after_break) {
                pen.push_indent();
            }
            pen.push(character);
            if character == '\'' {
                pen.push('\'');
            }
        });
        self.push('\'');
    }

    /// Hands on characters, with line breaks in the place of single spaces where lines get long.
    fn folded(&mut self, text: &str, mut write: impl FnMut(&mut Self, char)) {
        let mut characters = text.chars().peekable();
        let (mut first, mut after_space) = (true, false);
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let lonely = character == ' ' && !after_space && next.is_some_and(|next| next != ' ');
            if lonely && self.may_fold && self.column > WIDTH && !first {
                self.new_line();
            } else {
                write(self, character);
            }
            after_space = character == ' ';
            first = false;
        }
    }

    fn double(&mut self, text: &str) {
        self.push('"');
        // Upstream escapes everything behind a leading byte order mark.
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

    fn literal(&mut self, text: &str) {
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
        let mut at_start = true;
        for character in text.chars() {
            if is_break(character) {
                self.out.push(character);
                at_start = true;
                continue;
            }
            if std::mem::take(&mut at_start) {
                self.push_indent();
            }
            self.push(character);
        }
    }
}
