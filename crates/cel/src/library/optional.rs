//! Optionals: creation, tests and access. `or` and `orValue` have program nodes, since they evaluate lazily.

use crate::eval::context::{Context, Eval};
use crate::eval::list;
use crate::eval::value::Value;

use super::{Binding, Definition, Op, function, global, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "optional.of",
        &[global("optional_of", "(V) -> optional(V)", Op::Eager(of))],
    ),
    function(
        "optional.ofNonZeroValue",
        &[global(
            "optional_ofNonZeroValue",
            "(V) -> optional(V)",
            Op::Eager(of_non_zero),
        )],
    ),
    function(
        "optional.none",
        &[global("optional_none", "() -> optional(V)", Op::Sequential(none))],
    ),
    function(
        "value",
        &[method("optional_value", "(optional(V)) -> V", Op::Eager(value))],
    ),
    function(
        "hasValue",
        &[method(
            "optional_hasValue",
            "(optional(V)) -> bool",
            Op::Eager(has_value),
        )],
    ),
    Definition {
        name: "or",
        binding: Binding::Planned,
        overloads: &[method(
            "optional_or_optional",
            "(optional(V), optional(V)) -> optional(V)",
            Op::None,
        )],
    },
    Definition {
        name: "orValue",
        binding: Binding::Planned,
        overloads: &[method(
            "optional_orValue_value",
            "(optional(V), V) -> V",
            Op::None,
        )],
    },
    function(
        "first",
        &[method("list_first", "(list(V)) -> optional(V)", Op::Eager(first))],
    ),
    function(
        "last",
        &[method("list_last", "(list(V)) -> optional(V)", Op::Eager(last))],
    ),
    function(
        "optional.unwrap",
        &[global(
            "optional_unwrap",
            "(list(optional(V))) -> list(V)",
            Op::Eager(unwrap),
        )],
    ),
    function(
        "unwrapOpt",
        &[method(
            "optional_unwrapOpt",
            "(list(optional(V))) -> list(V)",
            Op::Eager(unwrap),
        )],
    ),
];

fn of<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(cx.some(args[0]))
}

fn of_non_zero<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(if is_zero(args[0]) {
        Value::Optional(None)
    } else {
        cx.some(args[0])
    })
}

/// Whether a value is the zero value of its type. Lists and maps of the object never are.
fn is_zero(value: Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(b) => !b,
        Value::Int(i) => i == 0,
        Value::Uint(u) => u == 0,
        Value::Double(d) => d == 0.0,
        Value::String(s) => s.is_empty(),
        Value::Bytes(b) => b.is_empty(),
        Value::Duration(d) => d == 0,
        Value::Timestamp(t) => t.seconds == crate::eval::time::MIN_SECONDS && t.nanos == 0,
        Value::List(_) | Value::ConstList(_) | Value::Concat(_) | Value::Map(_) => list::len(value) == 0,
        _ => false,
    }
}

fn none<'a>(_: &mut Context<'a>, _: &[Value<'a>]) -> Eval<'a> {
    Ok(Value::Optional(None))
}

fn value<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match args[0] {
        Value::Optional(Some(value)) => *value,
        Value::Optional(None) => cx.error("optional.none() dereference"),
        other => cx.no_overload_for(other),
    })
}

fn has_value<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match args[0] {
        Value::Optional(inner) => Value::Bool(inner.is_some()),
        other => cx.no_overload_for(other),
    })
}

fn first<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    if list::len(args[0]) == 0 {
        return Ok(Value::Optional(None));
    }
    let element = list::get(cx, args[0], 0);
    Ok(cx.some(element))
}

fn last<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let length = list::len(args[0]);
    if length == 0 {
        return Ok(Value::Optional(None));
    }
    let element = list::get(cx, args[0], length - 1);
    Ok(cx.some(element))
}

fn unwrap<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let mut values = Vec::new();
    for element in list::elements(cx, args[0]) {
        match element {
            Value::Optional(inner) => values.extend(inner.copied()),
            other => {
                let text = format!("value {} is not optional", crate::eval::describe_value(other));
                return Ok(cx.error(&text));
            }
        }
    }
    Ok(cx.list(&values))
}
