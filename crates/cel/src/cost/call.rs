//! The cost of calls: the estimators of extension libraries, then those of Kubernetes, then the standard ones.

use std::sync::Arc;

use crate::library::Overload;
use crate::syntax::ast::ExprId;

use super::estimate::{CostEstimate, SizeEstimate, fixed_cost};
use super::{Arg, Coster, REGEX_FACTOR, STRING_FACTOR, extend, kubernetes, lists};

/// What a call costs beside its arguments, and how large its result is where that is known.
pub(super) struct CallEstimate {
    pub(super) cost: CostEstimate,
    pub(super) result: Option<SizeEstimate>,
}

impl CallEstimate {
    pub(super) fn cost(cost: CostEstimate) -> CallEstimate {
        CallEstimate { cost, result: None }
    }

    pub(super) fn sized(cost: CostEstimate, result: SizeEstimate) -> CallEstimate {
        CallEstimate {
            cost,
            result: Some(result),
        }
    }
}

/// A call with its arguments estimated.
pub(super) struct Call<'a, 'c> {
    pub(super) function: &'a str,
    pub(super) overload: &'static str,
    pub(super) target: Option<&'a Arg<'c>>,
    pub(super) args: &'a [Arg<'c>],
}

impl<'c> Coster<'c> {
    pub(super) fn cost_call(
        &mut self,
        id: ExprId,
        target: Option<ExprId>,
        function: &Arc<str>,
        args: &[ExprId],
    ) -> CostEstimate {
        if &**function == "dyn" {
            let cost = self.cost(args[0]);
            self.copy_sizes(id, args[0]);
            return cost.add(fixed_cost(1));
        }
        let mut costs = Vec::with_capacity(args.len());
        let mut nodes = Vec::with_capacity(args.len());
        for arg in args {
            costs.push(self.cost(*arg));
            nodes.push(self.arg(*arg));
        }
        let overloads: Vec<&'static Overload> = self.checked.overloads(id).to_vec();
        if overloads.is_empty() {
            return CostEstimate::default();
        }
        let mut sum = CostEstimate::default();
        let target = target.map(|target| {
            sum = self.cost(target);
            self.arg(target)
        });
        let mut total = CostEstimate {
            min: u64::MAX,
            max: 0,
        };
        let mut result: Option<SizeEstimate> = None;
        for overload in overloads {
            let call = Call {
                function,
                overload: overload.id,
                target: target.as_ref(),
                args: &nodes,
            };
            let estimate = self.overload_cost(id, &call, &costs);
            total = total.union(estimate.cost);
            result = match (result, estimate.result) {
                (Some(a), Some(b)) => Some(a.union(b)),
                (a, b) => a.or(b),
            };
            self.index_result(id, overload.id, args, &mut result);
            result = result.or_else(|| self.size(id));
        }
        if let Some(size) = result {
            self.sizes.insert(id, size);
        }
        sum.add(total)
    }

    /// The element of an indexed list or map has a path, and its size if the container is a literal.
    fn index_result(
        &mut self,
        id: ExprId,
        overload: &str,
        args: &[ExprId],
        result: &mut Option<SizeEstimate>,
    ) {
        let step = match overload {
            "index_list" => "@items",
            "index_map" => "@values",
            _ => return,
        };
        *result = self.entry_size(args[0]).map(|entry| entry.value);
        let path = extend(self.path(args[0]), step);
        self.paths.insert(id, path);
    }

    fn overload_cost(&mut self, id: ExprId, call: &Call<'_, '_>, costs: &[CostEstimate]) -> CallEstimate {
        let arguments = costs
            .iter()
            .fold(CostEstimate::default(), |sum, cost| sum.add(*cost));
        let with_arguments = |estimate: CallEstimate| CallEstimate {
            cost: estimate.cost.add(arguments),
            ..estimate
        };
        if let Some(estimate) = lists::estimate(self, call).or_else(|| kubernetes::estimate(self, call)) {
            return with_arguments(estimate);
        }
        match call.overload {
            "logical_or" | "logical_and" => {
                let (left, right) = (costs[0], costs[1]);
                CallEstimate::cost(CostEstimate {
                    min: left.min,
                    max: left.add(right).max,
                })
            }
            "conditional" => {
                let size = arg_size(&call.args[1]).union(arg_size(&call.args[2]));
                let entries = (self.entry_size(call.args[1].id), self.entry_size(call.args[2].id));
                if let (Some(then), Some(otherwise)) = entries {
                    self.entries.insert(id, then.union(otherwise));
                }
                CallEstimate::sized(costs[0].add(costs[1].union(costs[2])), size)
            }
            _ => with_arguments(
                self.standard_cost(id, call)
                    .unwrap_or(CallEstimate::cost(fixed_cost(1))),
            ),
        }
    }

    fn standard_cost(&mut self, id: ExprId, call: &Call<'_, '_>) -> Option<CallEstimate> {
        let size = |n: usize| call.args.get(n).map(arg_size);
        let target = call.target.map(arg_size);
        Some(match call.overload {
            "string_format" => CallEstimate::cost(target?.times(STRING_FACTOR)),
            "string_to_bytes" => {
                let size = size(0)?;
                let result = SizeEstimate {
                    min: size.min,
                    max: size.max.wrapping_mul(4),
                };
                CallEstimate::sized(size.times(STRING_FACTOR), result)
            }
            "bytes_to_string" => {
                let size = size(0)?;
                CallEstimate::sized(
                    size.times(STRING_FACTOR),
                    SizeEstimate {
                        min: size.min / 4,
                        max: size.max,
                    },
                )
            }
            "strings_quote" => {
                let size = size(0)?;
                let result = SizeEstimate {
                    min: size.min.wrapping_add(2),
                    max: size.max.wrapping_mul(2).wrapping_add(2),
                };
                CallEstimate::sized(size.times(STRING_FACTOR), result)
            }
            "starts_with_string" | "ends_with_string" => CallEstimate::cost(size(0)?.times(STRING_FACTOR)),
            "in_list" => CallEstimate::cost(size(1)?.times(1.0)),
            "matches" => CallEstimate::cost(regex_cost(size(0)?, size(1)?)),
            "matches_string" => CallEstimate::cost(regex_cost(target?, size(0)?)),
            "contains_string" => {
                let cost = target?
                    .times(STRING_FACTOR)
                    .multiply(size(0)?.times(STRING_FACTOR));
                CallEstimate::cost(cost)
            }
            "add_string" | "add_bytes" | "add_list" => {
                let sum = size(0)?.add(size(1)?);
                let entries = (self.entry_size(call.args[0].id), self.entry_size(call.args[1].id));
                if let (Some(left), Some(right)) = entries {
                    self.entries.insert(id, left.union(right));
                }
                let cost = if call.overload == "add_list" {
                    fixed_cost(1)
                } else {
                    sum.times(STRING_FACTOR)
                };
                CallEstimate::sized(cost, sum)
            }
            "less_string"
            | "greater_string"
            | "less_equals_string"
            | "greater_equals_string"
            | "less_bytes"
            | "greater_bytes"
            | "less_equals_bytes"
            | "greater_equals_bytes"
            | "equals"
            | "not_equals" => {
                let smallest = size(0)?.max.min(size(1)?.max);
                let range = CostEstimate {
                    min: u64::from(smallest > 0),
                    max: smallest,
                };
                CallEstimate::cost(range.times(STRING_FACTOR))
            }
            _ => return None,
        })
    }
}

pub(super) fn arg_size(arg: &Arg<'_>) -> SizeEstimate {
    arg.size.unwrap_or(SizeEstimate::UNKNOWN)
}

/// Matching costs the text's length times the pattern's.
pub(super) fn regex_cost(text: SizeEstimate, pattern: SizeEstimate) -> CostEstimate {
    text.add(SizeEstimate::fixed(1))
        .times(STRING_FACTOR)
        .multiply(pattern.times(REGEX_FACTOR))
}
