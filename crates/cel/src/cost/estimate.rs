//! Estimates the cost of a checked expression, bottom up: each node has a cost and an extent, which is what is known
//! about the size of its value.

use std::sync::Arc;

use crate::check::Checked;
use crate::syntax::ast::{Comprehension, Entry, Expr, ExprId, Literal};
use crate::types::decl::{Declarations, Node};
use crate::types::{Kind, Type};

use super::amount::{Amount, Range};
use super::place::{Place, Root, Step};
use super::price::{IDENT_COST, LIST_COST, MAP_COST, STRUCT_COST};

/// Estimates the cost of a checked expression.
pub fn estimate(checked: &Checked, declarations: Option<&Declarations>) -> Range {
    let root = declarations.map_or(Root::Unknown, |declarations| Root::Value(&declarations.root));
    estimate_at(checked, root)
}

/// Estimates the cost of a selector of devices, which are bounded like `device`.
pub(crate) fn estimate_selector(checked: &Checked, device: &Node) -> Range {
    estimate_at(checked, Root::Device(device))
}

fn estimate_at(checked: &Checked, root: Root<'_>) -> Range {
    let mut estimator = Estimator {
        checked,
        root,
        locals: Vec::new(),
    };
    estimator.visit(checked.root()).cost
}

/// What is known about the size of a value.
#[derive(Clone, Copy)]
pub(super) struct Extent<'d> {
    pub(super) place: Place<'d>,
    pub(super) size: Option<Range>,
    pub(super) entries: Option<Entries>,
}

/// The sizes of a container's keys and values.
#[derive(Clone, Copy)]
pub(super) struct Entries {
    is_list: bool,
    key: Range,
    pub(super) value: Range,
}

impl Entries {
    pub(super) fn union(self, other: Entries) -> Entries {
        Entries {
            is_list: self.is_list,
            key: self.key.union(other.key),
            value: self.value.union(other.value),
        }
    }
}

impl<'d> Extent<'d> {
    pub(super) const UNKNOWN: Extent<'static> = Extent {
        place: Place::NOWHERE,
        size: None,
        entries: None,
    };

    fn at(place: Place<'d>) -> Extent<'d> {
        Extent {
            place,
            ..Extent::UNKNOWN
        }
    }

    fn sized(size: u64) -> Extent<'d> {
        Extent {
            size: Some(Range::exactly(size)),
            ..Extent::UNKNOWN
        }
    }

    pub(super) fn size_or_unknown(&self) -> Range {
        self.size.unwrap_or(Range::UNKNOWN)
    }
}

/// The cost of a node, and the extent of its value.
pub(super) struct Estimate<'d> {
    pub(super) cost: Range,
    pub(super) extent: Extent<'d>,
}

pub(super) struct Estimator<'c> {
    pub(super) checked: &'c Checked,
    pub(super) root: Root<'c>,
    /// The variables of loops in scope, the innermost last.
    locals: Vec<(Arc<str>, Extent<'c>)>,
}

impl<'c> Estimator<'c> {
    pub(super) fn visit(&mut self, id: ExprId) -> Estimate<'c> {
        let (cost, extent) = match self.checked.ast.get(id) {
            Expr::Unspecified => (Range::default(), Extent::UNKNOWN),
            Expr::Literal(literal) => (Range::default(), Extent::sized(literal_size(literal))),
            Expr::Ident(name) => (Range::exactly(IDENT_COST), self.variable(id, name)),
            Expr::Select { operand, field, test } => self.visit_selection(*operand, field, *test),
            Expr::Call {
                target,
                function,
                args,
            } => self.visit_call(id, *target, function, args),
            Expr::List { elements, .. } => self.visit_list(elements),
            Expr::Map(entries) => self.visit_map(entries),
            Expr::Struct { fields, .. } => {
                let mut cost = Range::exactly(STRUCT_COST);
                for field in fields {
                    self.visit_into(field.value, &mut cost);
                }
                (cost, Extent::UNKNOWN)
            }
            Expr::Comprehension(c) if self.is_binding(c) => self.visit_binding(c),
            Expr::Comprehension(c) => self.visit_loop(c),
        };
        let size = extent.size.or_else(|| self.size_at(id, extent.place));
        Estimate {
            cost,
            extent: Extent { size, ..extent },
        }
    }

    /// Visits a node and adds its cost.
    fn visit_into(&mut self, id: ExprId, cost: &mut Range) -> Extent<'c> {
        let estimate = self.visit(id);
        *cost = cost.plus(estimate.cost);
        estimate.extent
    }

    /// The size of a node's value from its place in the schema, or else from its type.
    pub(super) fn size_at(&self, id: ExprId, place: Place<'c>) -> Option<Range> {
        let is_scalar = || is_scalar(self.checked.ty(id)).then(|| Range::exactly(1));
        place.size().or_else(is_scalar)
    }

    fn local(&self, name: &str) -> Option<&Extent<'c>> {
        let found = self.locals.iter().rev().find(|(local, _)| &**local == name);
        found.map(|(_, extent)| extent)
    }

    fn variable(&self, id: ExprId, name: &str) -> Extent<'c> {
        match self.local(name) {
            Some(local) => Extent {
                size: self.size_at(id, local.place).or(local.size),
                ..*local
            },
            None => Extent::at(Place::variable(self.root)),
        }
    }

    fn visit_selection(&mut self, operand: ExprId, field: &str, test: bool) -> (Range, Extent<'c>) {
        let Estimate { cost, extent } = self.visit(operand);
        if test {
            return (cost, Extent::UNKNOWN);
        }
        let access = match self.checked.ty(operand).kind() {
            Kind::Map | Kind::Object => IDENT_COST,
            _ => 0,
        };
        let place = extent.place.step(self.root, Step::Field(field));
        (cost.plus(Range::exactly(access)), Extent::at(place))
    }

    fn visit_list(&mut self, elements: &[ExprId]) -> (Range, Extent<'c>) {
        let mut cost = Range::exactly(LIST_COST);
        let sizes: Vec<Range> = elements
            .iter()
            .map(|element| self.visit_into(*element, &mut cost).size_or_unknown())
            .collect();
        let entries = Entries {
            is_list: true,
            key: Range::exactly(1),
            value: Range::union_all(sizes),
        };
        let extent = Extent {
            entries: Some(entries),
            ..Extent::sized(elements.len() as u64)
        };
        (cost, extent)
    }

    fn visit_map(&mut self, entries: &[Entry]) -> (Range, Extent<'c>) {
        let (mut cost, mut keys, mut values) = (Range::exactly(MAP_COST), Vec::new(), Vec::new());
        for entry in entries {
            keys.push(self.visit_into(entry.key, &mut cost).size_or_unknown());
            values.push(self.visit_into(entry.value, &mut cost).size_or_unknown());
        }
        let sizes = Entries {
            is_list: false,
            key: Range::union_all(keys),
            value: Range::union_all(values),
        };
        let extent = Extent {
            entries: Some(sizes),
            ..Extent::sized(entries.len() as u64)
        };
        (cost, extent)
    }

    /// Whether a comprehension only binds a name: its loop runs over nothing.
    fn is_binding(&self, c: &Comprehension) -> bool {
        let is_empty =
            matches!(self.checked.ast.get(c.range), Expr::List { elements, .. } if elements.is_empty());
        is_empty
            && matches!(
                self.checked.ast.get(c.condition),
                Expr::Literal(Literal::Bool(false))
            )
    }

    fn visit_binding(&mut self, c: &Comprehension) -> (Range, Extent<'c>) {
        let mut cost = Range::default();
        self.visit_into(c.range, &mut cost);
        let bound = self.visit_into(c.accu_init, &mut cost);
        self.locals.push((c.accu_var.clone(), bound));
        let mut result = self.visit_into(c.result, &mut cost);
        self.locals.pop();
        if let Expr::Ident(name) = self.checked.ast.get(c.result)
            && *name == c.accu_var
        {
            // Kubernetes looks the size up after the name has left the scope, so it finds only its place, or an outer
            // variable.
            result = match self.local(name) {
                Some(_) => self.variable(c.result, name),
                None => Extent {
                    size: self.size_at(c.result, result.place),
                    ..Extent::UNKNOWN
                },
            };
        }
        let extent = Extent {
            place: Place::NOWHERE,
            ..result
        };
        (cost, extent)
    }

    fn visit_loop(&mut self, c: &Comprehension) -> (Range, Extent<'c>) {
        let mut cost = Range::default();
        let range = self.visit_into(c.range, &mut cost);
        let start = self.visit_into(c.accu_init, &mut cost);
        let outer = self.locals.len();
        self.locals.push((c.accu_var.clone(), start));
        self.declare_loop_variables(c, &range);
        let mut each = self.visit(c.condition).cost;
        let step = self.visit_into(c.step, &mut each);
        self.locals.truncate(outer + 1);
        self.visit_into(c.result, &mut cost);
        self.locals.truncate(outer);
        let count = range.size_or_unknown();
        let extent = match self.checked.ast.get(c.accu_init) {
            Expr::Literal(_) => Extent {
                size: start.size,
                ..Extent::UNKNOWN
            },
            Expr::List { .. } | Expr::Map(_) => Extent {
                size: Some(count),
                entries: step.entries,
                ..Extent::UNKNOWN
            },
            _ => Extent::UNKNOWN,
        };
        (cost.plus(count.times(each)), extent)
    }

    /// Loops with one variable go over the elements of a list or the keys of a map, loops with two over both parts of
    /// the entries.
    fn declare_loop_variables(&mut self, c: &Comprehension, range: &Extent<'c>) {
        let is_list = match range.entries {
            Some(entries) => entries.is_list,
            None => self.checked.ty(c.range).kind() == Kind::List,
        };
        let part = |step, size| Extent {
            size,
            ..Extent::at(range.place.step(self.root, step))
        };
        let mut key_step = if is_list { Step::Index } else { Step::Key };
        if c.iter_var2.is_some() {
            key_step = range.place.key_step(key_step);
        }
        let key = part(key_step, range.entries.map(|entries| entries.key));
        let value = part(Step::Entry, range.entries.map(|entries| entries.value));
        let only = if is_list { value } else { key };
        match &c.iter_var2 {
            None => self.locals.push((c.iter_var.clone(), only)),
            Some(second) => {
                self.locals.push((c.iter_var.clone(), key));
                self.locals.push((second.clone(), value));
            }
        }
    }
}

fn literal_size(literal: &Literal) -> u64 {
    match literal {
        Literal::String(text) => text.chars().count() as u64,
        Literal::Bytes(bytes) => bytes.len() as u64,
        _ => 1,
    }
}

fn is_scalar(ty: &Type) -> bool {
    match ty.kind() {
        Kind::Bool | Kind::Double | Kind::Duration | Kind::Int | Kind::Timestamp | Kind::Uint => true,
        Kind::Opaque => ty.unwrap_optional().is_some_and(is_scalar),
        _ => false,
    }
}
