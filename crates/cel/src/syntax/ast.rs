//! The syntax tree: nodes in one vector, addressed by number.
//!
//! Knows no types. Macros are expanded while the tree is built, so comprehensions are nodes here.

use std::sync::Arc;

/// The number of a node; also its identity for the cost tracker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A constant written in the text.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Arc<str>),
    Bytes(Arc<[u8]>),
}

/// An entry of a map literal.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Entry {
    pub key: ExprId,
    pub value: ExprId,
    pub optional: bool,
}

/// A field of a message literal; `offset` is the place of its colon.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Field {
    pub name: Arc<str>,
    pub value: ExprId,
    pub optional: bool,
    pub offset: u32,
}

/// A loop made by a macro.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Comprehension {
    pub range: ExprId,
    pub iter_var: Arc<str>,
    pub iter_var2: Option<Arc<str>>,
    pub accu_var: Arc<str>,
    pub accu_init: ExprId,
    pub condition: ExprId,
    pub step: ExprId,
    pub result: ExprId,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Expr {
    /// In place of a part that could not be read; only in trees with errors.
    Unspecified,
    Literal(Literal),
    Ident(Arc<str>),
    Select {
        operand: ExprId,
        field: Arc<str>,
        test: bool,
    },
    Call {
        target: Option<ExprId>,
        function: Arc<str>,
        args: Vec<ExprId>,
    },
    List {
        elements: Vec<ExprId>,
        optional: Vec<bool>,
    },
    Map(Vec<Entry>),
    Struct {
        name: Arc<str>,
        fields: Vec<Field>,
    },
    Comprehension(Box<Comprehension>),
}

/// A tree with the place of every node.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    nodes: Vec<(Expr, u32)>,
    /// The whole expression.
    pub root: Option<ExprId>,
}

impl Ast {
    /// Adds a node found at `offset`.
    pub fn add(&mut self, expr: Expr, offset: u32) -> ExprId {
        self.nodes.push((expr, offset));
        ExprId(self.nodes.len() as u32 - 1)
    }

    /// The node with number `id`.
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.nodes[id.0 as usize].0
    }

    /// Replaces a node, keeping its place.
    pub fn set(&mut self, id: ExprId, expr: Expr) {
        self.nodes[id.0 as usize].0 = expr;
    }

    /// The place of a node.
    pub fn offset(&self, id: ExprId) -> u32 {
        self.nodes[id.0 as usize].1
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The direct children of a node in cel-go's visiting order.
    pub fn children(&self, id: ExprId) -> Vec<ExprId> {
        match self.get(id) {
            Expr::Unspecified | Expr::Literal(_) | Expr::Ident(_) => Vec::new(),
            Expr::Select { operand, .. } => vec![*operand],
            Expr::Call { target, args, .. } => target.iter().chain(args).copied().collect(),
            Expr::List { elements, .. } => elements.clone(),
            Expr::Map(entries) => entries
                .iter()
                .flat_map(|entry| [entry.key, entry.value])
                .collect(),
            Expr::Struct { fields, .. } => fields.iter().map(|field| field.value).collect(),
            Expr::Comprehension(c) => vec![c.range, c.accu_init, c.condition, c.step, c.result],
        }
    }
}
