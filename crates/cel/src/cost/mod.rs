//! The static cost estimate (cel-go `checker/cost.go` with the Kubernetes estimator): the least and the most an
//! expression can cost, from the bounds its schema declares.
//!
//! Knows checked trees and declared sizes; runs nothing. Sums and products saturate.

mod call;
mod estimate;
mod kubernetes;
pub mod limit;
mod lists;

use std::collections::HashMap;
use std::sync::Arc;

use crate::check::Checked;
use crate::syntax::ast::{Comprehension, Expr, ExprId, Literal};
use crate::types::decl::{Declarations, Node, NodeShape};
use crate::types::{Kind, Type};

use estimate::fixed_cost;
pub use estimate::{CostEstimate, SizeEstimate};

pub(crate) const IDENT_COST: u64 = 1;
pub(crate) const LIST_COST: u64 = 10;
pub(crate) const MAP_COST: u64 = 30;
pub(crate) const STRUCT_COST: u64 = 40;
/// The cost of looking at one character.
pub(crate) const STRING_FACTOR: f64 = 0.1;
/// The cost of one character of a pattern.
pub(crate) const REGEX_FACTOR: f64 = 0.25;

/// Estimates the cost of a checked expression.
pub fn estimate(checked: &Checked, declarations: Option<&Declarations>) -> CostEstimate {
    let mut coster = Coster {
        checked,
        root: declarations.map(|declarations| declarations.root.clone()),
        paths: HashMap::new(),
        locals: Vec::new(),
        sizes: HashMap::new(),
        entries: HashMap::new(),
    };
    coster.cost(checked.root())
}

/// Where in the schema a value comes from: the variable and the steps below it.
type Path = Option<Arc<Vec<Arc<str>>>>;

/// The sizes of a container's entries.
#[derive(Clone, Copy)]
struct EntrySize {
    list: bool,
    key: SizeEstimate,
    value: SizeEstimate,
}

impl EntrySize {
    fn union(self, other: EntrySize) -> EntrySize {
        EntrySize {
            list: self.list,
            key: self.key.union(other.key),
            value: self.value.union(other.value),
        }
    }
}

struct Local {
    name: Arc<str>,
    path: Path,
    size: Option<SizeEstimate>,
    entry: Option<EntrySize>,
}

/// An argument as cost functions see it.
struct Arg<'c> {
    id: ExprId,
    path: Path,
    ty: &'c Type,
    size: Option<SizeEstimate>,
}

struct Coster<'c> {
    checked: &'c Checked,
    root: Option<Arc<Node>>,
    paths: HashMap<ExprId, Path>,
    locals: Vec<Local>,
    sizes: HashMap<ExprId, SizeEstimate>,
    entries: HashMap<ExprId, EntrySize>,
}

impl<'c> Coster<'c> {
    fn cost(&mut self, id: ExprId) -> CostEstimate {
        let checked = self.checked;
        match checked.ast.get(id) {
            Expr::Unspecified | Expr::Literal(_) => CostEstimate::default(),
            Expr::Ident(name) => {
                let path = match self.local(name) {
                    Some(local) => local.path.clone(),
                    None => Some(Arc::new(vec![name.clone()])),
                };
                self.paths.insert(id, path);
                fixed_cost(IDENT_COST)
            }
            Expr::Select { operand, field, test } => self.cost_select(id, *operand, field, *test),
            Expr::Call {
                target,
                function,
                args,
            } => self.cost_call(id, *target, function, args),
            Expr::List { elements, .. } => self.cost_list(id, elements),
            Expr::Map(entries) => {
                let (mut sum, mut keys, mut values) = (fixed_cost(MAP_COST), Vec::new(), Vec::new());
                for entry in entries {
                    sum = sum.add(self.cost(entry.key)).add(self.cost(entry.value));
                    keys.push(self.size_or_unknown(entry.key));
                    values.push(self.size_or_unknown(entry.value));
                }
                self.entries.insert(
                    id,
                    EntrySize {
                        list: false,
                        key: union(&keys),
                        value: union(&values),
                    },
                );
                sum
            }
            Expr::Struct { fields, .. } => fields.iter().fold(fixed_cost(STRUCT_COST), |sum, field| {
                sum.add(self.cost(field.value))
            }),
            Expr::Comprehension(c) if self.is_bind(c) => self.cost_bind(id, c),
            Expr::Comprehension(c) => self.cost_comprehension(id, c),
        }
    }

    fn cost_select(&mut self, id: ExprId, operand: ExprId, field: &Arc<str>, test: bool) -> CostEstimate {
        let mut sum = self.cost(operand);
        if test {
            return sum;
        }
        if matches!(
            self.checked.ty(operand).kind(),
            Kind::Map | Kind::Object | Kind::Var
        ) {
            sum = sum.add(fixed_cost(IDENT_COST));
        }
        let path = extend(self.path(operand), field);
        self.paths.insert(id, path);
        sum
    }

    fn cost_list(&mut self, id: ExprId, elements: &[ExprId]) -> CostEstimate {
        let (mut sum, mut sizes) = (fixed_cost(LIST_COST), Vec::new());
        for element in elements {
            sum = sum.add(self.cost(*element));
            sizes.push(self.size_or_unknown(*element));
        }
        self.entries.insert(
            id,
            EntrySize {
                list: true,
                key: SizeEstimate::fixed(1),
                value: union(&sizes),
            },
        );
        sum
    }

    /// A loop over nothing whose accumulator is a named value.
    fn is_bind(&self, c: &Comprehension) -> bool {
        matches!(self.checked.ast.get(c.range), Expr::List { elements, .. } if elements.is_empty())
            && matches!(
                self.checked.ast.get(c.condition),
                Expr::Literal(Literal::Bool(false))
            )
    }

    fn cost_bind(&mut self, id: ExprId, c: &Comprehension) -> CostEstimate {
        let mut sum = self.cost(c.range).add(self.cost(c.accu_init));
        self.push_accu(c);
        sum = sum.add(self.cost(c.result));
        self.locals.pop();
        self.copy_sizes(id, c.result);
        sum
    }

    fn cost_comprehension(&mut self, id: ExprId, c: &Comprehension) -> CostEstimate {
        let mut sum = self.cost(c.range).add(self.cost(c.accu_init));
        self.push_accu(c);
        let depth = self.locals.len();
        self.push_iteration(c);
        let condition = self.cost(c.condition);
        let step = self.cost(c.step);
        self.locals.truncate(depth);
        sum = sum.add(self.cost(c.result));
        self.locals.pop();
        let count = self.size_or_unknown(c.range);
        sum = sum.add(count.times_cost(step.add(condition)));
        match self.checked.ast.get(c.accu_init) {
            Expr::Literal(_) => {
                if let Some(size) = self.size(c.accu_init) {
                    self.sizes.insert(id, size);
                }
            }
            Expr::List { .. } | Expr::Map(_) => {
                self.sizes.insert(id, count);
                if let Some(entry) = self.entry_size(c.step) {
                    self.entries.insert(id, entry);
                }
            }
            _ => {}
        }
        sum
    }

    fn push_accu(&mut self, c: &Comprehension) {
        let (path, size, entry) = (
            self.path(c.accu_init),
            self.size(c.accu_init),
            self.entry_size(c.accu_init),
        );
        self.locals.push(Local {
            name: c.accu_var.clone(),
            path,
            size,
            entry,
        });
    }

    /// Declares the loop variables: keys and values, or one of them.
    fn push_iteration(&mut self, c: &Comprehension) {
        let entry = self.entry_size(c.range);
        let list = entry.map_or(self.checked.ty(c.range).kind() == Kind::List, |entry| entry.list);
        let path = self.path(c.range);
        let mut push = |name: &Arc<str>, step: &str, size: Option<SizeEstimate>| {
            self.locals.push(Local {
                name: name.clone(),
                path: extend(path.clone(), step),
                size,
                entry: None,
            });
        };
        let (key, value) = (entry.map(|entry| entry.key), entry.map(|entry| entry.value));
        let value_step = if list { "@items" } else { "@values" };
        match &c.iter_var2 {
            Some(second) => {
                push(&c.iter_var, if list { "@indices" } else { "@keys" }, key);
                push(second, value_step, value);
            }
            None if list => push(&c.iter_var, "@items", value),
            None => push(&c.iter_var, "@keys", key),
        }
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| &*local.name == name)
    }

    fn path(&self, id: ExprId) -> Path {
        if let Expr::Ident(name) = self.checked.ast.get(id)
            && let Some(local) = self.local(name)
        {
            return local.path.clone();
        }
        self.paths.get(&id).cloned().flatten()
    }

    fn arg(&mut self, id: ExprId) -> Arg<'c> {
        // Values that come from an accumulator have no place in the schema.
        let path = self
            .path(id)
            .filter(|path| !matches!(path.first().map(|p| &**p), Some("@result" | "__result__")));
        let size = self.size(id);
        Arg {
            id,
            path,
            ty: self.checked.ty(id),
            size,
        }
    }

    fn size_or_unknown(&mut self, id: ExprId) -> SizeEstimate {
        self.size(id).unwrap_or(SizeEstimate::UNKNOWN)
    }

    fn copy_sizes(&mut self, to: ExprId, from: ExprId) {
        if let Some(size) = self.size(from) {
            self.sizes.insert(to, size);
        }
        if let Some(entry) = self.entry_size(from) {
            self.entries.insert(to, entry);
        }
    }

    fn size(&mut self, id: ExprId) -> Option<SizeEstimate> {
        if let Some(size) = self.sizes.get(&id) {
            return Some(*size);
        }
        if let Some(size) = literal_size(self.checked.ast.get(id)) {
            return Some(SizeEstimate::fixed(size));
        }
        if let Some(size) = self.declared_size(&self.path(id)) {
            self.sizes.insert(id, size);
            return Some(size);
        }
        if is_scalar(self.checked.ty(id)) {
            return Some(SizeEstimate::fixed(1));
        }
        match self.checked.ast.get(id) {
            Expr::Ident(name) => self.local(name).and_then(|local| local.size),
            _ => None,
        }
    }

    /// The bound the schema declares at a path. The first step, whatever variable it names, is the root.
    fn declared_size(&self, path: &Path) -> Option<SizeEstimate> {
        let steps = path.as_ref().filter(|path| !path.is_empty())?;
        let mut node = self.root.as_ref()?;
        for step in &steps[1..] {
            node = match &**step {
                "@items" | "@values" => node.element()?,
                // Keys are strings without a bound of their own.
                "@keys" => {
                    let is_map = matches!(node.shape, NodeShape::Object(_)) && node.element().is_some();
                    return (is_map && std::ptr::eq(step, &steps[steps.len() - 1]))
                        .then_some(SizeEstimate::fixed(0));
                }
                field => node.field(field)?,
            };
        }
        Some(SizeEstimate {
            min: 0,
            max: node.max_elements,
        })
    }

    fn entry_size(&self, id: ExprId) -> Option<EntrySize> {
        if let Some(entry) = self.entries.get(&id) {
            return Some(*entry);
        }
        match self.checked.ast.get(id) {
            Expr::Ident(name) => self.local(name).and_then(|local| local.entry),
            _ => None,
        }
    }
}

/// A path with one step more; a value without path gets one that starts with the step, as the reference's does.
fn extend(path: Path, step: &str) -> Path {
    let mut steps = path.map(|path| (*path).clone()).unwrap_or_default();
    steps.push(step.into());
    Some(Arc::new(steps))
}

/// The union of element sizes; nothing has size zero.
fn union(sizes: &[SizeEstimate]) -> SizeEstimate {
    let start = SizeEstimate {
        min: if sizes.is_empty() { 0 } else { u64::MAX },
        max: 0,
    };
    sizes.iter().fold(start, |union, size| union.union(*size))
}

fn literal_size(expr: &Expr) -> Option<u64> {
    Some(match expr {
        Expr::Literal(Literal::String(text)) => text.chars().count() as u64,
        Expr::Literal(Literal::Bytes(bytes)) => bytes.len() as u64,
        Expr::Literal(_) => 1,
        Expr::List { elements, .. } => elements.len() as u64,
        Expr::Map(entries) => entries.len() as u64,
        _ => return None,
    })
}

fn is_scalar(ty: &Type) -> bool {
    match ty.kind() {
        Kind::Bool | Kind::Double | Kind::Duration | Kind::Int | Kind::Timestamp | Kind::Uint => true,
        Kind::Opaque => ty.unwrap_optional().is_some_and(is_scalar),
        _ => false,
    }
}
