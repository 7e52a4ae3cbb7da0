//! Walks a recovered tree as cel-go's visitor does, for the errors it finds on top of the syntax errors.

use super::atn::{Label, Rule};
use super::tree::{Leaf, Tree};
use crate::syntax::ast::{Entry, Expr, ExprId, Field, Literal};
use crate::syntax::build::{Builder, RESERVED};
use crate::syntax::error::Errors;
use crate::syntax::parser::{MAX_DEPTH, TREE_DEPTH_TEXT};
use crate::syntax::source::{Location, NOWHERE, Source};
use crate::syntax::token::{Kind, Token};

/// All errors: those given and those of the walk.
pub(super) fn visit(source: &Source, tokens: &[Token], tree: &Tree, errors: Errors) -> Errors {
    let mut builder = Builder::new(source);
    builder.errors = errors;
    let mut visitor = Visitor {
        builder,
        tokens,
        tree,
        depth: 0,
    };
    if visitor.tree_of(visitor.tree.context(0, Label::E)).is_err() {
        visitor.builder.errors.report(Location::NONE, TREE_DEPTH_TEXT);
    }
    visitor.builder.errors
}

/// The tree is nested too deeply.
struct TooDeep;
type Visit<T> = Result<T, TooDeep>;

struct Visitor<'v> {
    builder: Builder<'v>,
    tokens: &'v [Token],
    tree: &'v Tree,
    depth: u32,
}

impl<'v> Visitor<'v> {
    fn offset(&self, leaf: &Leaf) -> u32 {
        match leaf {
            Leaf::Input(at) => self.tokens[*at].start,
            Leaf::Missing(_, offset) => *offset,
        }
    }

    fn text(&self, leaf: &Leaf) -> String {
        match leaf {
            Leaf::Input(at) => {
                let token = self.tokens[*at];
                self.builder
                    .source
                    .slice(token.start as usize, token.end as usize)
            }
            Leaf::Missing(text, _) => text.clone(),
        }
    }

    fn start(&self, context: usize) -> u32 {
        self.tokens[self.tree.contexts[context].start].start
    }

    /// The offset of a labeled token, or of the context if there is none.
    fn place(&self, context: usize, label: Label) -> u32 {
        self.tree
            .leaf(context, label)
            .map_or_else(|| self.start(context), |leaf| self.offset(leaf))
    }

    fn nothing(&mut self) -> ExprId {
        self.builder.ast.add(Expr::Unspecified, NOWHERE)
    }

    /// What stands for a context that cannot be read.
    fn unreadable(&mut self, context: usize) -> ExprId {
        self.builder.ast.add(Expr::Unspecified, self.start(context))
    }

    /// Skips contexts that only pass on one operand.
    fn unnest(&self, mut context: Option<usize>) -> Option<usize> {
        while let Some(at) = context {
            let node = &self.tree.contexts[at];
            let passes = match node.rule {
                Rule::Expr => self.tree.leaf(at, Label::Op).is_none(),
                Rule::Or | Rule::And => self.tree.leaves(at, Label::Ops).is_empty(),
                Rule::Relation | Rule::Calc => node.alt == 0 || self.tree.leaf(at, Label::Op).is_none(),
                Rule::Member => node.alt == 0,
                Rule::Unary => node.alt == 1,
                Rule::Primary => matches!(node.alt, 3 | 7),
                _ => false,
            };
            if !passes {
                return context;
            }
            context = match node.rule {
                // An operator that never came leaves nothing to pass on.
                Rule::Relation | Rule::Calc if node.alt != 0 => None,
                _ => self.tree.context(at, Label::E),
            };
        }
        None
    }

    fn tree_of(&mut self, context: Option<usize>) -> Visit<ExprId> {
        let Some(at) = self.unnest(context) else {
            return Ok(self.nothing());
        };
        let node = &self.tree.contexts[at];
        let counted = matches!(node.rule, Rule::Expr | Rule::Relation | Rule::Calc | Rule::Member);
        if counted {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(TooDeep);
            }
        }
        let result = match (node.rule, node.alt) {
            (Rule::Expr, _) => self.conditional(at),
            (Rule::Or, _) => self.logic(at, "_||_", "||"),
            (Rule::And, _) => self.logic(at, "_&&_", "&&"),
            (Rule::Relation | Rule::Calc, _) => self.binary(at),
            (Rule::Unary, 2) => self.prefix(at, "!_"),
            (Rule::Unary, 3) => self.prefix(at, "-_"),
            (Rule::Unary, _) => {
                let place = self.start(at);
                Ok(self
                    .builder
                    .ast
                    .add(Expr::Literal(Literal::String("<<error>>".into())), place))
            }
            (Rule::Member, 3) => self.select(at),
            (Rule::Member, 2) => self.method(at),
            (Rule::Member, _) => self.index(at),
            (Rule::Primary, 1) => Ok(self.ident(at)),
            (Rule::Primary, 2) => self.call(at),
            (Rule::Primary, 4) => self.list(at),
            (Rule::Primary, 5) => self.map(at),
            (Rule::Primary, 6) => self.message(at),
            (Rule::Literal, alt) if alt > 0 => Ok(self.literal(at, alt)),
            _ => Ok(self.nothing()),
        };
        if counted {
            self.depth -= 1;
        }
        result
    }

    fn conditional(&mut self, at: usize) -> Visit<ExprId> {
        let condition = self.tree_of(self.tree.context(at, Label::E))?;
        let then = self.tree_of(self.tree.context(at, Label::E1))?;
        let otherwise = self.tree_of(self.tree.context(at, Label::E2))?;
        Ok(self.builder.global(
            self.place(at, Label::Op),
            "_?_:_",
            vec![condition, then, otherwise],
        ))
    }

    fn logic(&mut self, at: usize, function: &str, operator: &str) -> Visit<ExprId> {
        let mut terms = vec![self.tree_of(self.tree.context(at, Label::E))?];
        let rest = self.tree.contexts(at, Label::E1);
        let operators: Vec<u32> = self
            .tree
            .leaves(at, Label::Ops)
            .iter()
            .map(|leaf| self.offset(leaf))
            .collect();
        for position in 0..operators.len() {
            match rest.get(position) {
                Some(term) => terms.push(self.tree_of(Some(*term))?),
                None => {
                    let text = format!("unexpected character, wanted '{operator}'");
                    return Ok(self.builder.error(self.start(at), text));
                }
            }
        }
        Ok(self.builder.logic(function, &terms, &operators))
    }

    fn binary(&mut self, at: usize) -> Visit<ExprId> {
        let function = match self.tree.leaf(at, Label::Op) {
            Some(Leaf::Input(token)) => operator(self.tokens[*token].kind),
            _ => None,
        };
        let Some(function) = function else {
            return Ok(self.builder.error(self.start(at), "operator not found"));
        };
        let left = self.tree_of(self.tree.context(at, Label::E))?;
        let right = self.tree_of(self.tree.context(at, Label::E1))?;
        Ok(self
            .builder
            .global(self.place(at, Label::Op), function, vec![left, right]))
    }

    fn prefix(&mut self, at: usize, function: &str) -> Visit<ExprId> {
        let operators = self.tree.leaves(at, Label::Ops);
        let first = operators.first().map(|leaf| self.offset(leaf));
        let odd = operators.len() % 2 == 1;
        let operand = self.tree_of(self.tree.context(at, Label::E))?;
        Ok(match first {
            Some(offset) if odd => self.builder.global(offset, function, vec![operand]),
            _ => operand,
        })
    }

    fn select(&mut self, at: usize) -> Visit<ExprId> {
        let operand = self.tree_of(self.tree.context(at, Label::E))?;
        let (Some(id), Some(op)) = (self.tree.context(at, Label::Id), self.tree.leaf(at, Label::Op)) else {
            return Ok(self.unreadable(at));
        };
        let op = self.offset(op);
        let name = self.field_name(id).unwrap_or_else(|message| {
            self.builder.error(self.start(id), message);
            String::new()
        });
        if self.tree.leaf(at, Label::Opt).is_some() {
            let field = self
                .builder
                .ast
                .add(Expr::Literal(Literal::String(name.into())), self.start(id));
            let call = Expr::Call {
                target: None,
                function: "_?._".into(),
                args: vec![operand, field],
            };
            return Ok(self.builder.ast.add(call, op));
        }
        Ok(self.builder.ast.add(
            Expr::Select {
                operand,
                field: name.into(),
                test: false,
            },
            op,
        ))
    }

    fn field_name(&self, id: usize) -> Result<String, &'static str> {
        let leaf = self.tree.leaf(id, Label::Id).ok_or("unsupported ident kind")?;
        let text = self.text(leaf);
        match self.tree.contexts[id].alt {
            1 => Ok(text),
            2 if text.len() <= 2 => Err("invalid escaped identifier: underflow"),
            2 => Ok(text[1..text.len() - 1].to_owned()),
            _ => Err("unsupported ident kind"),
        }
    }

    fn arguments(&mut self, at: usize) -> Visit<Vec<ExprId>> {
        let Some(list) = self.tree.context(at, Label::Args) else {
            return Ok(Vec::new());
        };
        self.tree
            .contexts(list, Label::E)
            .into_iter()
            .map(|arg| self.tree_of(Some(arg)))
            .collect()
    }

    fn method(&mut self, at: usize) -> Visit<ExprId> {
        let operand = self.tree_of(self.tree.context(at, Label::E))?;
        let Some(id) = self.tree.leaf(at, Label::Id) else {
            return Ok(self.unreadable(at));
        };
        let name = self.text(id);
        let args = self.arguments(at)?;
        Ok(self
            .builder
            .method(self.place(at, Label::Open), &name, operand, args))
    }

    fn index(&mut self, at: usize) -> Visit<ExprId> {
        let target = self.tree_of(self.tree.context(at, Label::E))?;
        let Some(op) = self.tree.leaf(at, Label::Op) else {
            return Ok(self.unreadable(at));
        };
        let op = self.offset(op);
        let index = self.tree_of(self.tree.context(at, Label::Index))?;
        let function = if self.tree.leaf(at, Label::Opt).is_some() {
            "_[?_]"
        } else {
            "_[_]"
        };
        Ok(self.builder.global(op, function, vec![target, index]))
    }

    fn ident(&mut self, at: usize) -> ExprId {
        let Some(id) = self.tree.leaf(at, Label::Id) else {
            return self.unreadable(at);
        };
        let (name, name_at) = (self.text(id), self.offset(id));
        let dotted = self.tree.leaf(at, Label::Dot).is_some();
        self.builder.ident(self.start(at), name_at, dotted, &name)
    }

    fn call(&mut self, at: usize) -> Visit<ExprId> {
        let Some(id) = self.tree.leaf(at, Label::Id) else {
            return Ok(self.unreadable(at));
        };
        let name = self.text(id);
        if RESERVED.contains(&&*name) {
            return Ok(self
                .builder
                .error(self.start(at), format!("reserved identifier: {name}")));
        }
        let args = self.arguments(at)?;
        let name = if self.tree.leaf(at, Label::Dot).is_some() {
            format!(".{name}")
        } else {
            name
        };
        Ok(self.builder.global(self.place(at, Label::Op), &name, args))
    }

    fn list(&mut self, at: usize) -> Visit<ExprId> {
        let (mut elements, mut optional) = (Vec::new(), Vec::new());
        if let Some(list) = self.tree.context(at, Label::Elems) {
            for element in self.tree.contexts(list, Label::Elems) {
                elements.push(self.tree_of(self.tree.context(element, Label::E))?);
                optional.push(self.tree.leaf(element, Label::Opt).is_some());
            }
        }
        Ok(self
            .builder
            .ast
            .add(Expr::List { elements, optional }, self.place(at, Label::Op)))
    }

    fn map(&mut self, at: usize) -> Visit<ExprId> {
        let mut entries = Vec::new();
        if let Some(list) = self.tree.context(at, Label::Entries) {
            let (keys, values) = (
                self.tree.contexts(list, Label::Keys),
                self.tree.contexts(list, Label::Values),
            );
            for position in 0..self.tree.leaves(list, Label::Cols).len() {
                let (Some(key), Some(value)) = (keys.get(position), values.get(position)) else {
                    break;
                };
                let optional = self.tree.leaf(*key, Label::Opt).is_some();
                let key = self.tree_of(self.tree.context(*key, Label::E))?;
                let value = self.tree_of(Some(*value))?;
                entries.push(Entry { key, value, optional });
            }
        }
        Ok(self
            .builder
            .ast
            .add(Expr::Map(entries), self.place(at, Label::Op)))
    }

    fn message(&mut self, at: usize) -> Visit<ExprId> {
        let names: Vec<String> = self
            .tree
            .leaves(at, Label::Id)
            .iter()
            .map(|leaf| self.text(leaf))
            .collect();
        let mut fields = Vec::new();
        if let Some(list) = self.tree.context(at, Label::Entries) {
            let columns: Vec<u32> = self
                .tree
                .leaves(list, Label::Cols)
                .iter()
                .map(|leaf| self.offset(leaf))
                .collect();
            let values = self.tree.contexts(list, Label::Values);
            for (position, field) in self.tree.contexts(list, Label::Fields).into_iter().enumerate() {
                let (Some(offset), Some(value)) = (columns.get(position), values.get(position)) else {
                    break;
                };
                let name = match self.tree.context(field, Label::Id).map(|id| self.field_name(id)) {
                    Some(Ok(name)) => name,
                    _ => {
                        self.builder.error(self.start(list), "unsupported ident kind");
                        continue;
                    }
                };
                let optional = self.tree.leaf(field, Label::Opt).is_some();
                let value = self.tree_of(Some(*value))?;
                fields.push(Field {
                    name: name.into(),
                    value,
                    optional,
                    offset: *offset,
                });
            }
        }
        let literal = Expr::Struct {
            name: names.join(".").into(),
            fields,
        };
        Ok(self.builder.ast.add(literal, self.place(at, Label::Op)))
    }

    fn literal(&mut self, at: usize, alt: usize) -> ExprId {
        let Some(Leaf::Input(token)) = self.tree.leaf(at, Label::Tok) else {
            return self.nothing();
        };
        let text = self.text(&Leaf::Input(*token));
        let start = self.start(at);
        let negative = self.tree.leaf(at, Label::Sign).is_some();
        match alt {
            1 => self.builder.int(start, negative, &text),
            2 => self.builder.uint(start, &text),
            3 => self.builder.double(start, negative, &text),
            4 => self.builder.string(start, &text),
            5 => self.builder.bytes(start, &text),
            6 => self.builder.ast.add(Expr::Literal(Literal::Bool(true)), start),
            7 => self.builder.ast.add(Expr::Literal(Literal::Bool(false)), start),
            _ => self.builder.ast.add(Expr::Literal(Literal::Null), start),
        }
    }
}

fn operator(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Less => "_<_",
        Kind::LessEquals => "_<=_",
        Kind::GreaterEquals => "_>=_",
        Kind::Greater => "_>_",
        Kind::Equals => "_==_",
        Kind::NotEquals => "_!=_",
        Kind::In => "@in",
        Kind::Star => "_*_",
        Kind::Slash => "_/_",
        Kind::Percent => "_%_",
        Kind::Plus => "_+_",
        Kind::Minus => "_-_",
        _ => return None,
    })
}
