//! Go's regular expression syntax with the flags of `regexp.Compile` (`regexp/syntax/parse.go`), read into the
//! tree of Rust's engine. The two syntaxes look alike but differ in what they accept and in what `\d`, `\s`, `\w`,
//! `\b` and braces mean.

use regex_syntax::hir::Look;

use super::error::{Error, ErrorCode};
use super::escape::{self, next_char, until};
use super::node::{Count, Node};
use super::set::{MAX_RUNE, RuneSet};
use super::{class, repeat};

/// The maximum number of range ends in all classes together (`maxRunes`).
const MAX_RUNES: usize = (128 << 20) / 4;

#[derive(Clone, Copy)]
struct Flags {
    fold: bool,
    multi_line: bool,
    dot_newline: bool,
    ungreedy: bool,
}

/// A group that is still open; the outermost one is the whole expression.
struct Group {
    captures: bool,
    /// The flags to restore when it closes.
    outer: Flags,
    branches: Vec<Node>,
    parts: Vec<Node>,
}

struct Parser<'t> {
    whole: &'t str,
    flags: Flags,
    groups: Vec<Group>,
    runes: usize,
    /// The text from the last repetition operator on, if nothing was read since.
    last_repeat: Option<&'t str>,
}

/// Reads an expression.
pub(super) fn parse(text: &str) -> Result<Node, Error> {
    let flags = Flags {
        fold: false,
        multi_line: false,
        dot_newline: false,
        ungreedy: false,
    };
    let mut parser = Parser {
        whole: text,
        flags,
        groups: Vec::new(),
        runes: 0,
        last_repeat: None,
    };
    parser.open(false, flags);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let before = rest;
        rest = parser.step(first, rest)?;
        let repeated = matches!(first, '*' | '+' | '?') || (first == '{' && until(before, rest).len() > 1);
        parser.last_repeat = repeated.then_some(before);
    }
    let root = parser.groups.pop().filter(|_| parser.groups.is_empty());
    let root = root.ok_or_else(|| ErrorCode::MissingParen.at(text))?;
    parser.close(root)
}

impl<'t> Parser<'t> {
    fn step(&mut self, first: char, text: &'t str) -> Result<&'t str, Error> {
        let rest = &text[first.len_utf8()..];
        match first {
            '(' if rest.starts_with('?') => return self.perl_group(text),
            '(' => self.open(true, self.flags),
            ')' => self.right_paren()?,
            '|' => self.bar()?,
            '^' => self.push(Node::look(if self.flags.multi_line {
                Look::StartLF
            } else {
                Look::Start
            })),
            '$' => self.push(Node::look(if self.flags.multi_line {
                Look::EndLF
            } else {
                Look::End
            })),
            '.' => self.dot(),
            '[' => {
                let (set, rest) = class::bracketed(text, self.flags.fold)?;
                self.push_class(&set)?;
                return Ok(rest);
            }
            '*' => {
                return self.repeat(
                    Count {
                        min: 0,
                        max: None,
                        counted: false,
                    },
                    text,
                    rest,
                );
            }
            '+' => {
                return self.repeat(
                    Count {
                        min: 1,
                        max: None,
                        counted: false,
                    },
                    text,
                    rest,
                );
            }
            '?' => {
                return self.repeat(
                    Count {
                        min: 0,
                        max: Some(1),
                        counted: false,
                    },
                    text,
                    rest,
                );
            }
            '{' => return self.braces(text),
            '\\' => return self.backslash(text),
            c => self.push_literal(u32::from(c)),
        }
        Ok(rest)
    }

    fn open(&mut self, captures: bool, flags: Flags) {
        let outer = std::mem::replace(&mut self.flags, flags);
        self.groups.push(Group {
            captures,
            outer,
            branches: Vec::new(),
            parts: Vec::new(),
        });
    }

    fn top(&mut self) -> &mut Group {
        self.groups
            .last_mut()
            .expect("the outermost group stays until the end")
    }

    fn push(&mut self, node: Node) {
        self.top().parts.push(node);
    }

    fn push_literal(&mut self, rune: u32) {
        let node = Node::literal(rune, self.flags.fold);
        self.push(node);
    }

    fn push_class(&mut self, set: &RuneSet) -> Result<(), Error> {
        self.runes += 2 * set.len();
        if self.runes > MAX_RUNES {
            return Err(ErrorCode::Large.at(self.whole));
        }
        self.push(Node::class(set));
        Ok(())
    }

    fn dot(&mut self) {
        let pairs: &[u32] = if self.flags.dot_newline {
            &[0, MAX_RUNE]
        } else {
            &[0, 0x09, 0x0b, MAX_RUNE]
        };
        self.push(Node::class(&RuneSet::from_pairs(pairs)));
    }

    fn bar(&mut self) -> Result<(), Error> {
        let parts = std::mem::take(&mut self.top().parts);
        let branch = Node::concat(parts).map_err(|code| code.at(self.whole))?;
        self.top().branches.push(branch);
        Ok(())
    }

    fn right_paren(&mut self) -> Result<(), Error> {
        if self.groups.len() < 2 {
            return Err(ErrorCode::UnexpectedParen.at(self.whole));
        }
        let group = self.groups.pop().expect("there are at least two groups");
        self.flags = group.outer;
        let captures = group.captures;
        let mut node = self.close(group)?;
        if captures {
            node = node.captured().map_err(|code| code.at(self.whole))?;
        }
        self.push(node);
        Ok(())
    }

    fn close(&self, mut group: Group) -> Result<Node, Error> {
        let last = Node::concat(group.parts).map_err(|code| code.at(self.whole))?;
        group.branches.push(last);
        Node::alternate(group.branches).map_err(|code| code.at(self.whole))
    }

    /// Applies a repetition to the last part; `rest` follows the operator, which `text` starts with.
    fn repeat(&mut self, count: Count, text: &'t str, rest: &'t str) -> Result<&'t str, Error> {
        let (lazy, rest) = rest.strip_prefix('?').map_or((false, rest), |rest| (true, rest));
        if let Some(last) = self.last_repeat {
            return Err(ErrorCode::InvalidRepeatOp.at(until(last, rest)));
        }
        let Some(node) = self.top().parts.pop() else {
            return Err(ErrorCode::MissingRepeatArgument.at(until(text, rest)));
        };
        let node = node
            .repeated(count, lazy == self.flags.ungreedy)
            .map_err(|code| match code {
                ErrorCode::InvalidRepeatSize => code.at(until(text, rest)),
                _ => code.at(self.whole),
            })?;
        self.push(node);
        Ok(rest)
    }

    /// Braces without a valid count are ordinary characters.
    fn braces(&mut self, text: &'t str) -> Result<&'t str, Error> {
        let Some((bounds, rest)) = repeat::bounds(text) else {
            self.push_literal(u32::from('{'));
            return Ok(&text[1..]);
        };
        let count = bounds
            .count()
            .ok_or_else(|| ErrorCode::InvalidRepeatSize.at(until(text, rest)))?;
        self.repeat(count, text, rest)
    }

    fn backslash(&mut self, text: &'t str) -> Result<&'t str, Error> {
        let after = text.get(2..).filter(|_| text.is_char_boundary(2));
        match (text.as_bytes().get(1), after) {
            (Some(b'A'), Some(rest)) => return self.push_look(Look::Start, rest),
            (Some(b'z'), Some(rest)) => return self.push_look(Look::End, rest),
            (Some(b'b'), Some(rest)) => return self.push_look(Look::WordAscii, rest),
            (Some(b'B'), Some(rest)) => return self.push_look(Look::WordAsciiNegate, rest),
            (Some(b'C'), Some(_)) => return Err(ErrorCode::InvalidEscape.at(&text[..2])),
            (Some(b'Q'), Some(rest)) => {
                let (literal, rest) = rest.split_once("\\E").unwrap_or((rest, ""));
                literal.chars().for_each(|c| self.push_literal(u32::from(c)));
                return Ok(rest);
            }
            _ => {}
        }
        if let Some((set, rest)) = escape::class(text, self.flags.fold)? {
            self.push_class(&set)?;
            return Ok(rest);
        }
        let (rune, rest) = escape::character(text)?;
        self.push_literal(rune);
        Ok(rest)
    }

    fn push_look(&mut self, look: Look, rest: &'t str) -> Result<&'t str, Error> {
        self.push(Node::look(look));
        Ok(rest)
    }

    /// Reads `(?flags)`, `(?flags:`, `(?P<name>` or `(?<name>`.
    fn perl_group(&mut self, text: &'t str) -> Result<&'t str, Error> {
        let python = text.len() > 4 && text.starts_with("(?P<");
        if python || (text.len() > 3 && text.starts_with("(?<")) {
            let start = if python { 4 } else { 3 };
            let end = text
                .find('>')
                .ok_or_else(|| ErrorCode::InvalidNamedCapture.at(text))?;
            let name = &text[start..end];
            if name.is_empty()
                || !name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            {
                return Err(ErrorCode::InvalidNamedCapture.at(&text[..=end]));
            }
            self.open(true, self.flags);
            return Ok(&text[end + 1..]);
        }
        self.flag_group(text)
    }

    fn flag_group(&mut self, text: &'t str) -> Result<&'t str, Error> {
        let mut flags = self.flags;
        let (mut on, mut flagged) = (true, false);
        let mut rest = &text[2..];
        while let Some((c, after)) = next_char(rest) {
            rest = after;
            let flag = match c {
                'i' => &mut flags.fold,
                'm' => &mut flags.multi_line,
                's' => &mut flags.dot_newline,
                'U' => &mut flags.ungreedy,
                '-' if on => {
                    (on, flagged) = (false, false);
                    continue;
                }
                ':' | ')' if on || flagged => {
                    if c == ':' {
                        self.open(false, flags);
                    }
                    self.flags = flags;
                    return Ok(rest);
                }
                _ => break,
            };
            *flag = on;
            flagged = true;
        }
        Err(ErrorCode::InvalidPerlOp.at(until(text, rest)))
    }
}
