//! Type expressions.

use kindsmith_source::Span;

use super::super::ast::{Length, List, Type, TypeId, TypeKind};
use super::super::skip::Until;
use super::super::token::{Kind, Token};
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        self.nested(Self::type_here)
    }

    fn type_here(&mut self) -> Parsed<TypeId> {
        let start = self.token;
        match start.kind {
            Kind::Ident => {
                self.bump();
                self.named_type(start)
            }
            Kind::Star => {
                self.bump();
                let elem = self.ty()?;
                Ok(self.add_type(start, TypeKind::Pointer(elem)))
            }
            Kind::OpenBracket => self.list_type(start),
            Kind::Map => self.map_type(start),
            Kind::Struct => {
                self.bump();
                let fields = self.struct_body()?;
                Ok(self.add_type(start, TypeKind::Struct(fields)))
            }
            Kind::Interface => self.interface_type(start),
            Kind::OpenParen => {
                self.bump();
                let inner = self.ty()?;
                self.expect(Kind::CloseParen, "close the parenthesis around the type")?;
                Ok(inner)
            }
            Kind::Chan | Kind::Arrow => self.chan_type(start),
            Kind::Func => {
                self.bump();
                self.signature()?;
                Ok(self.add_type(start, TypeKind::Func))
            }
            _ => Err(self.unexpected("a type", "write a type, such as `string` or `[]Item`")),
        }
    }

    fn add_type(&mut self, start: Token, kind: TypeKind) -> TypeId {
        let span = self.span_from(start.start);
        self.push_type(Type { span, kind })
    }

    pub(super) fn push_type(&mut self, ty: Type) -> TypeId {
        let id = TypeId(self.file.type_nodes.len() as u32);
        self.file.type_nodes.push(ty);
        id
    }

    /// A type that starts with a name; the name is already passed.
    pub(super) fn named_type(&mut self, first: Token) -> Parsed<TypeId> {
        let kind = if self.eat(Kind::Dot) {
            let name = self.expect(Kind::Ident, "write the type's name after the package")?;
            TypeKind::Qualified {
                package: self.span(first),
                name: self.span(name),
            }
        } else {
            TypeKind::Name
        };
        let base = self.add_type(first, kind);
        if !self.at(Kind::OpenBracket) {
            return Ok(base);
        }
        let args = self.type_args()?;
        Ok(self.add_type(first, TypeKind::Generic { base, args }))
    }

    fn type_args(&mut self) -> Parsed<List<TypeId>> {
        self.bump();
        let from = self.type_list.len();
        while !self.eat(Kind::CloseBracket) {
            let arg = self.ty()?;
            self.type_list.push(arg);
            if !self.eat(Kind::Comma) && !self.at(Kind::CloseBracket) {
                return Err(self.unexpected("`]`", "close the type arguments"));
            }
        }
        Ok(List::take(&mut self.file.type_lists, &mut self.type_list, from))
    }

    fn list_type(&mut self, start: Token) -> Parsed<TypeId> {
        self.bump();
        if self.eat(Kind::CloseBracket) {
            let elem = self.ty()?;
            return Ok(self.add_type(start, TypeKind::Slice(elem)));
        }
        let len = if self.eat(Kind::Ellipsis) {
            Length::Ellipsis
        } else {
            Length::Expr(self.expr()?)
        };
        self.expect(Kind::CloseBracket, "close the array's length")?;
        let elem = self.ty()?;
        Ok(self.add_type(start, TypeKind::Array { len, elem }))
    }

    fn map_type(&mut self, start: Token) -> Parsed<TypeId> {
        self.bump();
        self.expect(Kind::OpenBracket, "a map is written `map[Key]Value`")?;
        let key = self.ty()?;
        self.expect(Kind::CloseBracket, "a map is written `map[Key]Value`")?;
        let value = self.ty()?;
        Ok(self.add_type(start, TypeKind::Map { key, value }))
    }

    fn chan_type(&mut self, start: Token) -> Parsed<TypeId> {
        if self.eat(Kind::Arrow) {
            self.expect(Kind::Chan, "a receiving channel is written `<-chan T`")?;
        } else {
            self.bump();
            self.eat(Kind::Arrow);
        }
        let elem = self.ty()?;
        Ok(self.add_type(start, TypeKind::Chan(elem)))
    }

    fn interface_type(&mut self, start: Token) -> Parsed<TypeId> {
        self.bump();
        if !self.at(Kind::OpenBrace) {
            return Err(self.unexpected("`{`", "write `interface{}` or list the methods in braces"));
        }
        let body = self.block()?;
        let inside = &self.lexer.text[body.start as usize + 1..body.end as usize - 1];
        let empty = inside.bytes().all(|byte| byte.is_ascii_whitespace());
        Ok(self.add_type(start, TypeKind::Interface { empty }))
    }

    /// Skips braces and their content; the current token is the opening one.
    pub(super) fn block(&mut self) -> Parsed<Span> {
        let open = self.token;
        if self.skip_unkept() {
            return Ok(Span::new(self.lexer.file, open.start, self.previous.end));
        }
        let place = self.place();
        let until = if self.unclosed {
            Until::Declaration
        } else {
            Until::End
        };
        let mut closed = self.lexer.skip_block(until);
        if !closed && until == Until::End {
            self.unclosed = true;
            self.go_back(place);
            closed = self.lexer.skip_block(Until::Declaration);
        }
        if !closed {
            self.error_here("`{` is never closed", "add the missing `}`");
            self.token = self.lexer.next();
            return Err(super::Broken);
        }
        self.pass_closing_brace();
        Ok(Span::new(self.lexer.file, open.start, self.previous.end))
    }
}
