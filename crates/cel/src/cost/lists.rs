//! Estimates of the sets and lists extensions (cel-go `ext/sets.go`, `ext/lists.go`).

use crate::syntax::ast::{Expr, Literal};

use super::call::{Call, CallEstimate};
use super::estimate::{SizeEstimate, fixed_cost};
use super::{Arg, Coster, LIST_COST, STRING_FACTOR};

/// The estimate of a set or list function, or `None` if the overload is not one.
pub(super) fn estimate(coster: &Coster<'_>, call: &Call<'_, '_>) -> Option<CallEstimate> {
    let size = |arg: &Arg<'_>| {
        arg.size
            .or_else(|| coster.declared_size(&arg.path))
            .unwrap_or(SizeEstimate::UNKNOWN)
    };
    let number = |arg: &Arg<'_>, otherwise: u64| match coster.checked.ast.get(arg.id) {
        Expr::Literal(Literal::Int(n)) => (*n).max(0) as u64,
        _ => otherwise,
    };
    if let Some(factor) = sets_factor(call.overload) {
        let [a, b] = call.args else { return None };
        return Some(CallEstimate::cost(
            size(a).multiply(size(b)).times(factor).add(fixed_cost(1)),
        ));
    }
    Some(match (call.overload, call.target, call.args) {
        ("list_slice", Some(list), [start, end]) => {
            let length = number(end, size(list).max).wrapping_sub(number(start, 0));
            allocating(1.0, SizeEstimate::fixed(length))
        }
        ("lists_range", None, [n]) => allocating(1.0, SizeEstimate::fixed(number(n, u64::MAX))),
        ("list_reverse", Some(list), []) => allocating(1.0, size(list)),
        ("list_flatten", Some(list), []) => allocating(1.0, size(list)),
        ("list_flatten_int", Some(list), [depth]) => allocating(number(depth, u64::MAX) as f64, size(list)),
        ("list_distinct", Some(list), []) => allocating(2.0, size(list).multiply(size(list))),
        (overload, Some(list), []) if overload.ends_with("_sort") => sort(overload, size(list)),
        (overload, Some(_), [keys]) if overload.ends_with("_sortByAssociatedKeys") => {
            sort(overload, size(keys))
        }
        _ => return None,
    })
}

fn sets_factor(overload: &str) -> Option<f64> {
    match overload {
        "list_sets_contains_list" | "list_sets_intersects_list" => Some(1.0),
        "list_sets_equivalent_list" => Some(2.0),
        _ => None,
    }
}

fn sort(overload: &str, size: SizeEstimate) -> CallEstimate {
    let text = overload.starts_with("list_string_") || overload.starts_with("list_bytes_");
    allocating(if text { 2.0 + STRING_FACTOR } else { 2.0 }, size.multiply(size))
}

fn allocating(factor: f64, size: SizeEstimate) -> CallEstimate {
    CallEstimate::sized(size.times(factor).add(fixed_cost(1 + LIST_COST)), size)
}
