//! Functions: the signature is parsed, the body skipped.

use kindsmith_source::Span;

use super::super::ast::{Func, List, Param, Receiver, Type, TypeId, TypeKind};
use super::super::token::Kind;
use super::decl::Head;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// A function; its keyword is already passed.
    pub(super) fn func(&mut self, head: Head, start: u32) -> Parsed<()> {
        let receiver = if self.at(Kind::OpenParen) {
            Some(self.params()?)
        } else {
            None
        };
        let name = self.expect(Kind::Ident, "write the function's name after `func`")?;
        let comments = self.comments(head, name.line);
        let type_params = if self.at(Kind::OpenBracket) {
            self.type_params()?
        } else {
            List::EMPTY
        };
        let (params, results) = self.signature()?;
        let mut func = Func {
            name: self.span(name),
            receiver: receiver.and_then(|params| self.receiver(params)),
            type_params,
            params,
            results,
            returns: None,
            body: None,
            comments,
            span: self.span_from(start),
        };
        if self.at(Kind::OpenBrace) {
            func.returns = self.only_return();
            func.body = Some(self.block()?);
        }
        self.file.funcs.push(func);
        self.end_of_group("the function")
    }

    fn receiver(&self, params: List<Param>) -> Option<Receiver> {
        let param = self.file.params(params).first()?;
        Some(Receiver {
            ty: self.base_name(param.ty)?,
            pointer: matches!(self.file.ty(param.ty).kind, TypeKind::Pointer(_)),
        })
    }

    /// Parameters and results.
    pub(super) fn signature(&mut self) -> Parsed<(List<Param>, List<Param>)> {
        let params = self.params()?;
        let results = match self.token.kind {
            Kind::OpenParen => self.params()?,
            Kind::Ident
            | Kind::Star
            | Kind::OpenBracket
            | Kind::Map
            | Kind::Struct
            | Kind::Interface
            | Kind::Chan
            | Kind::Arrow
            | Kind::Func => {
                let from = self.params.len();
                let ty = self.ty()?;
                self.params.push(Param {
                    name: None,
                    ty,
                    variadic: false,
                });
                List::take(&mut self.file.params, &mut self.params, from)
            }
            _ => List::EMPTY,
        };
        Ok((params, results))
    }

    fn params(&mut self) -> Parsed<List<Param>> {
        self.expect(Kind::OpenParen, "write parameters in parentheses")?;
        let from = self.params.len();
        let mut named = false;
        while !self.eat(Kind::CloseParen) {
            let (param, has_name) = self.param()?;
            named |= has_name;
            self.params.push(param);
            if !self.eat(Kind::Comma) && !self.at(Kind::CloseParen) {
                return Err(self.unexpected("`)`", "close the parameter list"));
            }
        }
        if named {
            self.name_params(from);
        }
        Ok(List::take(&mut self.file.params, &mut self.params, from))
    }

    /// `a T`, `T` or the `a` of `a, b T`, which looks like a type until `b T` follows.
    fn param(&mut self) -> Parsed<(Param, bool)> {
        let start = self.token;
        if start.kind == Kind::Ident {
            self.bump();
            let is_type = match self.token.kind {
                Kind::Comma | Kind::CloseParen | Kind::Dot => true,
                Kind::OpenBracket => self.instance_follows(&[Kind::Comma, Kind::CloseParen]),
                _ => false,
            };
            if is_type {
                let ty = self.named_type(start)?;
                return Ok((unnamed(ty, false), false));
            }
            let variadic = self.eat(Kind::Ellipsis);
            let ty = self.ty()?;
            let param = Param {
                name: Some(self.span(start)),
                ty,
                variadic,
            };
            return Ok((param, true));
        }
        let variadic = self.eat(Kind::Ellipsis);
        let ty = self.ty()?;
        Ok((unnamed(ty, variadic), false))
    }

    /// In a list where one entry has a name, the bare entries before it are names that share its type.
    fn name_params(&mut self, from: usize) {
        let mut shared: Option<(TypeId, bool)> = None;
        for index in (from..self.params.len()).rev() {
            let param = self.params[index];
            match (param.name, shared) {
                (Some(_), _) => shared = Some((param.ty, param.variadic)),
                (None, Some((ty, variadic))) => {
                    let Type { span, .. } = self.file.ty(param.ty);
                    self.params[index] = Param {
                        name: Some(span),
                        ty,
                        variadic,
                    };
                }
                (None, None) => {}
            }
        }
    }

    /// The expressions that the body returns, if it is just a `return`; the current token is its `{`.
    fn only_return(&mut self) -> Option<Span> {
        let body = &self.lexer.bytes[self.token.end as usize..];
        let blank = body.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if !body[blank..].starts_with(b"return") {
            return None;
        }
        let place = self.place();
        self.bump();
        let mut returns = None;
        if self.eat(Kind::Return) {
            let start = self.token.start;
            self.skip_operand();
            while self.eat(Kind::Comma) {
                self.skip_operand();
            }
            let value = self.span_from(start);
            self.eat(Kind::Semicolon);
            returns = self.at(Kind::CloseBrace).then_some(value);
        }
        self.go_back(place);
        returns
    }
}

fn unnamed(ty: TypeId, variadic: bool) -> Param {
    Param {
        name: None,
        ty,
        variadic,
    }
}
