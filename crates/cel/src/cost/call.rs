//! Estimates of calls: their operands as cost rules see them, and the sizes of their results.

use std::convert::Infallible;

use crate::syntax::ast::{Expr, ExprId, Literal};
use crate::types::{Kind, Type};

use super::amount::{Amount, Range};
use super::charge::{Operands, charge};
use super::estimate::{Entries, Estimator, Extent};
use super::place::{Place, Step};
use super::price::{Evaluates, Observation, ResultSize, STRING_FACTOR};
use super::table;

/// The sizes of an IP address in bytes.
const ADDRESS: Range = Range { min: 4, max: 16 };
/// The longest name of a named format.
const MAX_FORMAT_NAME: u64 = 64;

/// An operand of a call.
struct Operand<'c> {
    id: ExprId,
    ty: &'c Type,
    cost: Range,
    extent: Extent<'c>,
}

impl<'c> Estimator<'c> {
    pub(super) fn visit_call(
        &mut self,
        id: ExprId,
        target: Option<ExprId>,
        function: &str,
        args: &[ExprId],
    ) -> (Range, Extent<'c>) {
        let operands: Vec<Operand<'c>> = target
            .iter()
            .chain(args)
            .map(|id| self.visit_operand(*id))
            .collect();
        let mut cost: Option<Range> = None;
        let mut extent = Extent::UNKNOWN;
        for overload in self.checked.overloads(id) {
            let rule = table::find(self.checked.dialect, function, overload.id);
            let mut call = Call {
                estimator: self,
                operands: &operands,
                result: None,
            };
            let result = call.result_extent(rule.result);
            call.result = result.size;
            let Ok(charged) = charge(&rule.estimate, &mut call);
            let charged = charged.plus(call.evaluation(rule.evaluates));
            cost = Some(cost.map_or(charged, |cost| cost.union(charged)));
            extent = self.widen(id, &extent, &result, rule.result);
        }
        (cost.unwrap_or_default(), extent)
    }

    /// What is known about a call's result when one more overload may compute it.
    fn widen(&self, id: ExprId, known: &Extent<'c>, result: &Extent<'c>, rule: ResultSize) -> Extent<'c> {
        let place = if result.place.is_nowhere() {
            known.place
        } else {
            result.place
        };
        let size = match (known.size, result.size) {
            // The size of an entry replaces what other overloads say.
            (_, size) if matches!(rule, ResultSize::Entry) => size,
            (Some(one), Some(other)) => Some(one.union(other)),
            (one, other) => one.or(other),
        };
        Extent {
            place,
            size: size.or_else(|| self.size_at(id, place)),
            entries: result.entries.or(known.entries),
        }
    }

    fn visit_operand(&mut self, id: ExprId) -> Operand<'c> {
        let estimate = self.visit(id);
        Operand {
            id,
            ty: self.checked.ty(id),
            cost: estimate.cost,
            extent: estimate.extent,
        }
    }
}

/// A call with its operands estimated.
struct Call<'e, 'c> {
    estimator: &'e Estimator<'c>,
    operands: &'e [Operand<'c>],
    result: Option<Range>,
}

impl<'c> Call<'_, 'c> {
    /// The cost of the operands themselves.
    fn evaluation(&self, evaluates: Evaluates) -> Range {
        let cost = |at: usize| self.operands.get(at).map_or(Range::default(), |o| o.cost);
        match evaluates {
            Evaluates::All => self
                .operands
                .iter()
                .fold(Range::default(), |sum, operand| sum.plus(operand.cost)),
            Evaluates::FirstOrBoth => Range {
                min: cost(0).min,
                max: cost(0).plus(cost(1)).max,
            },
            Evaluates::OneBranch => cost(0).plus(cost(1).union(cost(2))),
        }
    }

    fn extent(&self, operand: usize) -> Extent<'c> {
        self.operands
            .get(operand)
            .map_or(Extent::UNKNOWN, |operand| operand.extent)
    }

    /// The extent of the result, as far as a rule states it.
    fn result_extent(&self, rule: ResultSize) -> Extent<'c> {
        let size = |operand| Operands::size(self, operand);
        let sized = |size| Extent {
            size: Some(size),
            ..Extent::UNKNOWN
        };
        let with_entries = |size, one, other| Extent {
            entries: self.joined_entries(one, other),
            ..sized(size)
        };
        match rule {
            ResultSize::Unknown => Extent::UNKNOWN,
            ResultSize::Same(operand) => Extent {
                place: Place::NOWHERE,
                ..self.extent(operand)
            },
            ResultSize::Either(one, other) => with_entries(size(one).union(size(other)), one, other),
            ResultSize::Both => with_entries(size(0).plus(size(1)), 0, 1),
            ResultSize::Entry => Extent {
                place: self.extent(0).place.step(self.estimator.root, Step::Entry),
                size: self.extent(0).entries.map(|entries| entries.value),
                entries: None,
            },
            ResultSize::From(operand, change) => sized(change(size(operand))),
            ResultSize::Square(operand) => sized(size(operand).times(size(operand))),
            ResultSize::Slice => {
                let end = self.number(2).unwrap_or(size(0).max);
                sized(Range::exactly(end.wrapping_sub(self.number(1).unwrap_or(0))))
            }
            ResultSize::Count => sized(Range::exactly(self.number(0).unwrap_or(u64::MAX))),
            ResultSize::Parts => sized(Range::up_to(self.limit_of_parts().unwrap_or(size(0).max))),
            ResultSize::Joined => sized(self.joined()),
            ResultSize::Replaced => sized(replaced(size(0), size(1), size(2))),
        }
    }

    fn joined_entries(&self, one: usize, other: usize) -> Option<Entries> {
        Some(self.extent(one).entries?.union(self.extent(other).entries?))
    }

    fn literal(&self, operand: usize) -> Option<i64> {
        match self.estimator.checked.ast.get(self.operands.get(operand)?.id) {
            Expr::Literal(Literal::Int(number)) => Some(*number),
            _ => None,
        }
    }

    /// An operand that is a literal number; negative ones count as zero.
    fn number(&self, operand: usize) -> Option<u64> {
        self.literal(operand).map(|number| number.max(0) as u64)
    }

    /// The limit of `split`. A negative one means unlimited, which is a very large number here.
    fn limit_of_parts(&self) -> Option<u64> {
        self.literal(2).map(|limit| limit as u64)
    }

    /// The type of a list's elements and their size in the schema.
    fn element(&self, list: usize) -> Option<(&'c Type, Range)> {
        let operand = self.operands.get(list)?;
        let place = operand.extent.place;
        let entry = (!place.is_nowhere()).then(|| place.step(self.estimator.root, Step::Entry));
        let size = entry.and_then(Place::size);
        Some((operand.ty.parameters().first()?, size.unwrap_or(Range::UNKNOWN)))
    }

    /// The size of all elements of a list and the separators between them.
    fn joined(&self) -> Range {
        let list = self.size(0);
        let elements = self
            .element(0)
            .map_or(Range::default(), |(_, size)| list.times(size));
        if self.operands.len() < 2 {
            return elements;
        }
        let gaps = Range {
            min: list.min.saturating_sub(1),
            max: list.max.saturating_sub(1),
        };
        elements.plus(self.size(1).times(gaps))
    }

    fn comparison(&self) -> Range {
        let smaller = self.size(0).max.min(self.size(1).max);
        let looked_at = Range {
            min: u64::from(smaller > 0),
            max: smaller,
        };
        looked_at.scaled(STRING_FACTOR)
    }

    /// The cost of comparing two values of the same library type.
    fn library_equality(&self) -> Option<Range> {
        let [left, right] = self.operands else { return None };
        let (Type::Opaque(name, _) | Type::Object(name)) = left.ty else {
            return None;
        };
        let text = |max| Range { min: 1, max }.scaled(STRING_FACTOR);
        let cost = match &**name {
            "net.IP" | "net.CIDR" | "kubernetes.Quantity" | "kubernetes.Semver" => Range::exactly(1),
            "kubernetes.NamedFormat" => text(MAX_FORMAT_NAME),
            "kubernetes.URL" => text(right.extent.size.map_or(1, |size| size.max)),
            _ => return None,
        };
        (left.ty.name() == right.ty.name()).then_some(cost)
    }

    fn traversal(&self, unknown: f64) -> Range {
        let Some((ty, size)) = self.element(0) else {
            return self.size(0).scaled(unknown);
        };
        let mut each = Range::exactly(1);
        if matches!(ty.kind(), Kind::String | Kind::Bytes) {
            each = each.plus(size.scaled(STRING_FACTOR));
        }
        self.size(0).times(each)
    }
}

impl Operands for Call<'_, '_> {
    type Amount = Range;
    type Halt = Infallible;

    fn size(&self, operand: usize) -> Range {
        self.extent(operand).size_or_unknown()
    }

    fn elements(&self, operand: usize) -> Range {
        self.size(operand)
    }

    fn address(&self, _: usize) -> Range {
        ADDRESS
    }

    fn result(&self) -> Result<Range, Infallible> {
        Ok(self.result.unwrap_or(Range::UNKNOWN))
    }

    fn depth(&mut self) -> Result<f64, Infallible> {
        Ok(self.number(1).unwrap_or(u64::MAX) as f64)
    }

    fn observe(&mut self, what: Observation) -> Result<Range, Infallible> {
        Ok(match what {
            Observation::Comparison => self.comparison(),
            Observation::Equality => self.library_equality().unwrap_or_else(|| self.comparison()),
            Observation::Traversal(unknown) => self.traversal(unknown),
            // These are unknown before they run; the table has separate formulas for estimates.
            Observation::SelfComparison(_) | Observation::NamedFormat => Range::UNKNOWN,
        })
    }
}

/// The size of a text after replacements, which happen as often as the old text can occur.
fn replaced(text: Range, old: Range, new: Range) -> Range {
    let (most, most_kept) = match old.min {
        // An empty text occurs before every character and at the end.
        0 => (text.max.saturating_add(1), text.max),
        old if new.max <= old => (0, text.max),
        old => ((text.max as f64 / old as f64).ceil() as u64, 0),
    };
    let (least, least_kept) = match old.max {
        0 => (text.min.saturating_add(1), text.min),
        old if old <= new.min => (0, text.min),
        old => ((text.min as f64 / old as f64).ceil() as u64, 0),
    };
    let times = Range {
        min: least,
        max: most,
    };
    let kept = Range {
        min: least_kept,
        max: most_kept,
    };
    times.times(new).plus(kept)
}
