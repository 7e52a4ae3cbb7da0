//! Struct bodies.

use kindsmith_source::Span;

use super::super::ast::{Field, List, TypeId, TypeKind};
use super::super::token::{Kind, Token};
use super::decl::Head;
use super::{MAX_LOOKAHEAD, Parsed, Parser};

impl Parser<'_> {
    pub(super) fn struct_body(&mut self) -> Parsed<List<Field>> {
        self.expect(
            Kind::OpenBrace,
            "write the fields of a struct in braces on the same line",
        )?;
        let from = self.fields.len();
        loop {
            match self.token.kind {
                Kind::CloseBrace => break,
                Kind::Semicolon => {
                    self.bump();
                }
                kind if kind == Kind::End || kind.starts_declaration() => {
                    // Keep the fields read so far; the declaration that follows matters more than this error.
                    self.error_here("struct is never closed", "add the missing `}`");
                    return Ok(List::take(&mut self.file.fields, &mut self.fields, from));
                }
                _ => {
                    let open = (self.fields.len(), self.names.len());
                    if self.field().is_err() {
                        self.fields.truncate(open.0);
                        self.names.truncate(open.1);
                        self.skip_field();
                    }
                }
            }
        }
        self.bump();
        Ok(List::take(&mut self.file.fields, &mut self.fields, from))
    }

    /// Skips the rest of a field that does not parse.
    fn skip_field(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.token.kind {
                Kind::End => return,
                kind if kind.starts_declaration() && self.previous.kind == Kind::Semicolon => return,
                Kind::OpenBrace => depth += 1,
                Kind::CloseBrace if depth == 0 => return,
                Kind::CloseBrace => depth -= 1,
                Kind::Semicolon if depth == 0 => return,
                _ => {}
            }
            self.bump();
        }
    }

    fn field(&mut self) -> Parsed<()> {
        let head = self.head();
        let start = self.token;
        if start.kind != Kind::Ident {
            return self.embedded_field(head, start);
        }
        self.bump();
        let embedded = match self.token.kind {
            Kind::Dot | Kind::String | Kind::Semicolon | Kind::CloseBrace => true,
            Kind::OpenBracket => self.instance_follows(&[Kind::String, Kind::Semicolon, Kind::CloseBrace]),
            _ => false,
        };
        if !embedded {
            return self.named_fields(head, start);
        }
        let ty = self.named_type(start)?;
        self.embedded(head, start, ty)
    }

    fn named_fields(&mut self, head: Head, start: Token) -> Parsed<()> {
        let first_name = self.names.len();
        self.names.push(start);
        while self.eat(Kind::Comma) {
            let name = self.expect(Kind::Ident, "write a field name after the comma")?;
            self.names.push(name);
        }
        let ty = self.ty()?;
        let first_field = self.fields.len();
        let tag = self.tag();
        let span = self.span_from(start.start);
        for index in first_name..self.names.len() {
            let name = self.names[index];
            let field = Field {
                name: self.span(name),
                embedded: false,
                sibling: (index - first_name) as u32,
                ty,
                tag,
                comments: self.comments(head, name.line),
                span,
            };
            self.fields.push(field);
        }
        self.names.truncate(first_name);
        self.end_of_fields(first_field)
    }

    fn embedded_field(&mut self, head: Head, start: Token) -> Parsed<()> {
        if !matches!(start.kind, Kind::Star | Kind::OpenParen) {
            return Err(self.unexpected("a field", "a field is a name and a type, or an embedded type"));
        }
        let ty = self.ty()?;
        self.embedded(head, start, ty)
    }

    fn embedded(&mut self, head: Head, start: Token, ty: TypeId) -> Parsed<()> {
        let Some(name) = self.base_name(ty) else {
            return Err(self.unexpected(
                "a named type",
                "only a named type or a pointer to one can be embedded",
            ));
        };
        let tag = self.tag();
        let first_field = self.fields.len();
        let field = Field {
            name,
            embedded: true,
            sibling: 0,
            ty,
            tag,
            comments: self.comments(head, start.line),
            span: self.span_from(start.start),
        };
        self.fields.push(field);
        self.end_of_fields(first_field)
    }

    fn tag(&mut self) -> Option<Span> {
        self.at(Kind::String).then(|| {
            let tag = self.bump();
            self.span(tag)
        })
    }

    fn end_of_fields(&mut self, first: usize) -> Parsed<()> {
        let trailing = self.end_of_line(Kind::CloseBrace)?;
        for field in &mut self.fields[first..] {
            field.comments.trailing = trailing;
        }
        Ok(())
    }

    /// The name of a type as an embedded field or receiver.
    pub(super) fn base_name(&self, mut ty: TypeId) -> Option<Span> {
        loop {
            let node = self.file.ty(ty);
            match node.kind {
                TypeKind::Name => return Some(node.span),
                TypeKind::Qualified { name, .. } => return Some(name),
                TypeKind::Generic { base, .. } | TypeKind::Pointer(base) => ty = base,
                _ => return None,
            }
        }
    }

    /// Whether `[` after a name starts type arguments: then one of `after` follows the closing bracket.
    pub(super) fn instance_follows(&mut self, after: &[Kind]) -> bool {
        if self.lexer.bytes.get(self.lexer.at.pos) == Some(&b']') {
            return false;
        }
        let place = self.place();
        let mut depth = 0u32;
        let mut follows = false;
        for _ in 0..MAX_LOOKAHEAD {
            match self.bump().kind {
                Kind::OpenBracket => depth += 1,
                Kind::CloseBracket => depth = depth.saturating_sub(1),
                Kind::End | Kind::Semicolon => break,
                _ => {}
            }
            if depth == 0 {
                follows = after.contains(&self.token.kind);
                break;
            }
        }
        self.go_back(place);
        follows
    }
}
