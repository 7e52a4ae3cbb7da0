//! Parses the declarations of a Go file. Total: an error costs one declaration (or one field) and gives a
//! diagnostic; parsing continues at the next. Nesting is bounded.

mod decl;
mod expr;
mod fields;
mod func;
mod outline;
mod types;

use std::sync::Arc;

use kindsmith_source::{Diagnostic, FileId, Span};

use super::ast::{Body, Comments, ExprId, Field, File, List, Param, Type, TypeId, TypeKind, TypeParam};
use super::attach::{self, Cursor};
use super::comment::{CommentTable, GroupId};
use super::lexer::{Lexer, Mark};
use super::token::{Kind, Token};
use crate::finding;

/// Deeper types and expressions are rejected, so that no input overflows the stack.
const MAX_DEPTH: u32 = 1000;

/// How far to look ahead where Go's grammar needs it.
const MAX_LOOKAHEAD: usize = 1000;

/// A part of the source that does not parse; the diagnostic is already reported.
struct Broken;

type Parsed<T> = Result<T, Broken>;

/// How much of a file to parse at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Everything.
    Whole,
    /// Declarations; fields of structs are parsed on demand, and comments in function bodies are dropped.
    Outline,
}

/// Parses one whole file.
#[must_use]
pub fn parse(id: FileId, source: &Arc<str>) -> File {
    parse_with(id, source, Detail::Whole)
}

/// Parses one file in the given detail.
#[must_use]
pub fn parse_with(id: FileId, source: &Arc<str>, detail: Detail) -> File {
    let room = match detail {
        Detail::Whole => source.len(),
        Detail::Outline => source.len() / 8,
    };
    let lexer = Lexer::new(id, source, room);
    let mut parser = Parser::new(lexer, empty(id, source, room), detail);
    parser.file();
    parser.finish()
}

/// Parses a struct that the outline `of` skipped.
pub(super) fn parse_body(of: &File, body: &Body) -> File {
    let room = (body.end - body.start) as usize;
    let mut lexer = Lexer::new(of.id, &of.source, room);
    lexer.start_at(body.start, body.line);
    let mut file = empty(of.id, &of.source, room);
    file.imports.clone_from(&of.imports);
    let mut parser = Parser::new(lexer, file, Detail::Whole);
    if parser.ty().is_err() {
        let (span, kind) = (parser.span_from(body.start), TypeKind::Struct(List::EMPTY));
        parser.push_type(Type { span, kind });
    }
    parser.finish()
}

/// A file without declarations, with room for those in this many bytes.
fn empty(id: FileId, source: &Arc<str>, room: usize) -> File {
    File {
        id,
        package: None,
        package_comments: Comments::default(),
        imports: Vec::new(),
        types: Vec::new(),
        consts: Vec::new(),
        vars: Vec::new(),
        funcs: Vec::new(),
        comments: CommentTable::default(),
        package_groups: Vec::new(),
        diagnostics: Vec::new(),
        source: Arc::clone(source),
        // Typical for API types, which most files contain.
        type_nodes: Vec::with_capacity(room / 160),
        type_lists: Vec::new(),
        exprs: Vec::new(),
        expr_lists: Vec::new(),
        fields: Vec::with_capacity(room / 200),
        params: Vec::new(),
        type_params: Vec::new(),
        bodies: Vec::new(),
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The current token.
    token: Token,
    previous: Token,
    cursor: Cursor,
    depth: u32,
    /// Whether a block of the file is never closed, so that the next line that looks like a declaration is a
    /// better guess than the end of the file.
    unclosed: bool,
    detail: Detail,
    file: File,
    // Nodes of lists that are still open; nested lists share one stack.
    fields: Vec<Field>,
    params: Vec<Param>,
    type_params: Vec<TypeParam>,
    type_list: Vec<TypeId>,
    expr_list: Vec<ExprId>,
    names: Vec<Token>,
}

/// A parser position to return to.
#[derive(Clone, Copy)]
struct Place {
    mark: Mark,
    token: Token,
    previous: Token,
    cursor: Cursor,
}

impl<'a> Parser<'a> {
    fn new(mut lexer: Lexer<'a>, file: File, detail: Detail) -> Self {
        let token = lexer.next();
        Self {
            lexer,
            token,
            previous: token,
            cursor: Cursor::default(),
            depth: 0,
            unclosed: false,
            detail,
            file,
            fields: Vec::new(),
            params: Vec::new(),
            type_params: Vec::new(),
            type_list: Vec::new(),
            expr_list: Vec::new(),
            names: Vec::new(),
        }
    }

    fn finish(self) -> File {
        File {
            comments: self.lexer.comments,
            diagnostics: self.lexer.diagnostics,
            ..self.file
        }
    }

    fn file(&mut self) {
        if self.package_clause().is_err() {
            self.recover();
        }
        loop {
            match self.token.kind {
                Kind::End => break,
                Kind::Semicolon => {
                    self.bump();
                }
                kind if kind.starts_declaration() => {
                    if self.declaration().is_err() {
                        self.recover();
                    }
                }
                kind => {
                    let message = format!("{} cannot start a declaration", kind.describe());
                    self.error_here(&message, "start with `type`, `const`, `var`, `func` or `import`");
                    self.bump();
                    self.recover();
                }
            }
        }
        let rest = self.cursor.loose(self.token, None);
        self.file.package_groups.extend(rest);
    }

    fn package_clause(&mut self) -> Parsed<()> {
        let keyword = self.token;
        self.file.package_groups.extend((0..keyword.groups).map(GroupId));
        let godoc = self.cursor.lead(&self.lexer.comments, keyword);
        self.expect(
            Kind::Package,
            "a Go file starts with its package clause, such as `package v1`",
        )?;
        let name = self.expect(Kind::Ident, "write the package's name after `package`")?;
        self.file.package = Some(self.span(name));
        self.file.package_comments = Comments {
            godoc,
            closest: attach::closest(&self.lexer.comments, name.line),
            ..Comments::default()
        };
        self.end_of_group("the package clause")
    }

    /// Passes the current token and returns it.
    fn bump(&mut self) -> Token {
        let passed = self.token;
        self.cursor.pass(passed);
        self.previous = passed;
        self.token = self.lexer.next();
        passed
    }

    fn at(&self, kind: Kind) -> bool {
        self.token.kind == kind
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let there = self.at(kind);
        if there {
            self.bump();
        }
        there
    }

    fn expect(&mut self, kind: Kind, help: &str) -> Parsed<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        Err(self.unexpected(kind.describe(), help))
    }

    fn unexpected(&mut self, wanted: &str, help: &str) -> Broken {
        let message = format!("expected {wanted}, found {}", self.found());
        self.error_here(&message, help)
    }

    fn found(&self) -> String {
        match self.token.kind {
            Kind::Ident | Kind::Int | Kind::Leave | Kind::Statement => format!("`{}`", self.text(self.token)),
            kind => kind.describe().to_owned(),
        }
    }

    fn error_here(&mut self, message: &str, help: &str) -> Broken {
        let span = self.span(self.token);
        // The lexer has already reported a broken token, and one report per token is enough.
        let said = self
            .lexer
            .diagnostics
            .last()
            .is_some_and(|last| last.span == span);
        if !said && !self.at(Kind::Error) {
            self.lexer
                .report(Diagnostic::error(&finding::GO_SYNTAX, span, message).help(help));
        }
        Broken
    }

    fn text(&self, token: Token) -> &'a str {
        &self.lexer.text[token.start as usize..token.end as usize]
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.lexer.file, token.start, token.end)
    }

    /// From `start` to the end of the last token passed.
    fn span_from(&self, start: u32) -> Span {
        Span::new(self.lexer.file, start, self.previous.end.max(start))
    }

    fn place(&self) -> Place {
        Place {
            mark: self.lexer.mark(),
            token: self.token,
            previous: self.previous,
            cursor: self.cursor,
        }
    }

    fn go_back(&mut self, place: Place) {
        self.lexer.reset(place.mark);
        self.token = place.token;
        self.previous = place.previous;
        self.cursor = place.cursor;
    }

    /// Runs `parse` one level deeper, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error_here("nested too deeply", "give the inner type a name of its own"));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Passes the end of a declaration and returns the comment after it. Before `close` the end may be
    /// missing.
    fn end_of_line(&mut self, close: Kind) -> Parsed<Option<GroupId>> {
        if !self.at(Kind::Semicolon) {
            // A struct cut off by the next declaration has already passed its line end.
            if self.at(close) || self.at(Kind::End) || self.previous.kind == Kind::Semicolon {
                return Ok(None);
            }
            return Err(self.unexpected("end of line", "start a new line here"));
        }
        let implied = self.token.start == self.token.end;
        if !implied {
            self.bump();
        }
        let trailing = self.cursor.trailing(&self.lexer.comments, self.token);
        self.cursor.take(trailing);
        if implied {
            self.bump();
        }
        Ok(trailing)
    }

    /// Skips to what looks like the next declaration: one at the start of a line, or one after a line end
    /// outside all braces opened since the error.
    fn recover(&mut self) {
        self.clear_open_lists();
        let mut depth = 0i32;
        loop {
            match self.token.kind {
                Kind::End => return,
                Kind::OpenBrace | Kind::OpenParen => depth += 1,
                Kind::CloseBrace | Kind::CloseParen => depth -= 1,
                _ if self.at_declaration() => return,
                kind if kind.starts_declaration() && depth <= 0 && self.previous.kind == Kind::Semicolon => {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether a declaration starts in the first column, where formatted code has nothing else.
    fn at_declaration(&self) -> bool {
        let start = self.token.start as usize;
        self.token.kind.starts_declaration() && (start == 0 || self.lexer.bytes[start - 1] == b'\n')
    }

    fn clear_open_lists(&mut self) {
        self.depth = 0;
        self.fields.clear();
        self.params.clear();
        self.type_params.clear();
        self.type_list.clear();
        self.expr_list.clear();
        self.names.clear();
    }

    /// Skips tokens, whole brackets at a time, up to a comma, line end or closing bracket, or to the next
    /// declaration if a bracket is not closed.
    fn skip_operand(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.token.kind {
                Kind::End => return,
                _ if self.at_declaration() => return,
                Kind::OpenBrace | Kind::OpenParen | Kind::OpenBracket => depth += 1,
                Kind::CloseBrace | Kind::CloseParen | Kind::CloseBracket if depth == 0 => return,
                Kind::CloseBrace | Kind::CloseParen | Kind::CloseBracket => depth -= 1,
                Kind::Comma | Kind::Semicolon if depth == 0 => return,
                _ => {}
            }
            self.bump();
        }
    }
}
