//! Statements and expressions of function bodies: what hand-written validation is made of. Everything else is kept as
//! [`Stmt::Other`] or [`Expr::Other`], with its line.
//!
//! Total and bounded: no text makes it fail, and what is deeper than [`MAX_DEPTH`] or higher than [`MAX_HEIGHT`] is not read.

mod expressions;

use super::token::{Token, Word, words};

/// Deeper nesting is not read.
const MAX_DEPTH: usize = 100;
/// Higher expressions are not read: chains of operators, selectors and calls nest without brackets.
const MAX_HEIGHT: usize = 400;

/// Where a call is: its line, from 1, and its bytes in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) line: u32,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Name(String),
    Text(String),
    Int(i128),
    Select(Box<Expr>, String),
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
        at: Call,
    },
    Index(Box<Expr>, Box<Expr>),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `[]T{a, b}`, `T{F: a}`: values only.
    Literal(Vec<Expr>),
    Func {
        params: Vec<String>,
        body: Vec<Stmt>,
    },
    Other,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stmt {
    Assign {
        to: Vec<Expr>,
        values: Vec<Expr>,
        line: u32,
    },
    /// `n++`
    Count(Expr),
    If {
        before: Option<Box<Stmt>>,
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
        line: u32,
    },
    Switch {
        subject: Option<Expr>,
        /// Values and body; `default` has no values.
        cases: Vec<(Vec<Expr>, Vec<Stmt>)>,
        line: u32,
    },
    Range {
        key: Option<String>,
        value: Option<String>,
        over: Expr,
        body: Vec<Stmt>,
    },
    Return(Vec<Expr>, u32),
    /// `continue`, `break`.
    Leave,
    Expr(Expr),
    Block(Vec<Stmt>),
    Other(u32),
    /// Stands first in a body of which something is nested too deeply to be read, with the line of that.
    TooDeep(u32),
}

/// The statements of a body, given with its braces, its first line and its place in the file.
pub(super) fn body(text: &str, first_line: u32, offset: usize) -> Vec<Stmt> {
    let mut parser = Parser {
        words: words(text, first_line),
        offset,
        at: 0,
        depth: 0,
        height: 0,
        highest: 0,
        no_literal: false,
        too_deep: None,
    };
    let mut made = parser.block();
    if let Some(line) = parser.too_deep {
        made.insert(0, Stmt::TooDeep(line));
    }
    made
}

struct Parser {
    words: Vec<Word>,
    offset: usize,
    at: usize,
    depth: usize,
    /// How high the last expression is.
    height: usize,
    /// How high the highest expression of this function is.
    highest: usize,
    /// Whether `{` begins a body here, not a literal.
    no_literal: bool,
    /// The first line that is nested too deeply to be read.
    too_deep: Option<u32>,
}

impl Parser {
    /// Whether what comes is nested too deeply.
    fn is_too_deep(&mut self) -> bool {
        let is = self.depth >= MAX_DEPTH;
        if is && self.too_deep.is_none() {
            self.too_deep = Some(self.line());
        }
        is
    }

    fn token(&self) -> &Token {
        &self.words[self.at.min(self.words.len() - 1)].token
    }

    fn line(&self) -> u32 {
        self.words[self.at.min(self.words.len() - 1)].line
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token(), Token::Symbol(found) if *found == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Name(found) if found == word)
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let is = self.is(symbol);
        self.at += usize::from(is);
        is
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    fn at_end(&self) -> bool {
        *self.token() == Token::End
    }

    fn name(&mut self) -> Option<String> {
        let Token::Name(name) = self.token() else {
            return None;
        };
        let name = name.clone();
        self.at += 1;
        Some(name)
    }

    /// `{ statements }`
    fn block(&mut self) -> Vec<Stmt> {
        if !self.eat("{") {
            return Vec::new();
        }
        let before = std::mem::take(&mut self.no_literal);
        let made = self.statements();
        self.no_literal = before;
        self.eat("}");
        made
    }

    fn statements(&mut self) -> Vec<Stmt> {
        let mut made = Vec::new();
        if self.is_too_deep() {
            made.push(Stmt::Other(self.line()));
            self.skip_to_close();
            return made;
        }
        self.depth += 1;
        while !self.at_end() && !self.is("}") && !self.is_word("case") && !self.is_word("default") {
            if self.eat(";") {
                continue;
            }
            let start = self.at;
            made.push(self.statement());
            if self.at == start {
                self.at += 1;
            }
        }
        self.depth -= 1;
        made
    }

    /// Skips to the bracket that closes this level.
    fn skip_to_close(&mut self) {
        let mut open = 0usize;
        while !self.at_end() {
            match self.token() {
                Token::Symbol("{" | "(" | "[") => open += 1,
                Token::Symbol("}" | ")" | "]") if open == 0 => return,
                Token::Symbol("}" | ")" | "]") => open -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn skip_statement(&mut self) {
        while !self.at_end() && !self.is(";") && !self.is("}") {
            if self.is("{") || self.is("(") || self.is("[") {
                self.at += 1;
                self.skip_to_close();
            }
            self.at += 1;
        }
    }

    fn statement(&mut self) -> Stmt {
        let line = self.line();
        let Token::Name(word) = self.token() else {
            return if self.is("{") {
                Stmt::Block(self.block())
            } else {
                self.simple()
            };
        };
        match word.as_str() {
            "if" => {
                self.at += 1;
                self.conditional(line)
            }
            "switch" => {
                self.at += 1;
                self.switch(line)
            }
            "for" => {
                self.at += 1;
                self.range(line)
            }
            "return" => {
                self.at += 1;
                let values = if self.is(";") || self.is("}") {
                    Vec::new()
                } else {
                    self.list()
                };
                Stmt::Return(values, line)
            }
            "continue" | "break" | "fallthrough" => {
                let stops = !self.is_word("fallthrough");
                self.skip_statement();
                if stops { Stmt::Leave } else { Stmt::Other(line) }
            }
            "var" => {
                self.at += 1;
                self.variable(line)
            }
            "const" | "type" | "go" | "defer" | "select" | "goto" => {
                self.skip_statement();
                Stmt::Other(line)
            }
            _ => self.simple(),
        }
    }

    /// `var x T = value`
    fn variable(&mut self, line: u32) -> Stmt {
        let Some(name) = self.name() else {
            self.skip_statement();
            return Stmt::Other(line);
        };
        while !self.at_end() && !self.is("=") && !self.is(";") {
            if self.is("{") || self.is("(") || self.is("[") {
                self.at += 1;
                self.skip_to_close();
            }
            self.at += 1;
        }
        let values = if self.eat("=") { self.list() } else { Vec::new() };
        Stmt::Assign {
            to: vec![Expr::Name(name)],
            values,
            line,
        }
    }

    fn simple(&mut self) -> Stmt {
        let line = self.line();
        let mut left = self.list();
        if self.eat(":=") || self.eat("=") {
            return Stmt::Assign {
                to: left,
                values: self.list(),
                line,
            };
        }
        if self.eat("++") {
            return left.pop().map_or(Stmt::Other(line), Stmt::Count);
        }
        if matches!(self.token(), Token::Symbol(symbol) if symbol.ends_with('=') && symbol.len() > 1 && !matches!(*symbol, "==" | "!=" | "<=" | ">="))
            || self.is("--")
        {
            self.at += 1;
            if !self.is(";") && !self.is("}") {
                self.list();
            }
            let to = left;
            return Stmt::Assign {
                to,
                values: vec![Expr::Other],
                line,
            };
        }
        match left.pop() {
            Some(only) if left.is_empty() => Stmt::Expr(only),
            _ => Stmt::Other(line),
        }
    }

    /// The part of a header that ends before `{`.
    fn header<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.no_literal, true);
        let made = read(self);
        self.no_literal = before;
        made
    }

    fn conditional(&mut self, line: u32) -> Stmt {
        let (before, condition) = self.header(|parser| {
            let first = parser.simple();
            if parser.eat(";") {
                return (Some(Box::new(first)), parser.expr());
            }
            match first {
                Stmt::Expr(condition) => (None, condition),
                _ => (None, Expr::Other),
            }
        });
        let then = self.block();
        let mut otherwise = Vec::new();
        if self.eat_word("else") {
            let line = self.line();
            if self.eat_word("if") {
                self.depth += 1;
                if self.is_too_deep() {
                    self.skip_statement();
                    otherwise.push(Stmt::Other(line));
                } else {
                    otherwise.push(self.conditional(line));
                }
                self.depth -= 1;
            } else {
                otherwise = self.block();
            }
        }
        Stmt::If {
            before,
            condition,
            then,
            otherwise,
            line,
        }
    }

    fn switch(&mut self, line: u32) -> Stmt {
        let subject = self.header(|parser| {
            if parser.is("{") {
                return None;
            }
            let first = parser.simple();
            if parser.eat(";") {
                return (!parser.is("{")).then(|| parser.expr());
            }
            match first {
                Stmt::Expr(subject) => Some(subject),
                _ => Some(Expr::Other),
            }
        });
        let mut cases = Vec::new();
        self.eat("{");
        let before = std::mem::take(&mut self.no_literal);
        while !self.at_end() && !self.is("}") {
            let start = self.at;
            if self.eat_word("case") {
                let values = self.list();
                self.eat(":");
                cases.push((values, self.statements()));
            } else if self.eat_word("default") {
                self.eat(":");
                cases.push((Vec::new(), self.statements()));
            }
            if self.at == start {
                self.at += 1;
            }
        }
        self.no_literal = before;
        self.eat("}");
        Stmt::Switch { subject, cases, line }
    }

    fn range(&mut self, line: u32) -> Stmt {
        let mut names = Vec::new();
        let start = self.at;
        let over = self.header(|parser| {
            if !parser.is_word("range") {
                while let Some(name) = parser.name() {
                    names.push(name);
                    if !parser.eat(",") {
                        break;
                    }
                }
                if !parser.eat(":=") && !parser.eat("=") {
                    return None;
                }
            }
            parser.eat_word("range").then(|| parser.expr())
        });
        let Some(over) = over else {
            // A loop with a counter, or an endless one.
            self.at = start;
            while !self.at_end() && !self.is("{") {
                self.at += 1;
            }
            self.block();
            return Stmt::Other(line);
        };
        let mut names = names.into_iter().map(|name| (name != "_").then_some(name));
        let (key, value) = (names.next().flatten(), names.next().flatten());
        let body = self.block();
        Stmt::Range {
            key,
            value,
            over,
            body,
        }
    }
}
