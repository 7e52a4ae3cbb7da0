//! Builds expressions from a repaired tree, only to find errors beyond the syntax errors.
//!
//! Reports what cel-go's parser reports when it visits a tree with missing parts.

use super::grammar::{Form, Label, Rule};
use super::tree::{Context, ContextId, Leaf, Tree};
use crate::syntax::ast::{Entry, Expr, ExprId, Field, Literal};
use crate::syntax::build::{Builder, RESERVED};
use crate::syntax::error::Errors;
use crate::syntax::parser::{MAX_DEPTH, TREE_DEPTH_TEXT, operator_function};
use crate::syntax::source::{Location, NOWHERE, Source};

/// The given errors and those in the tree.
pub(super) fn visit(source: &Source, tree: &Tree, errors: Errors) -> Errors {
    let mut builder = Builder::new(source);
    builder.errors = errors;
    let mut visitor = Visitor {
        builder,
        tree,
        depth: 0,
    };
    if visitor.expr(tree.get(0).context(Label::Operand)).is_err() {
        visitor.builder.errors.report(Location::NONE, TREE_DEPTH_TEXT);
    }
    visitor.builder.errors
}

/// The tree is nested too deeply.
struct TooDeep;
type Visit<T> = Result<T, TooDeep>;

struct Visitor<'v> {
    builder: Builder<'v>,
    tree: &'v Tree,
    depth: u32,
}

impl<'v> Visitor<'v> {
    fn text(&self, leaf: &Leaf) -> String {
        leaf.text(self.builder.source)
    }

    fn nothing(&mut self) -> ExprId {
        self.builder.ast.add(Expr::Unspecified, NOWHERE)
    }

    fn unreadable(&mut self, node: &Context) -> ExprId {
        self.builder.ast.add(Expr::Unspecified, node.start)
    }

    /// Skips rules that only pass on one operand.
    fn unnest(&self, mut id: Option<ContextId>) -> Option<&'v Context> {
        loop {
            let node = self.tree.get(id?);
            let passes = match (node.rule, node.form) {
                (_, Form::Operand) | (Rule::Relation | Rule::Calc | Rule::Member, Form::Plain) => true,
                (Rule::Expr | Rule::Or | Rule::And, _) => !node.has(Label::Operator),
                // An operator that could not be read leaves nothing to pass on.
                (_, Form::Binary) if !node.has(Label::Operator) => return None,
                _ => false,
            };
            if !passes {
                return Some(node);
            }
            id = node.context(Label::Operand);
        }
    }

    fn expr(&mut self, id: Option<ContextId>) -> Visit<ExprId> {
        let Some(node) = self.unnest(id) else {
            return Ok(self.nothing());
        };
        let counted = matches!(node.rule, Rule::Expr | Rule::Relation | Rule::Calc | Rule::Member);
        self.depth += u32::from(counted);
        if self.depth > MAX_DEPTH {
            return Err(TooDeep);
        }
        let expr = self.read(node)?;
        self.depth -= u32::from(counted);
        Ok(expr)
    }

    fn read(&mut self, node: &Context) -> Visit<ExprId> {
        match (node.rule, node.form) {
            (Rule::Expr, _) => self.conditional(node),
            (Rule::Or, _) => self.logic(node, "_||_", "||"),
            (Rule::And, _) => self.logic(node, "_&&_", "&&"),
            (_, Form::Binary) => self.binary(node),
            (_, Form::Not) => self.prefix(node, "!_"),
            (_, Form::Negate) => self.prefix(node, "-_"),
            (_, Form::Select) => self.select(node),
            (_, Form::Method) => self.method(node),
            (_, Form::Index) => self.index(node),
            (_, Form::Ident) => Ok(self.ident(node)),
            (_, Form::Call) => self.call(node),
            (_, Form::List) => self.list(node),
            (_, Form::Map) => self.map(node),
            (_, Form::Message) => self.message(node),
            (Rule::Literal, form) => Ok(self.literal(node, form)),
            (Rule::Unary, _) => {
                let literal = Literal::String("<<error>>".into());
                Ok(self.builder.ast.add(Expr::Literal(literal), node.start))
            }
            _ => Ok(self.nothing()),
        }
    }

    fn conditional(&mut self, node: &Context) -> Visit<ExprId> {
        let condition = self.expr(node.context(Label::Operand))?;
        let then = self.expr(node.context(Label::Then))?;
        let otherwise = self.expr(node.context(Label::Else))?;
        let parts = vec![condition, then, otherwise];
        Ok(self.builder.global(node.place(Label::Operator), "_?_:_", parts))
    }

    fn logic(&mut self, node: &Context, function: &str, operator: &str) -> Visit<ExprId> {
        let mut terms = vec![self.expr(node.context(Label::Operand))?];
        let operators: Vec<u32> = node.leaves(Label::Operator).map(Leaf::offset).collect();
        let mut right = node.contexts(Label::Right);
        for _ in &operators {
            let Some(term) = right.next() else {
                let text = format!("unexpected character, wanted '{operator}'");
                return Ok(self.builder.error(node.start, text));
            };
            terms.push(self.expr(Some(term))?);
        }
        Ok(self.builder.logic(function, &terms, &operators))
    }

    fn binary(&mut self, node: &Context) -> Visit<ExprId> {
        let kind = node.leaf(Label::Operator).and_then(Leaf::kind);
        let Some(function) = kind.and_then(operator_function) else {
            return Ok(self.builder.error(node.start, "operator not found"));
        };
        let left = self.expr(node.context(Label::Operand))?;
        let right = self.expr(node.context(Label::Right))?;
        let place = node.place(Label::Operator);
        Ok(self.builder.global(place, function, vec![left, right]))
    }

    fn prefix(&mut self, node: &Context, function: &str) -> Visit<ExprId> {
        let operand = self.expr(node.context(Label::Operand))?;
        let first = node.leaves(Label::Operator).next().map(Leaf::offset);
        let odd = node.leaves(Label::Operator).count() % 2 == 1;
        Ok(match first {
            Some(offset) if odd => self.builder.global(offset, function, vec![operand]),
            _ => operand,
        })
    }

    fn select(&mut self, node: &Context) -> Visit<ExprId> {
        let operand = self.expr(node.context(Label::Operand))?;
        let (Some(name), Some(dot)) = (node.context(Label::Name), node.leaf(Label::Operator)) else {
            return Ok(self.unreadable(node));
        };
        let name = self.tree.get(name);
        let field = self.field_name(name).unwrap_or_else(|message| {
            self.builder.error(name.start, message);
            String::new()
        });
        let expr = if node.has(Label::Optional) {
            let field = Expr::Literal(Literal::String(field.into()));
            let field = self.builder.ast.add(field, name.start);
            Expr::Call {
                target: None,
                function: "_?._".into(),
                args: vec![operand, field],
            }
        } else {
            Expr::Select {
                operand,
                field: field.into(),
                test: false,
            }
        };
        Ok(self.builder.ast.add(expr, dot.offset()))
    }

    fn field_name(&self, node: &Context) -> Result<String, &'static str> {
        let leaf = node.leaf(Label::Name).ok_or("unsupported ident kind")?;
        let text = self.text(leaf);
        match node.form {
            Form::Name => Ok(text),
            Form::EscapedName if text.len() <= 2 => Err("invalid escaped identifier: underflow"),
            Form::EscapedName => Ok(text[1..text.len() - 1].to_owned()),
            _ => Err("unsupported ident kind"),
        }
    }

    fn arguments(&mut self, node: &Context) -> Visit<Vec<ExprId>> {
        let Some(list) = node.context(Label::Arguments) else {
            return Ok(Vec::new());
        };
        let arguments = self.tree.get(list).contexts(Label::Element);
        arguments.map(|argument| self.expr(Some(argument))).collect()
    }

    fn method(&mut self, node: &Context) -> Visit<ExprId> {
        let target = self.expr(node.context(Label::Operand))?;
        let Some(name) = node.leaf(Label::Name) else {
            return Ok(self.unreadable(node));
        };
        let args = self.arguments(node)?;
        let name = self.text(name);
        Ok(self.builder.method(node.place(Label::Open), &name, target, args))
    }

    fn index(&mut self, node: &Context) -> Visit<ExprId> {
        let target = self.expr(node.context(Label::Operand))?;
        let Some(open) = node.leaf(Label::Operator) else {
            return Ok(self.unreadable(node));
        };
        let index = self.expr(node.context(Label::Index))?;
        let function = if node.has(Label::Optional) {
            "_[?_]"
        } else {
            "_[_]"
        };
        Ok(self.builder.global(open.offset(), function, vec![target, index]))
    }

    fn ident(&mut self, node: &Context) -> ExprId {
        let Some(name) = node.leaf(Label::Name) else {
            return self.unreadable(node);
        };
        let text = self.text(name);
        let dotted = node.has(Label::LeadingDot);
        self.builder.ident(node.start, name.offset(), dotted, &text)
    }

    fn call(&mut self, node: &Context) -> Visit<ExprId> {
        let Some(name) = node.leaf(Label::Name) else {
            return Ok(self.unreadable(node));
        };
        let name = self.text(name);
        if RESERVED.contains(&&*name) {
            let text = format!("reserved identifier: {name}");
            return Ok(self.builder.error(node.start, text));
        }
        let args = self.arguments(node)?;
        let dot = if node.has(Label::LeadingDot) { "." } else { "" };
        let place = node.place(Label::Operator);
        Ok(self.builder.global(place, &format!("{dot}{name}"), args))
    }

    fn content(&self, node: &Context) -> Option<&'v Context> {
        node.context(Label::Content).map(|id| self.tree.get(id))
    }

    fn list(&mut self, node: &Context) -> Visit<ExprId> {
        let (mut elements, mut optional) = (Vec::new(), Vec::new());
        let content = self.content(node).into_iter();
        for id in content.flat_map(|content| content.contexts(Label::Element)) {
            let element = self.tree.get(id);
            elements.push(self.expr(element.context(Label::Operand))?);
            optional.push(element.has(Label::Optional));
        }
        let list = Expr::List { elements, optional };
        Ok(self.builder.ast.add(list, node.place(Label::Operator)))
    }

    /// The complete `key: value` pairs of a literal: the key, the offset of the colon, the value.
    fn pairs(&self, node: &Context) -> impl Iterator<Item = (&'v Context, u32, ContextId)> + use<'v> {
        let tree = self.tree;
        let content = self.content(node).into_iter();
        content.flat_map(move |content| {
            let keys = content.contexts(Label::Key).map(|id| tree.get(id));
            let colons = content.leaves(Label::Colon).map(Leaf::offset);
            let pairs = keys.zip(colons).zip(content.contexts(Label::Value));
            pairs.map(|((key, colon), value)| (key, colon, value))
        })
    }

    fn map(&mut self, node: &Context) -> Visit<ExprId> {
        let mut entries = Vec::new();
        for (key, _, value) in self.pairs(node) {
            entries.push(Entry {
                key: self.expr(key.context(Label::Operand))?,
                value: self.expr(Some(value))?,
                optional: key.has(Label::Optional),
            });
        }
        let place = node.place(Label::Operator);
        Ok(self.builder.ast.add(Expr::Map(entries), place))
    }

    fn message(&mut self, node: &Context) -> Visit<ExprId> {
        let names: Vec<String> = node.leaves(Label::Name).map(|leaf| self.text(leaf)).collect();
        let mut fields = Vec::new();
        for (key, offset, value) in self.pairs(node) {
            let name = key.context(Label::Name).map(|id| self.tree.get(id));
            let Some(name) = name.and_then(|name| self.field_name(name).ok()) else {
                let place = self.content(node).map_or(node.start, |content| content.start);
                self.builder.error(place, "unsupported ident kind");
                continue;
            };
            fields.push(Field {
                name: name.into(),
                value: self.expr(Some(value))?,
                optional: key.has(Label::Optional),
                offset,
            });
        }
        let literal = Expr::Struct {
            name: names.join(".").into(),
            fields,
        };
        Ok(self.builder.ast.add(literal, node.place(Label::Operator)))
    }

    fn literal(&mut self, node: &Context, form: Form) -> ExprId {
        let Some(leaf @ Leaf::Found(_)) = node.leaf(Label::Literal) else {
            return self.nothing();
        };
        let (text, start) = (self.text(leaf), node.start);
        let negative = node.has(Label::Sign);
        let literal = match form {
            Form::Int => return self.builder.int(start, negative, &text),
            Form::Uint => return self.builder.uint(start, &text),
            Form::Double => return self.builder.double(start, negative, &text),
            Form::String => return self.builder.string(start, &text),
            Form::Bytes => return self.builder.bytes(start, &text),
            Form::True => Literal::Bool(true),
            Form::False => Literal::Bool(false),
            _ => Literal::Null,
        };
        self.builder.ast.add(Expr::Literal(literal), start)
    }
}
