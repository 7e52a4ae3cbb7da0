//! `sets.contains`, `sets.equivalent`, `sets.intersects`.

use crate::eval::context::{Context, Eval};
use crate::eval::equal::list_contains;
use crate::eval::list;
use crate::eval::value::Value;

use super::{Definition, Op, function, global};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "sets.contains",
        &[global(
            "list_sets_contains_list",
            "(list(T), list(T)) -> bool",
            Op::Eager(contains),
        )],
    ),
    function(
        "sets.equivalent",
        &[global(
            "list_sets_equivalent_list",
            "(list(T), list(T)) -> bool",
            Op::Eager(equivalent),
        )],
    ),
    function(
        "sets.intersects",
        &[global(
            "list_sets_intersects_list",
            "(list(T), list(T)) -> bool",
            Op::Eager(intersects),
        )],
    ),
];

/// Whether every element of `part` is in `whole`; stops at the first `false` or error.
fn contains_all<'a>(cx: &mut Context<'a>, whole: Value<'a>, part: Value<'a>) -> Value<'a> {
    for element in list::elements(cx, part) {
        match list_contains(cx, whole, element) {
            Value::Bool(true) => {}
            other => return other,
        }
    }
    Value::Bool(true)
}

fn contains<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(contains_all(cx, args[0], args[1]))
}

fn equivalent<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match contains_all(cx, args[0], args[1]) {
        Value::Bool(true) => contains_all(cx, args[1], args[0]),
        other => other,
    })
}

fn intersects<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    for element in list::elements(cx, args[0]) {
        if let Value::Bool(true) = list_contains(cx, args[1], element) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}
