//! Constant expressions. Forms that API constants do not use are skipped and kept as [`ExprKind::Other`].

use super::super::ast::{BinaryOp, Expr, ExprId, ExprKind, List, UnaryOp};
use super::super::token::{Kind, Token};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Expressions separated by commas.
    pub(super) fn expr_list(&mut self) -> Parsed<Vec<ExprId>> {
        let mut list = vec![self.expr()?];
        while self.eat(Kind::Comma) {
            list.push(self.expr()?);
        }
        Ok(list)
    }

    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        self.binary(1)
    }

    /// Operators that bind at least as strongly as `floor`.
    fn binary(&mut self, floor: u8) -> Parsed<ExprId> {
        let start = self.token;
        let mut left = self.nested(Self::unary)?;
        while let Some((op, strength)) = binary_op(self.token.kind) {
            if strength < floor {
                break;
            }
            self.bump();
            let right = self.binary(strength + 1)?;
            left = self.add_expr(start, ExprKind::Binary(op, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let start = self.token;
        let op = match start.kind {
            Kind::Plus => UnaryOp::Plus,
            Kind::Minus => UnaryOp::Minus,
            Kind::Not => UnaryOp::Not,
            Kind::Caret => UnaryOp::Complement,
            _ => return self.primary(),
        };
        self.bump();
        let operand = self.nested(Self::unary)?;
        Ok(self.add_expr(start, ExprKind::Unary(op, operand)))
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let start = self.token;
        let mut expr = self.operand(start)?;
        loop {
            match self.token.kind {
                Kind::OpenParen => {
                    let args = self.call_args()?;
                    expr = self.add_expr(start, ExprKind::Call { callee: expr, args });
                }
                Kind::OpenBracket | Kind::OpenBrace => {
                    let close = self.token.kind;
                    self.bump();
                    self.skip_inside(close);
                    expr = self.add_expr(start, ExprKind::Other);
                }
                Kind::Dot => {
                    self.bump();
                    self.skip_operand();
                    expr = self.add_expr(start, ExprKind::Other);
                }
                _ => return Ok(expr),
            }
        }
    }

    fn operand(&mut self, start: Token) -> Parsed<ExprId> {
        let kind = match start.kind {
            Kind::Int => ExprKind::Int,
            Kind::Float => ExprKind::Float,
            Kind::Char => ExprKind::Char,
            Kind::String => ExprKind::String,
            Kind::Imaginary => ExprKind::Other,
            Kind::Ident => return Ok(self.name(start)),
            Kind::OpenParen => {
                self.bump();
                let inner = self.expr()?;
                self.expect(Kind::CloseParen, "close the parenthesis")?;
                return Ok(inner);
            }
            Kind::Semicolon
            | Kind::Comma
            | Kind::CloseParen
            | Kind::CloseBracket
            | Kind::CloseBrace
            | Kind::End => {
                return Err(self.unexpected("a value", "write a constant value"));
            }
            _ => {
                self.skip_operand();
                return Ok(self.add_expr(start, ExprKind::Other));
            }
        };
        self.bump();
        Ok(self.add_expr(start, kind))
    }

    fn name(&mut self, start: Token) -> ExprId {
        self.bump();
        if !self.at(Kind::Dot) {
            return self.add_expr(start, ExprKind::Name);
        }
        self.bump();
        if !self.at(Kind::Ident) {
            self.skip_operand();
            return self.add_expr(start, ExprKind::Other);
        }
        let name = self.bump();
        let kind = ExprKind::Qualified {
            package: self.span(start),
            name: self.span(name),
        };
        self.add_expr(start, kind)
    }

    fn call_args(&mut self) -> Parsed<List<ExprId>> {
        self.bump();
        let from = self.expr_list.len();
        while !self.eat(Kind::CloseParen) {
            let arg = self.expr()?;
            self.expr_list.push(arg);
            self.eat(Kind::Ellipsis);
            if !self.eat(Kind::Comma) && !self.at(Kind::CloseParen) {
                return Err(self.unexpected("`)`", "close the argument list"));
            }
        }
        Ok(List::take(&mut self.file.expr_lists, &mut self.expr_list, from))
    }

    /// Skips to the closing bracket and past it; the opening one is already passed.
    fn skip_inside(&mut self, open: Kind) {
        let close = if open == Kind::OpenBrace {
            Kind::CloseBrace
        } else {
            Kind::CloseBracket
        };
        loop {
            self.skip_operand();
            if self.eat(close) || !(self.eat(Kind::Comma) || self.eat(Kind::Semicolon)) {
                return;
            }
        }
    }

    fn add_expr(&mut self, start: Token, kind: ExprKind) -> ExprId {
        let span = self.span_from(start.start);
        let id = ExprId(self.file.exprs.len() as u32);
        self.file.exprs.push(Expr { span, kind });
        id
    }
}

/// The operator a token is, and how strongly it binds.
fn binary_op(kind: Kind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        Kind::OrOr => (BinaryOp::Or, 1),
        Kind::AndAnd => (BinaryOp::And, 2),
        Kind::Equal => (BinaryOp::Equal, 3),
        Kind::NotEqual => (BinaryOp::NotEqual, 3),
        Kind::Less => (BinaryOp::Less, 3),
        Kind::LessEqual => (BinaryOp::LessEqual, 3),
        Kind::Greater => (BinaryOp::Greater, 3),
        Kind::GreaterEqual => (BinaryOp::GreaterEqual, 3),
        Kind::Plus => (BinaryOp::Add, 4),
        Kind::Minus => (BinaryOp::Subtract, 4),
        Kind::Or => (BinaryOp::BitOr, 4),
        Kind::Caret => (BinaryOp::BitXor, 4),
        Kind::Star => (BinaryOp::Multiply, 5),
        Kind::Slash => (BinaryOp::Divide, 5),
        Kind::Percent => (BinaryOp::Remainder, 5),
        Kind::ShiftLeft => (BinaryOp::ShiftLeft, 5),
        Kind::ShiftRight => (BinaryOp::ShiftRight, 5),
        Kind::And => (BinaryOp::BitAnd, 5),
        Kind::AndNot => (BinaryOp::BitClear, 5),
        _ => return None,
    })
}
