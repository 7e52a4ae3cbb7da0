//! Declarations and their groups: imports, types, constants, variables.

use super::super::ast::{Comments, Const, ExprId, Import, List, TypeDecl, TypeId, TypeParam, Var};
use super::super::attach;
use super::super::comment::GroupId;
use super::super::token::Kind;
use super::{Broken, MAX_LOOKAHEAD, Parsed, Parser};

/// The comments above a declaration.
#[derive(Clone, Copy, Default)]
pub(super) struct Head {
    godoc: Option<GroupId>,
    nearest: Option<GroupId>,
}

/// The type and value that a constant without value repeats.
#[derive(Clone, Default)]
struct Repeated {
    ty: Option<TypeId>,
    values: Vec<ExprId>,
}

impl Parser<'_> {
    pub(super) fn declaration(&mut self) -> Parsed<()> {
        let keyword = self.token;
        let godoc = self.cursor.lead(&self.lexer.comments, keyword);
        let loose = self.cursor.loose(keyword, godoc);
        let from = self.file.package_groups.len();
        self.file.package_groups.extend(loose);
        let head = Head {
            godoc,
            nearest: self.file.package_groups[from..].last().copied(),
        };
        self.bump();
        match keyword.kind {
            Kind::Func => self.func(head, keyword.start),
            Kind::Type => {
                // controller-gen gives the nearest group to a single type; above a group of types, it is the
                // package's (`markerSubVisitor.Visit` in controller-tools/pkg/markers/collect.go).
                if head.nearest.is_some() && !self.at(Kind::OpenParen) {
                    self.file.package_groups.pop();
                }
                self.specs(head, Self::type_spec)
            }
            Kind::Import => self.specs(head, Self::import_spec),
            Kind::Var => self.specs(head, Self::var_spec),
            _ => self.const_specs(head),
        }
    }

    /// One spec, or several in parentheses.
    fn specs(&mut self, head: Head, mut spec: impl FnMut(&mut Self, Head, Kind) -> Parsed<()>) -> Parsed<()> {
        if !self.eat(Kind::OpenParen) {
            return spec(self, head, Kind::End);
        }
        while !self.at(Kind::CloseParen) {
            if self.eat(Kind::Semicolon) {
                continue;
            }
            let head = self.head();
            spec(self, head, Kind::CloseParen)?;
        }
        self.bump();
        self.end_of_group("`)`")
    }

    /// The end of something whose trailing comment is dropped.
    pub(super) fn end_of_group(&mut self, what: &str) -> Parsed<()> {
        if self.at(Kind::End) || self.eat(Kind::Semicolon) {
            return Ok(());
        }
        let help = format!("start a new line after {what}");
        Err(self.unexpected("end of line", &help))
    }

    /// The comments above the spec or field that starts here.
    pub(super) fn head(&self) -> Head {
        let godoc = self.cursor.lead(&self.lexer.comments, self.token);
        Head {
            godoc,
            nearest: self.cursor.loose(self.token, godoc).next_back(),
        }
    }

    pub(super) fn comments(&self, head: Head, line: u32) -> Comments {
        Comments {
            godoc: head.godoc,
            nearest: head.nearest,
            closest: attach::closest(&self.lexer.comments, line),
            ..Comments::default()
        }
    }

    fn import_spec(&mut self, _: Head, close: Kind) -> Parsed<()> {
        let name = match self.token.kind {
            Kind::Ident | Kind::Dot => Some(self.bump()),
            _ => None,
        };
        let path = self.expect(Kind::String, "write the import path in double quotes")?;
        let import = Import {
            name: name.map(|name| self.span(name)),
            path: self.span(path),
        };
        self.file.imports.push(import);
        self.end_of_line(close).map(|_| ())
    }

    fn type_spec(&mut self, head: Head, close: Kind) -> Parsed<()> {
        let name = self.expect(Kind::Ident, "write the type's name after `type`")?;
        let mut comments = self.comments(head, name.line);
        comments.second_closest = attach::second_closest(&self.lexer.comments, name.line, comments.closest);
        let type_params = if self.at(Kind::OpenBracket) && self.type_params_follow() {
            self.type_params()?
        } else {
            List::EMPTY
        };
        let alias = self.eat(Kind::Assign);
        let ty = match self.unread_struct() {
            Some(ty) => ty,
            None => self.ty()?,
        };
        self.file.types.push(TypeDecl {
            name: self.span(name),
            span: self.span_from(name.start),
            type_params,
            alias,
            ty,
            comments,
        });
        let trailing = self.end_of_line(close)?;
        if let Some(decl) = self.file.types.last_mut() {
            decl.comments.trailing = trailing;
        }
        Ok(())
    }

    /// Whether `[` after a type's name starts type parameters, not an array or slice.
    fn type_params_follow(&mut self) -> bool {
        let place = self.place();
        self.bump();
        let name = self.eat(Kind::Ident);
        let follow = match self.token.kind {
            Kind::Ident | Kind::Comma | Kind::OpenBracket | Kind::Interface | Kind::Tilde => name,
            Kind::Func | Kind::Map | Kind::Chan | Kind::Struct | Kind::Arrow => name,
            Kind::Star => name && self.constraint_follows(),
            _ => false,
        };
        self.go_back(place);
        follow
    }

    /// Whether `*` after a name starts a constraint: Go parses `[P *C]` as a product unless a comma or
    /// another constraint operator follows.
    fn constraint_follows(&mut self) -> bool {
        for _ in 0..MAX_LOOKAHEAD {
            match self.token.kind {
                Kind::Comma | Kind::Or | Kind::Tilde | Kind::Interface => return true,
                Kind::CloseBracket | Kind::Semicolon | Kind::End => return false,
                _ => {}
            }
            self.bump();
        }
        false
    }

    pub(super) fn type_params(&mut self) -> Parsed<List<TypeParam>> {
        self.bump();
        let from = self.type_params.len();
        while !self.eat(Kind::CloseBracket) {
            let first = self.type_params.len();
            loop {
                let name = self.expect(Kind::Ident, "a type parameter is a name and a constraint")?;
                let name = self.span(name);
                self.type_params.push(TypeParam {
                    name,
                    constraint: name,
                });
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
            let start = self.token.start;
            self.skip_operand();
            let constraint = self.span_from(start);
            for param in &mut self.type_params[first..] {
                param.constraint = constraint;
            }
            if !self.eat(Kind::Comma) && !self.at(Kind::CloseBracket) {
                return Err(self.unexpected("`]`", "close the type parameters"));
            }
        }
        Ok(List::take(
            &mut self.file.type_params,
            &mut self.type_params,
            from,
        ))
    }

    fn const_specs(&mut self, head: Head) -> Parsed<()> {
        let mut repeated = Repeated::default();
        let mut iota = 0;
        self.specs(head, |parser, head, close| {
            let parsed = parser.const_spec(head, close, iota, &mut repeated);
            iota += 1;
            parsed
        })
    }

    fn const_spec(&mut self, head: Head, close: Kind, iota: u32, repeated: &mut Repeated) -> Parsed<()> {
        let start = self.token.start;
        let first_name = self.name_list("write the constant's name")?;
        let implicit = self.at(Kind::Semicolon) || self.at(close);
        if !implicit {
            let ty = if self.at(Kind::Assign) {
                None
            } else {
                Some(self.ty()?)
            };
            self.expect(Kind::Assign, "a constant needs `=` and a value")?;
            let values = self.expr_list()?;
            *repeated = Repeated { ty, values };
        }
        let span = self.span_from(start);
        let first_const = self.file.consts.len();
        for index in first_name..self.names.len() {
            let name = self.names[index];
            let comments = self.comments(head, name.line);
            self.file.consts.push(Const {
                name: self.span(name),
                ty: repeated.ty,
                value: repeated.values.get(index - first_name).copied(),
                implicit,
                iota,
                comments,
                span,
            });
        }
        self.names.truncate(first_name);
        let trailing = self.end_of_line(close)?;
        for decl in &mut self.file.consts[first_const..] {
            decl.comments.trailing = trailing;
        }
        Ok(())
    }

    fn var_spec(&mut self, head: Head, close: Kind) -> Parsed<()> {
        let first_name = self.name_list("write the variable's name")?;
        let ty = match self.token.kind {
            Kind::Assign | Kind::Semicolon => None,
            _ => Some(self.ty()?),
        };
        let value = self.eat(Kind::Assign).then(|| self.skip_values());
        let first_var = self.file.vars.len();
        for index in first_name..self.names.len() {
            let name = self.names[index];
            let comments = self.comments(head, name.line);
            self.file.vars.push(Var {
                name: self.span(name),
                ty,
                value,
                comments,
            });
        }
        self.names.truncate(first_name);
        let trailing = self.end_of_line(close)?;
        for decl in &mut self.file.vars[first_var..] {
            decl.comments.trailing = trailing;
        }
        Ok(())
    }

    fn skip_values(&mut self) -> kindsmith_source::Span {
        let start = self.token.start;
        self.skip_operand();
        while self.eat(Kind::Comma) {
            self.skip_operand();
        }
        self.span_from(start)
    }

    /// Names separated by commas, pushed to the open list; returns where they start in it.
    pub(super) fn name_list(&mut self, help: &str) -> Result<usize, Broken> {
        let first = self.names.len();
        loop {
            let name = self.expect(Kind::Ident, help)?;
            self.names.push(name);
            if !self.eat(Kind::Comma) {
                return Ok(first);
            }
        }
    }
}
