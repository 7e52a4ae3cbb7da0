//! The parser: a fast recursive descent for valid input. Invalid input is parsed again by `antlr_recovery` to find its
//! errors.
//!
//! Knows the grammar and its limits, not the texts of syntax errors.

use crate::dialect::{Dialect, Feature};

use super::antlr_recovery;
use super::ast::{Ast, Entry, Expr, ExprId, Field, Literal};
use super::build::{Builder, RESERVED};
use super::error::Errors;
use super::lexer;
use super::source::{Location, Source};
use super::token::{Kind, Token};

/// Expressions with more code points are rejected.
const MAX_CODE_POINTS: usize = 100_000;
/// How deeply each grammar rule may nest, and how deeply operators of any kind may.
pub(super) const MAX_DEPTH: u32 = 250;
pub(super) const RULE_DEPTH_TEXT: &str = "expression recursion limit exceeded: 250";
pub(super) const TREE_DEPTH_TEXT: &str = "max recursion depth exceeded";

/// The tree of an expression in the newest dialect, or its errors.
pub fn parse(source: &Source) -> Result<Ast, Errors> {
    parse_in(source, Dialect::default())
}

/// The tree of an expression, or its errors.
pub(crate) fn parse_in(source: &Source, dialect: Dialect) -> Result<Ast, Errors> {
    let mut builder = Builder::new(source);
    builder.dialect = dialect;
    build(builder)
}

/// The tree of an expression that may use `cel.bind`, or its errors.
pub(crate) fn parse_with_bindings(source: &Source, dialect: Dialect) -> Result<Ast, Errors> {
    let mut builder = Builder::new(source);
    builder.binds = true;
    builder.dialect = dialect;
    build(builder)
}

fn build(mut builder: Builder<'_>) -> Result<Ast, Errors> {
    let source = builder.source;
    let size = source.chars().len();
    if size > MAX_CODE_POINTS {
        let text = format!("expression code point size exceeds limit: size: {size}, limit {MAX_CODE_POINTS}");
        builder.errors.report(Location::NONE, text);
        return Err(builder.errors);
    }
    let (tokens, lex_errors) = lexer::tokens(source);
    if lex_errors.is_empty() {
        let visible = tokens
            .iter()
            .filter(|t| !matches!(t.kind, Kind::Whitespace | Kind::Comment))
            .copied()
            .collect();
        let mut parser = Parser {
            tokens: visible,
            at: 0,
            builder,
            depth: [0; RULES],
        };
        match parser.start() {
            Ok(_) if parser.builder.errors.is_empty() => return Ok(parser.builder.ast),
            Ok(_) => return Err(parser.builder.errors),
            Err(Stop::Syntax) => {}
            Err(Stop::Limit(text)) => {
                let mut errors = Errors::default();
                errors.report(Location::NONE, text);
                return Err(errors);
            }
        }
    }
    Err(antlr_recovery::errors(source, &tokens, &lex_errors))
}

/// Why the quick parser gave up.
enum Stop {
    /// The input does not match the grammar; `antlr_recovery` finds out where.
    Syntax,
    Limit(&'static str),
}

/// The grammar rules whose nesting is limited.
#[derive(Clone, Copy)]
enum Rule {
    Expr,
    Or,
    And,
    Relation,
    Calc,
    Unary,
    Member,
    Primary,
}
const RULES: usize = 8;

/// A node and how deeply operators are nested in it.
type Parsed = (ExprId, u32);

struct Parser<'s> {
    tokens: Vec<Token>,
    at: usize,
    builder: Builder<'s>,
    depth: [u32; RULES],
}

impl Parser<'_> {
    fn start(&mut self) -> Result<Parsed, Stop> {
        let parsed = self.expr()?;
        self.expect(Kind::Eof)?;
        if parsed.1 > MAX_DEPTH {
            return Err(Stop::Limit(TREE_DEPTH_TEXT));
        }
        self.builder.ast.root = Some(parsed.0);
        Ok(parsed)
    }

    fn peek(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn peek_at(&self, ahead: usize) -> Kind {
        self.tokens
            .get(self.at + ahead)
            .map_or(Kind::Eof, |token| token.kind)
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at];
        // The end token is never passed, so `at` stays in bounds.
        self.at += usize::from(token.kind != Kind::Eof);
        token
    }

    fn eat(&mut self, kind: Kind) -> Option<Token> {
        (self.peek() == kind).then(|| self.next())
    }

    fn expect(&mut self, kind: Kind) -> Result<Token, Stop> {
        if self.peek() == kind {
            Ok(self.next())
        } else {
            Err(Stop::Syntax)
        }
    }

    fn text(&self, token: Token) -> String {
        self.builder
            .source
            .slice(token.start as usize, token.end as usize)
    }

    fn enter(&mut self, rule: Rule) -> Result<(), Stop> {
        let depth = &mut self.depth[rule as usize];
        *depth += 1;
        if *depth > MAX_DEPTH {
            Err(Stop::Limit(RULE_DEPTH_TEXT))
        } else {
            Ok(())
        }
    }

    fn leave(&mut self, rule: Rule) {
        self.depth[rule as usize] -= 1;
    }

    fn expr(&mut self) -> Result<Parsed, Stop> {
        self.enter(Rule::Expr)?;
        let (condition, mut height) = self.logic(Rule::Or)?;
        let mut result = condition;
        if let Some(question) = self.eat(Kind::Question) {
            let (then, then_height) = self.logic(Rule::Or)?;
            self.expect(Kind::Colon)?;
            let (otherwise, else_height) = self.expr()?;
            result = self
                .builder
                .global(question.start, "_?_:_", vec![condition, then, otherwise]);
            height = 1 + height.max(then_height).max(else_height);
        }
        self.leave(Rule::Expr);
        Ok((result, height))
    }

    /// A chain of `||` or, one level down, of `&&`.
    fn logic(&mut self, rule: Rule) -> Result<Parsed, Stop> {
        self.enter(rule)?;
        let (operator, function) = match rule {
            Rule::Or => (Kind::Or, "_||_"),
            _ => (Kind::And, "_&&_"),
        };
        let (mut terms, mut operators, mut height) = (Vec::new(), Vec::new(), 0);
        loop {
            let (term, term_height) = match rule {
                Rule::Or => self.logic(Rule::And)?,
                _ => self.relation()?,
            };
            terms.push(term);
            height = height.max(term_height);
            match self.eat(operator) {
                Some(token) => operators.push(token.start),
                None => break,
            }
        }
        self.leave(rule);
        Ok((self.builder.logic(function, &terms, &operators), height))
    }

    fn relation(&mut self) -> Result<Parsed, Stop> {
        self.enter(Rule::Relation)?;
        let (mut left, mut height) = self.calc(1)?;
        while let Some(function) = relation_operator(self.peek()) {
            let operator = self.next();
            // In the grammar the right operand is a relation too, so it counts as nested.
            self.enter(Rule::Relation)?;
            let (right, right_height) = self.calc(1)?;
            self.leave(Rule::Relation);
            left = self.builder.global(operator.start, function, vec![left, right]);
            height = 1 + height.max(right_height);
        }
        self.leave(Rule::Relation);
        Ok((left, height))
    }

    /// Sums and products; operators that bind looser than `level` are left to the caller.
    fn calc(&mut self, level: u8) -> Result<Parsed, Stop> {
        self.enter(Rule::Calc)?;
        let (mut left, mut height) = self.unary()?;
        while let Some((function, strength)) = calc_operator(self.peek()) {
            if strength < level {
                break;
            }
            let operator = self.next();
            let (right, right_height) = self.calc(strength + 1)?;
            left = self.builder.global(operator.start, function, vec![left, right]);
            height = 1 + height.max(right_height);
        }
        self.leave(Rule::Calc);
        Ok((left, height))
    }

    fn unary(&mut self) -> Result<Parsed, Stop> {
        self.enter(Rule::Unary)?;
        let first = self.tokens[self.at];
        let negative_literal =
            first.kind == Kind::Minus && matches!(self.peek_at(1), Kind::Int | Kind::Float);
        let function = match first.kind {
            Kind::Exclam => Some("!_"),
            Kind::Minus if !negative_literal => Some("-_"),
            _ => None,
        };
        let mut repeated = 0;
        while function.is_some() && self.eat(first.kind).is_some() {
            repeated += 1;
        }
        let (mut result, height) = self.member()?;
        if let (Some(function), 1) = (function, repeated % 2) {
            result = self.builder.global(first.start, function, vec![result]);
        }
        self.leave(Rule::Unary);
        Ok((result, height))
    }

    fn member(&mut self) -> Result<Parsed, Stop> {
        self.enter(Rule::Member)?;
        let (mut result, mut height) = self.primary()?;
        while matches!(self.peek(), Kind::Dot | Kind::LBracket) {
            let (next, inner) = self.suffix(result)?;
            result = next;
            height = 1 + height.max(inner);
        }
        self.leave(Rule::Member);
        Ok((result, height))
    }

    /// `.name`, `.?name`, `.name(...)`, `[index]` or `[?index]` after `target`.
    fn suffix(&mut self, target: ExprId) -> Result<Parsed, Stop> {
        let operator = self.next();
        let optional = self.eat(Kind::Question).is_some();
        if operator.kind == Kind::LBracket {
            let (index, height) = self.expr()?;
            self.expect(Kind::RBracket)?;
            let function = if optional { "_[?_]" } else { "_[_]" };
            return Ok((
                self.builder.global(operator.start, function, vec![target, index]),
                height,
            ));
        }
        let (name, token) = self.field_name()?;
        if optional {
            let field = self
                .builder
                .ast
                .add(Expr::Literal(Literal::String(name.into())), token.start);
            let call = Expr::Call {
                target: None,
                function: "_?._".into(),
                args: vec![target, field],
            };
            return Ok((self.builder.ast.add(call, operator.start), 0));
        }
        if token.kind == Kind::Ident && self.peek() == Kind::LParen {
            let open = self.next();
            let (args, height) = self.arguments()?;
            return Ok((self.builder.method(open.start, &name, target, args), height));
        }
        let select = Expr::Select {
            operand: target,
            field: name.into(),
            test: false,
        };
        Ok((self.builder.ast.add(select, operator.start), 0))
    }

    fn field_name(&mut self) -> Result<(String, Token), Stop> {
        let token = self.next();
        let text = self.text(token);
        match token.kind {
            Kind::Ident => Ok((text, token)),
            Kind::EscIdent => {
                if !self.builder.dialect.has(Feature::EscapedNames) {
                    self.builder.error(token.start, "unsupported syntax: '`'");
                }
                Ok((text[1..text.len() - 1].to_owned(), token))
            }
            _ => Err(Stop::Syntax),
        }
    }

    /// Call arguments and the closing parenthesis.
    fn arguments(&mut self) -> Result<(Vec<ExprId>, u32), Stop> {
        let (mut args, mut height) = (Vec::new(), 0);
        if self.eat(Kind::RParen).is_some() {
            return Ok((args, height));
        }
        loop {
            let (arg, arg_height) = self.expr()?;
            args.push(arg);
            height = height.max(arg_height);
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.expect(Kind::RParen)?;
        Ok((args, height))
    }

    fn primary(&mut self) -> Result<Parsed, Stop> {
        self.enter(Rule::Primary)?;
        let token = self.tokens[self.at];
        let result = match token.kind {
            Kind::Dot | Kind::Ident => self.name()?,
            Kind::LParen => {
                self.next();
                let inner = self.expr()?;
                self.expect(Kind::RParen)?;
                inner
            }
            Kind::LBracket => self.list()?,
            Kind::LBrace => self.map()?,
            _ => (self.literal()?, 0),
        };
        self.leave(Rule::Primary);
        Ok(result)
    }

    fn literal(&mut self) -> Result<ExprId, Stop> {
        let start = self.tokens[self.at].start;
        let negative = self.eat(Kind::Minus).is_some();
        let token = self.next();
        let text = self.text(token);
        Ok(match token.kind {
            Kind::Int => self.builder.int(start, negative, &text),
            Kind::Float => self.builder.double(start, negative, &text),
            _ if negative => return Err(Stop::Syntax),
            Kind::Uint => self.builder.uint(start, &text),
            Kind::String => self.builder.string(start, &text),
            Kind::Bytes => self.builder.bytes(start, &text),
            Kind::True => self.builder.ast.add(Expr::Literal(Literal::Bool(true)), start),
            Kind::False => self.builder.ast.add(Expr::Literal(Literal::Bool(false)), start),
            Kind::Null => self.builder.ast.add(Expr::Literal(Literal::Null), start),
            _ => return Err(Stop::Syntax),
        })
    }

    /// A name, a call of a global function, or a message literal.
    fn name(&mut self) -> Result<Parsed, Stop> {
        let start = self.tokens[self.at].start;
        if self.is_message() {
            return self.message();
        }
        let dotted = self.eat(Kind::Dot).is_some();
        let token = self.expect(Kind::Ident)?;
        let name = self.text(token);
        if self.peek() != Kind::LParen {
            return Ok((self.builder.ident(start, token.start, dotted, &name), 0));
        }
        let open = self.next();
        if RESERVED.contains(&&*name) {
            // cel-go does not visit the arguments, so errors in them are not reported.
            let errors = self.builder.errors.clone();
            self.arguments()?;
            self.builder.errors = errors;
            return Ok((
                self.builder.error(start, format!("reserved identifier: {name}")),
                0,
            ));
        }
        let (args, height) = self.arguments()?;
        let name = if dotted { format!(".{name}") } else { name };
        Ok((self.builder.global(open.start, &name, args), height))
    }

    fn is_message(&self) -> bool {
        let mut ahead = usize::from(self.peek() == Kind::Dot);
        loop {
            if self.peek_at(ahead) != Kind::Ident {
                return false;
            }
            match self.peek_at(ahead + 1) {
                Kind::LBrace => return true,
                Kind::Dot => ahead += 2,
                _ => return false,
            }
        }
    }

    fn message(&mut self) -> Result<Parsed, Stop> {
        let mut name = String::new();
        while self.peek() != Kind::LBrace {
            let token = self.next();
            name.push_str(&self.text(token));
        }
        let open = self.next();
        let (mut fields, mut height) = (Vec::new(), 0);
        self.lone_comma(Kind::RBrace);
        while self.peek() != Kind::RBrace {
            let optional = self.eat(Kind::Question).is_some();
            let (field, _) = self.field_name()?;
            let colon = self.expect(Kind::Colon)?;
            let (value, value_height) = self.expr()?;
            height = height.max(value_height);
            fields.push(Field {
                name: field.into(),
                value,
                optional,
                offset: colon.start,
            });
            if !self.separator(Kind::RBrace) {
                break;
            }
        }
        self.expect(Kind::RBrace)?;
        Ok((
            self.builder.ast.add(
                Expr::Struct {
                    name: name.into(),
                    fields,
                },
                open.start,
            ),
            height,
        ))
    }

    /// Skips a comma between elements or a trailing one. Returns whether another element follows.
    fn separator(&mut self, close: Kind) -> bool {
        self.eat(Kind::Comma).is_some() && self.peek() != close
    }

    fn list(&mut self) -> Result<Parsed, Stop> {
        let open = self.next();
        let (mut elements, mut optionals, mut height) = (Vec::new(), Vec::new(), 0);
        self.lone_comma(Kind::RBracket);
        while self.peek() != Kind::RBracket {
            let optional = self.eat(Kind::Question).is_some();
            let (element, element_height) = self.expr()?;
            height = height.max(element_height);
            elements.push(element);
            optionals.push(optional);
            if !self.separator(Kind::RBracket) {
                break;
            }
        }
        self.expect(Kind::RBracket)?;
        Ok((
            self.builder.ast.add(
                Expr::List {
                    elements,
                    optional: optionals,
                },
                open.start,
            ),
            height,
        ))
    }

    /// The grammar allows `[,]` and `{,}`.
    fn lone_comma(&mut self, close: Kind) {
        if self.peek() == Kind::Comma && self.peek_at(1) == close {
            self.next();
        }
    }

    fn map(&mut self) -> Result<Parsed, Stop> {
        let open = self.next();
        let (mut entries, mut height) = (Vec::new(), 0);
        self.lone_comma(Kind::RBrace);
        while self.peek() != Kind::RBrace {
            let optional = self.eat(Kind::Question).is_some();
            let (key, key_height) = self.expr()?;
            self.expect(Kind::Colon)?;
            let (value, value_height) = self.expr()?;
            height = height.max(key_height).max(value_height);
            entries.push(Entry { key, value, optional });
            if !self.separator(Kind::RBrace) {
                break;
            }
        }
        self.expect(Kind::RBrace)?;
        Ok((self.builder.ast.add(Expr::Map(entries), open.start), height))
    }
}

/// The function of a binary operator other than `&&` and `||`.
pub(super) fn operator_function(kind: Kind) -> Option<&'static str> {
    relation_operator(kind).or_else(|| Some(calc_operator(kind)?.0))
}

fn relation_operator(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Less => "_<_",
        Kind::LessEquals => "_<=_",
        Kind::GreaterEquals => "_>=_",
        Kind::Greater => "_>_",
        Kind::Equals => "_==_",
        Kind::NotEquals => "_!=_",
        Kind::In => "@in",
        _ => return None,
    })
}

/// The function of an arithmetic operator and how tightly it binds.
fn calc_operator(kind: Kind) -> Option<(&'static str, u8)> {
    Some(match kind {
        Kind::Star => ("_*_", 2),
        Kind::Slash => ("_/_", 2),
        Kind::Percent => ("_%_", 2),
        Kind::Plus => ("_+_", 1),
        Kind::Minus => ("_-_", 1),
        _ => return None,
    })
}
