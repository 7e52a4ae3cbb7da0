//! Outlines: bodies are skipped together with their comments, if nothing outside can see those.

use std::sync::OnceLock;

use super::super::ast::{Body, BodyId, Type, TypeId, TypeKind};
use super::super::token::{Kind, Token};
use super::{Detail, Parser};

impl Parser<'_> {
    /// In an outline, skips the struct that starts here.
    pub(super) fn unread_struct(&mut self) -> Option<TypeId> {
        let start = self.token;
        if self.detail != Detail::Outline || start.kind != Kind::Struct || !self.fields_start_on_next_line() {
            return None;
        }
        let place = self.place();
        self.bump();
        if !self.skip_unkept() {
            self.go_back(place);
            return None;
        }
        let id = BodyId(self.file.bodies.len() as u32);
        self.file.bodies.push(Body {
            start: start.start,
            end: self.previous.end,
            line: start.line,
            read: OnceLock::new(),
        });
        Some(self.push_type(Type {
            span: self.span_from(start.start),
            kind: TypeKind::Unread(id),
        }))
    }

    /// Whether a struct's line ends with its opening brace and has no comment, so that comments belong either
    /// to the declaration or to fields.
    fn fields_start_on_next_line(&self) -> bool {
        let rest = &self.lexer.bytes[self.token.end as usize..];
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        line.trim_ascii() == b"{" && self.lexer.comments.last_line() < self.token.line
    }

    /// In an outline, skips braces and their content, without keeping comments; the current token is the
    /// opening one. Returns false and skips nothing if they are not closed, or if later code may see a
    /// comment in them: a type looks for comments that end up to two lines above it.
    pub(super) fn skip_unkept(&mut self) -> bool {
        if self.detail != Detail::Outline {
            return false;
        }
        let place = self.place();
        let is_unseen = match self.lexer.skip_closed_block() {
            Some(last_comment) => {
                self.pass_closing_brace();
                self.is_unseen(last_comment)
            }
            None => false,
        };
        if !is_unseen {
            self.go_back(place);
        }
        is_unseen
    }

    /// Whether nothing after the closing brace just passed can see a comment before it that ends on
    /// `last_comment`.
    fn is_unseen(&self, last_comment: u32) -> bool {
        let brace = self.previous.line;
        let ends_line = self.at(Kind::Semicolon) && self.token.start == self.token.end;
        // A comment after the brace is the closest one for the next line, and the second closest is searched
        // above it.
        let is_followed = self.lexer.comments.last_line() >= brace;
        ends_line && last_comment + 1 + u32::from(is_followed) < brace
    }

    /// Passes the brace that the lexer has just skipped.
    pub(super) fn pass_closing_brace(&mut self) {
        let end = self.lexer.at.pos as u32;
        self.token = Token {
            kind: Kind::CloseBrace,
            start: end - 1,
            end,
            line: self.lexer.at.line,
            groups: self.lexer.comments.len(),
        };
        self.bump();
    }
}
