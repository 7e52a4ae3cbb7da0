//! Makes tree nodes: literals, operators, balanced logic chains.
//!
//! Used for valid input and for repaired trees of invalid input, so that both report the same errors.

use std::sync::Arc;

use crate::dialect::Dialect;

use super::ast::{Ast, Comprehension, Expr, ExprId, Literal};
use super::error::Errors;
use super::source::Source;
use super::unescape::unescape;

/// Words that cannot be identifiers.
pub(super) const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "package",
    "namespace",
    "null",
    "return",
    "true",
    "var",
    "void",
    "while",
];

/// The hidden name of a macro's accumulator.
pub(super) const ACCUMULATOR: &str = "@result";
/// The former name of accumulators; still rejected as a loop variable.
pub(super) const OLD_ACCUMULATOR: &str = "__result__";

/// The tree under construction and the errors found so far.
pub(super) struct Builder<'s> {
    /// The text.
    pub source: &'s Source,
    /// The tree.
    pub ast: Ast,
    /// The errors.
    pub errors: Errors,
    /// Whether `cel.bind` is a macro.
    pub binds: bool,
    /// The dialect, which decides what is a macro.
    pub dialect: Dialect,
}

impl<'s> Builder<'s> {
    /// Starts an empty tree for `source`.
    pub(super) fn new(source: &'s Source) -> Builder<'s> {
        Builder {
            source,
            ast: Ast::default(),
            errors: Errors::default(),
            binds: false,
            dialect: Dialect::default(),
        }
    }

    /// Reports an error and returns a placeholder node.
    pub(super) fn error(&mut self, offset: u32, message: impl Into<String>) -> ExprId {
        self.errors.report(self.source.location(offset), message);
        self.ast.add(Expr::Unspecified, offset)
    }

    /// A chain of `&&` or `||` as a balanced tree, which keeps the depth of long chains small.
    pub(super) fn logic(&mut self, function: &str, terms: &[ExprId], operators: &[u32]) -> ExprId {
        if operators.is_empty() {
            return terms[0];
        }
        let middle = operators.len() / 2;
        let left = self.logic(function, &terms[..=middle], &operators[..middle]);
        let right = self.logic(function, &terms[middle + 1..], &operators[middle + 1..]);
        self.ast.add(
            Expr::Call {
                target: None,
                function: function.into(),
                args: vec![left, right],
            },
            operators[middle],
        )
    }

    /// A name, or an error when it is reserved.
    pub(super) fn ident(&mut self, start: u32, name_at: u32, dotted: bool, name: &str) -> ExprId {
        if RESERVED.contains(&name) {
            return self.error(start, format!("reserved identifier: {name}"));
        }
        let name: Arc<str> = if dotted {
            format!(".{name}").into()
        } else {
            name.into()
        };
        self.ast.add(Expr::Ident(name), name_at)
    }

    /// An `int` literal; `text` is without its sign.
    pub(super) fn int(&mut self, offset: u32, negative: bool, text: &str) -> ExprId {
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(hex) => (hex, 16),
            None => (text, 10),
        };
        let sign = if negative { "-" } else { "" };
        match i64::from_str_radix(&format!("{sign}{digits}"), radix) {
            Ok(value) => self.ast.add(Expr::Literal(Literal::Int(value)), offset),
            Err(_) => self.error(offset, "invalid int literal"),
        }
    }

    /// A `uint` literal with its suffix.
    pub(super) fn uint(&mut self, offset: u32, text: &str) -> ExprId {
        let text = &text[..text.len() - 1];
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(hex) => (hex, 16),
            None => (text, 10),
        };
        match u64::from_str_radix(digits, radix) {
            Ok(value) => self.ast.add(Expr::Literal(Literal::Uint(value)), offset),
            Err(_) => self.error(offset, "invalid uint literal"),
        }
    }

    /// A `double` literal.
    pub(super) fn double(&mut self, offset: u32, negative: bool, text: &str) -> ExprId {
        // Go's ParseFloat rejects numbers that round to infinity; the lexer rejects other malformed numbers.
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => self.ast.add(
                Expr::Literal(Literal::Double(if negative { -value } else { value })),
                offset,
            ),
            _ => self.error(offset, "invalid double literal"),
        }
    }

    /// A `string` literal as written.
    pub(super) fn string(&mut self, offset: u32, text: &str) -> ExprId {
        match unescape(text, false) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                self.ast.add(Expr::Literal(Literal::String(text.into())), offset)
            }
            Err(message) => {
                self.error(offset, message);
                self.ast.add(Expr::Literal(Literal::String(text.into())), offset)
            }
        }
    }

    /// A `bytes` literal as written, with its prefix.
    pub(super) fn bytes(&mut self, offset: u32, text: &str) -> ExprId {
        match unescape(&text[1..], true) {
            Ok(bytes) => self.ast.add(Expr::Literal(Literal::Bytes(bytes.into())), offset),
            Err(message) => {
                self.error(offset, message);
                self.ast
                    .add(Expr::Literal(Literal::Bytes(text.as_bytes().into())), offset)
            }
        }
    }

    /// A copy of a node and everything below it, with new numbers.
    pub(super) fn copy(&mut self, id: ExprId) -> ExprId {
        let offset = self.ast.offset(id);
        let copied = match self.ast.get(id).clone() {
            leaf @ (Expr::Unspecified | Expr::Literal(_) | Expr::Ident(_)) => leaf,
            Expr::Select { operand, field, test } => Expr::Select {
                operand: self.copy(operand),
                field,
                test,
            },
            Expr::Call {
                target,
                function,
                args,
            } => {
                let args = self.copy_all(&args);
                Expr::Call {
                    target: target.map(|target| self.copy(target)),
                    function,
                    args,
                }
            }
            Expr::List { elements, optional } => Expr::List {
                elements: self.copy_all(&elements),
                optional,
            },
            Expr::Map(mut entries) => {
                for entry in &mut entries {
                    entry.key = self.copy(entry.key);
                    entry.value = self.copy(entry.value);
                }
                Expr::Map(entries)
            }
            Expr::Struct { name, mut fields } => {
                for field in &mut fields {
                    field.value = self.copy(field.value);
                }
                Expr::Struct { name, fields }
            }
            Expr::Comprehension(c) => {
                let c = *c;
                Expr::Comprehension(Box::new(Comprehension {
                    range: self.copy(c.range),
                    accu_init: self.copy(c.accu_init),
                    condition: self.copy(c.condition),
                    step: self.copy(c.step),
                    result: self.copy(c.result),
                    ..c
                }))
            }
        };
        self.ast.add(copied, offset)
    }

    fn copy_all(&mut self, ids: &[ExprId]) -> Vec<ExprId> {
        ids.iter().map(|id| self.copy(*id)).collect()
    }
}
