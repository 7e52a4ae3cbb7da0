//! Splits Go text into tokens and comment groups. Total: any text gives tokens up to [`Kind::End`]; invalid
//! input becomes [`Kind::Error`] and a diagnostic. Knows no grammar.

use kindsmith_source::{Diagnostic, FileId, Span};
use memchr::{memchr, memchr_iter, memchr2, memchr3, memmem};

use super::comment::{Comment, CommentTable};
use super::number;
use super::token::{Kind, Token};
use crate::finding;

/// The maximum number of findings in one file.
const MAX_DIAGNOSTICS: usize = 50;

/// Which ASCII bytes words are made of.
static IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    table
};

/// State of the lexer for one file.
pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) file: FileId,
    pub(super) comments: CommentTable,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) at: Mark,
}

/// A position to return to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) pos: usize,
    pub(super) line: u32,
    /// Line of the last token's first byte.
    pub(super) token_line: u32,
    /// Whether a line break ends the statement here.
    pub(super) ends_line: bool,
    groups: u32,
    diagnostics: usize,
}

/// How the last comment group between two tokens may grow.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    Empty,
    AfterCode,
    Lead,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of a text, with room for the comments in this many bytes.
    pub(super) fn new(file: FileId, text: &'a str, room: usize) -> Self {
        let pos = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
        Self {
            text,
            bytes: text.as_bytes(),
            file,
            comments: CommentTable::with_room(room),
            diagnostics: Vec::new(),
            at: Mark {
                pos,
                line: 1,
                token_line: 0,
                ends_line: false,
                groups: 0,
                diagnostics: 0,
            },
        }
    }

    /// Moves to an offset on a line.
    pub(super) fn start_at(&mut self, pos: u32, line: u32) {
        self.at.pos = pos as usize;
        self.at.line = line;
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            groups: self.comments.len(),
            diagnostics: self.diagnostics.len(),
            ..self.at
        }
    }

    /// Goes back; comments and errors found since are dropped and will be found again.
    pub(super) fn reset(&mut self, mark: Mark) {
        self.comments.truncate(mark.groups);
        self.diagnostics.truncate(mark.diagnostics);
        self.at = mark;
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    pub(super) fn error(&mut self, start: usize, end: usize, message: &str, help: &str) {
        let span = Span::new(self.file, start as u32, end as u32);
        self.report(Diagnostic::error(&finding::GO_SYNTAX, span, message).help(help));
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Token {
        if let Some(semicolon) = self.gap() {
            return semicolon;
        }
        let start = self.at.pos;
        let line = self.at.line;
        let kind = match self.bytes.get(start) {
            None => Kind::End,
            Some(byte) => self.token(*byte),
        };
        self.at.ends_line = kind.ends_line();
        self.at.token_line = line;
        Token {
            kind,
            start: start as u32,
            end: self.at.pos as u32,
            line,
            groups: self.comments.len(),
        }
    }

    /// Blanks and comments up to the next token. A line break that ends a statement is a token itself.
    fn gap(&mut self) -> Option<Token> {
        let mut gap = Gap::Empty;
        loop {
            match self.bytes.get(self.at.pos) {
                Some(b' ' | b'\t' | b'\r') => self.at.pos += 1,
                Some(b'\n') => {
                    if self.at.ends_line {
                        return Some(self.line_end());
                    }
                    self.at.pos += 1;
                    self.at.line += 1;
                }
                Some(b'/') => {
                    let comment = match self.bytes.get(self.at.pos + 1) {
                        Some(b'/') => self.line_comment(),
                        Some(b'*') => self.block_comment(),
                        _ => return None,
                    };
                    gap = self.keep(comment, gap);
                    if self.at.ends_line && comment.end_line > comment.line {
                        return Some(self.line_end());
                    }
                }
                Some(_) => return None,
                None if self.at.ends_line => return Some(self.line_end()),
                None => return None,
            }
        }
    }

    fn line_end(&mut self) -> Token {
        self.at.ends_line = false;
        self.at.token_line = self.at.line;
        Token {
            kind: Kind::Semicolon,
            start: self.at.pos as u32,
            end: self.at.pos as u32,
            line: self.at.line,
            groups: self.comments.len(),
        }
    }

    /// Adds a comment to its group, like `parser.next` in go/parser/parser.go.
    fn keep(&mut self, comment: Comment, gap: Gap) -> Gap {
        let last_line = match gap {
            Gap::Empty => {
                let after_code = comment.line == self.at.token_line;
                self.comments.start_group(comment, after_code);
                return if after_code { Gap::AfterCode } else { Gap::Lead };
            }
            Gap::AfterCode => self.comments.last_line(),
            Gap::Lead => self.comments.last_line() + 1,
        };
        if comment.line <= last_line {
            self.comments.extend_group(comment);
            return gap;
        }
        self.comments.start_group(comment, false);
        Gap::Lead
    }

    pub(super) fn line_comment(&mut self) -> Comment {
        let start = self.at.pos;
        let rest = &self.bytes[start..];
        let len = memchr(b'\n', rest).unwrap_or(rest.len());
        self.at.pos = start + len;
        let carriage = usize::from(rest[..len].last() == Some(&b'\r'));
        Comment {
            start: start as u32,
            end: (start + len - carriage) as u32,
            line: self.at.line,
            end_line: self.at.line,
        }
    }

    pub(super) fn block_comment(&mut self) -> Comment {
        let start = self.at.pos;
        let line = self.at.line;
        let body = &self.bytes[start + 2..];
        let end = match memmem::find(body, b"*/") {
            Some(len) => start + 2 + len + 2,
            None => {
                self.error(start, start + 2, "comment is not closed", "end it with `*/`");
                self.bytes.len()
            }
        };
        self.at.line += memchr_iter(b'\n', &self.bytes[start..end]).count() as u32;
        self.at.pos = end;
        Comment {
            start: start as u32,
            end: end as u32,
            line,
            end_line: self.at.line,
        }
    }

    fn token(&mut self, byte: u8) -> Kind {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            b'"' => {
                self.quoted(b'"', "string is not closed on its line");
                Kind::String
            }
            b'`' => {
                self.raw_string();
                Kind::String
            }
            b'\'' => {
                self.quoted(b'\'', "rune is not closed on its line");
                Kind::Char
            }
            0x80.. => self.beyond_ascii(),
            _ => self.operator(byte),
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at.pos + ahead).copied()
    }

    fn word(&mut self) -> Kind {
        let start = self.at.pos;
        let mut end = start;
        loop {
            match self.bytes.get(end) {
                Some(byte) if IN_WORD[*byte as usize] => end += 1,
                Some(0x80..) => match self.char_at(end) {
                    Some(char) if char.is_alphanumeric() => end += char.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        self.at.pos = end;
        Kind::of_word(&self.bytes[start..end])
    }

    fn char_at(&self, pos: usize) -> Option<char> {
        self.text.get(pos..)?.chars().next()
    }

    fn beyond_ascii(&mut self) -> Kind {
        let char = self.char_at(self.at.pos).unwrap_or('\u{FFFD}');
        if char.is_alphabetic() {
            return self.word();
        }
        self.unknown(char)
    }

    fn unknown(&mut self, char: char) -> Kind {
        let start = self.at.pos;
        self.at.pos = (start + char.len_utf8()).min(self.bytes.len());
        let message = format!("character {char:?} is not part of Go");
        self.error(
            start,
            self.at.pos,
            &message,
            "remove it or put it into a string or comment",
        );
        Kind::Error
    }

    fn number(&mut self) -> Kind {
        let (kind, len) = number::scan(&self.bytes[self.at.pos..]);
        self.at.pos += len;
        kind
    }

    /// A literal between two quotes on one line; stops before the line break if there is no second quote.
    pub(super) fn quoted(&mut self, quote: u8, unclosed: &str) {
        let start = self.at.pos;
        let mut pos = start + 1;
        loop {
            let Some(len) = memchr3(quote, b'\\', b'\n', &self.bytes[pos.min(self.bytes.len())..]) else {
                pos = self.bytes.len();
                break;
            };
            pos += len;
            match self.bytes[pos] {
                b'\\' if self.bytes.get(pos + 1) != Some(&b'\n') => pos += 2,
                b'\\' => pos += 1,
                b'\n' => break,
                _ => {
                    self.at.pos = pos + 1;
                    return;
                }
            }
        }
        // An escape may have jumped into a character or past the end.
        self.at.pos = pos;
        let help = "close the quote, or use a raw string in backquotes";
        self.error(start, start + 1, unclosed, help);
    }

    pub(super) fn raw_string(&mut self) {
        let start = self.at.pos;
        let body = &self.bytes[start + 1..];
        // Struct tags and most raw strings end on their line.
        let mut end = memchr2(b'`', b'\n', body);
        if let Some(len) = end.filter(|len| body[*len] == b'\n') {
            end = memchr(b'`', &body[len..]).map(|more| len + more);
            self.at.line += memchr_iter(b'\n', &body[..end.unwrap_or(body.len())]).count() as u32;
        }
        self.at.pos = start + 1 + end.map_or(body.len(), |len| len + 1);
        if end.is_none() {
            let help = "end it with a backquote";
            self.error(start, start + 1, "raw string is not closed", help);
        }
    }

    fn operator(&mut self, byte: u8) -> Kind {
        let two = self.peek(1).unwrap_or(0);
        let three = self.peek(2).unwrap_or(0);
        let (kind, len) = match (byte, two) {
            (b'(', _) => (Kind::OpenParen, 1),
            (b')', _) => (Kind::CloseParen, 1),
            (b'[', _) => (Kind::OpenBracket, 1),
            (b']', _) => (Kind::CloseBracket, 1),
            (b'{', _) => (Kind::OpenBrace, 1),
            (b'}', _) => (Kind::CloseBrace, 1),
            (b',', _) => (Kind::Comma, 1),
            (b';', _) => (Kind::Semicolon, 1),
            (b'~', _) => (Kind::Tilde, 1),
            (b'.', b'.') if three == b'.' => (Kind::Ellipsis, 3),
            (b'.', _) => (Kind::Dot, 1),
            (b':', b'=') => (Kind::Define, 2),
            (b':', _) => (Kind::Colon, 1),
            (b'=', b'=') => (Kind::Equal, 2),
            (b'=', _) => (Kind::Assign, 1),
            (b'!', b'=') => (Kind::NotEqual, 2),
            (b'!', _) => (Kind::Not, 1),
            (b'<', b'-') => (Kind::Arrow, 2),
            (b'<', b'=') => (Kind::LessEqual, 2),
            (b'<', b'<') => with_assign(Kind::ShiftLeft, 2, three),
            (b'<', _) => (Kind::Less, 1),
            (b'>', b'=') => (Kind::GreaterEqual, 2),
            (b'>', b'>') => with_assign(Kind::ShiftRight, 2, three),
            (b'>', _) => (Kind::Greater, 1),
            (b'&', b'&') => (Kind::AndAnd, 2),
            (b'&', b'^') => with_assign(Kind::AndNot, 2, three),
            (b'&', _) => with_assign(Kind::And, 1, two),
            (b'|', b'|') => (Kind::OrOr, 2),
            (b'|', _) => with_assign(Kind::Or, 1, two),
            (b'+', b'+') | (b'-', b'-') => (Kind::Step, 2),
            (b'+', _) => with_assign(Kind::Plus, 1, two),
            (b'-', _) => with_assign(Kind::Minus, 1, two),
            (b'*', _) => with_assign(Kind::Star, 1, two),
            (b'/', _) => with_assign(Kind::Slash, 1, two),
            (b'%', _) => with_assign(Kind::Percent, 1, two),
            (b'^', _) => with_assign(Kind::Caret, 1, two),
            _ => return self.unknown(char::from(byte)),
        };
        self.at.pos += len;
        kind
    }
}

fn with_assign(kind: Kind, len: usize, next: u8) -> (Kind, usize) {
    if next == b'=' {
        (Kind::OpAssign, len + 1)
    } else {
        (kind, len)
    }
}
