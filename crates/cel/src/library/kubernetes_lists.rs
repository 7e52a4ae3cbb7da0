//! The Kubernetes list functions: `isSorted`, `sum`, `min`, `max`, `includes`; `indexOf` on lists is declared with that
//! on strings.

use std::cmp::Ordering;

use crate::eval::context::{Context, Eval};
use crate::eval::equal::is_equal;
use crate::eval::list;
use crate::eval::value::Value;

use super::compare::compare;
use super::{Definition, Op, Trait, arithmetic, function, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "isSorted",
        &[
            method(
                "list_int_is_sorted_bool",
                "(list(int)) -> bool",
                Op::Eager(is_sorted),
            ),
            method(
                "list_uint_is_sorted_bool",
                "(list(uint)) -> bool",
                Op::Eager(is_sorted),
            ),
            method(
                "list_double_is_sorted_bool",
                "(list(double)) -> bool",
                Op::Eager(is_sorted),
            ),
            method(
                "list_bool_is_sorted_bool",
                "(list(bool)) -> bool",
                Op::Eager(is_sorted),
            ),
            method(
                "list_duration_is_sorted_bool",
                "(list(duration)) -> bool",
                Op::Eager(is_sorted),
            ),
            method(
                "list_timestamp_is_sorted_bool",
                "(list(timestamp)) -> bool",
                Op::Eager(is_sorted),
            ),
            method(
                "list_string_is_sorted_bool",
                "(list(string)) -> bool",
                Op::Eager(is_sorted),
            ),
            method(
                "list_bytes_is_sorted_bool",
                "(list(bytes)) -> bool",
                Op::Eager(is_sorted),
            ),
        ],
    ),
    function(
        "sum",
        &[
            method("list_int_sum_int", "(list(int)) -> int", Op::Eager(sum_int)),
            method("list_uint_sum_uint", "(list(uint)) -> uint", Op::Eager(sum_uint)),
            method(
                "list_double_sum_double",
                "(list(double)) -> double",
                Op::Eager(sum_double),
            ),
            method(
                "list_duration_sum_duration",
                "(list(duration)) -> duration",
                Op::Eager(sum_duration),
            ),
        ],
    ),
    function(
        "max",
        &[
            method("list_int_max_int", "(list(int)) -> int", Op::Eager(max)),
            method("list_uint_max_uint", "(list(uint)) -> uint", Op::Eager(max)),
            method(
                "list_double_max_double",
                "(list(double)) -> double",
                Op::Eager(max),
            ),
            method("list_bool_max_bool", "(list(bool)) -> bool", Op::Eager(max)),
            method(
                "list_duration_max_duration",
                "(list(duration)) -> duration",
                Op::Eager(max),
            ),
            method(
                "list_timestamp_max_timestamp",
                "(list(timestamp)) -> timestamp",
                Op::Eager(max),
            ),
            method(
                "list_string_max_string",
                "(list(string)) -> string",
                Op::Eager(max),
            ),
            method("list_bytes_max_bytes", "(list(bytes)) -> bytes", Op::Eager(max)),
        ],
    ),
    function(
        "min",
        &[
            method("list_int_min_int", "(list(int)) -> int", Op::Eager(min)),
            method("list_uint_min_uint", "(list(uint)) -> uint", Op::Eager(min)),
            method(
                "list_double_min_double",
                "(list(double)) -> double",
                Op::Eager(min),
            ),
            method("list_bool_min_bool", "(list(bool)) -> bool", Op::Eager(min)),
            method(
                "list_duration_min_duration",
                "(list(duration)) -> duration",
                Op::Eager(min),
            ),
            method(
                "list_timestamp_min_timestamp",
                "(list(timestamp)) -> timestamp",
                Op::Eager(min),
            ),
            method(
                "list_string_min_string",
                "(list(string)) -> string",
                Op::Eager(min),
            ),
            method("list_bytes_min_bytes", "(list(bytes)) -> bytes", Op::Eager(min)),
        ],
    ),
];

pub(super) const INCLUDES: &[Definition] = &[function(
    "includes",
    &[method(
        "list_includes_dyn_dyn",
        "(dyn, dyn) -> bool",
        Op::Eager(includes),
    )],
)];

fn is_sorted<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let mut previous = None;
    for element in list::elements(cx, args[0]) {
        if !Trait::Comparer.holds(element) {
            return Ok(cx.no_overload_for(element));
        }
        if let Some(previous) = previous {
            // Elements that cannot be compared count as sorted.
            if let Ok(Ordering::Greater) = compare(cx, previous, element) {
                return Ok(Value::Bool(false));
            }
        }
        previous = Some(element);
    }
    Ok(Value::Bool(true))
}

fn sum<'a>(cx: &mut Context<'a>, args: &[Value<'a>], zero: Value<'a>) -> Eval<'a> {
    let mut total = zero;
    for element in list::elements(cx, args[0]) {
        if !Trait::Adder.holds(element) {
            return Ok(cx.no_overload_for(element));
        }
        total = arithmetic::add(cx, &[total, element])?;
        if total.is_error() {
            break;
        }
    }
    Ok(total)
}

fn sum_int<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    sum(cx, args, Value::Int(0))
}

fn sum_uint<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    sum(cx, args, Value::Uint(0))
}

fn sum_double<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    sum(cx, args, Value::Double(0.0))
}

fn sum_duration<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    sum(cx, args, Value::Duration(0))
}

/// The minimum or maximum of a list.
fn extreme<'a>(cx: &mut Context<'a>, args: &[Value<'a>], name: &str, replaced_when: Ordering) -> Eval<'a> {
    let mut best: Option<Value<'a>> = None;
    for element in list::elements(cx, args[0]) {
        if !Trait::Comparer.holds(element) {
            return Ok(cx.no_overload_for(element));
        }
        best = Some(match best {
            Some(best) if !matches!(compare(cx, best, element), Ok(order) if order == replaced_when) => best,
            _ => element,
        });
    }
    Ok(best.unwrap_or_else(|| cx.error(&format!("{name} called on empty list"))))
}

fn max<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    extreme(cx, args, "max", Ordering::Less)
}

fn min<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    extreme(cx, args, "min", Ordering::Greater)
}

fn includes<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    if !args[0].is_list() {
        return Ok(Value::Bool(is_equal(cx, args[0], args[1])));
    }
    for element in list::elements(cx, args[0]) {
        if is_equal(cx, element, args[1]) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

pub(super) fn index_of<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    for (at, element) in list::elements(cx, args[0]).into_iter().enumerate() {
        if is_equal(cx, element, args[1]) {
            return Ok(Value::Int(at as i64));
        }
    }
    Ok(Value::Int(-1))
}

pub(super) fn last_index_of<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    for (at, element) in list::elements(cx, args[0]).into_iter().enumerate().rev() {
        if is_equal(cx, element, args[1]) {
            return Ok(Value::Int(at as i64));
        }
    }
    Ok(Value::Int(-1))
}
