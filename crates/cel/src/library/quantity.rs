//! Kubernetes quantities: `quantity`, arithmetic, comparison. Semver shares the names of the comparisons.

use kindsmith_formats::quantity::{Format, Quantity};

use crate::eval::context::{Context, Eval};
use crate::eval::value::{Ext, Value};

use super::semver;
use super::{Definition, Op, function, global, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "quantity",
        &[global(
            "string_to_quantity",
            "(string) -> kubernetes.Quantity",
            Op::Eager(quantity),
        )],
    ),
    function(
        "isQuantity",
        &[global(
            "is_quantity_string",
            "(string) -> bool",
            Op::Eager(is_quantity),
        )],
    ),
    function(
        "sign",
        &[global(
            "quantity_sign",
            "(kubernetes.Quantity) -> int",
            Op::Eager(sign),
        )],
    ),
    function(
        "isGreaterThan",
        &[
            method(
                "quantity_is_greater_than",
                "(kubernetes.Quantity, kubernetes.Quantity) -> bool",
                Op::Eager(is_greater),
            ),
            method(
                "semver_is_greater_than",
                "(kubernetes.Semver, kubernetes.Semver) -> bool",
                Op::Eager(semver::is_greater),
            ),
        ],
    ),
    function(
        "isLessThan",
        &[
            method(
                "quantity_is_less_than",
                "(kubernetes.Quantity, kubernetes.Quantity) -> bool",
                Op::Eager(is_less),
            ),
            method(
                "semver_is_less_than",
                "(kubernetes.Semver, kubernetes.Semver) -> bool",
                Op::Eager(semver::is_less),
            ),
        ],
    ),
    function(
        "compareTo",
        &[
            method(
                "quantity_compare_to",
                "(kubernetes.Quantity, kubernetes.Quantity) -> int",
                Op::Eager(compare_to),
            ),
            method(
                "semver_compare_to",
                "(kubernetes.Semver, kubernetes.Semver) -> int",
                Op::Eager(semver::compare_to),
            ),
        ],
    ),
    function(
        "asApproximateFloat",
        &[method(
            "quantity_get_float",
            "(kubernetes.Quantity) -> double",
            Op::Eager(as_float),
        )],
    ),
    function(
        "asInteger",
        &[method(
            "quantity_get_int",
            "(kubernetes.Quantity) -> int",
            Op::Eager(as_integer),
        )],
    ),
    function(
        "isInteger",
        &[method(
            "quantity_is_integer",
            "(kubernetes.Quantity) -> bool",
            Op::Eager(is_integer),
        )],
    ),
    function(
        "add",
        &[
            method(
                "quantity_add",
                "(kubernetes.Quantity, kubernetes.Quantity) -> kubernetes.Quantity",
                Op::Eager(add),
            ),
            method(
                "quantity_add_int",
                "(kubernetes.Quantity, int) -> kubernetes.Quantity",
                Op::Eager(add),
            ),
        ],
    ),
    function(
        "sub",
        &[
            method(
                "quantity_sub",
                "(kubernetes.Quantity, kubernetes.Quantity) -> kubernetes.Quantity",
                Op::Eager(sub),
            ),
            method(
                "quantity_sub_int",
                "(kubernetes.Quantity, int) -> kubernetes.Quantity",
                Op::Eager(sub),
            ),
        ],
    ),
];

fn quantity<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(text) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(match Quantity::parse(text) {
        Ok(quantity) => cx.ext(Ext::Quantity(quantity, false)),
        Err(error) => cx.error(&error.to_string()),
    })
}

fn is_quantity<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(text) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(Value::Bool(Quantity::parse(text).is_ok()))
}

/// Applies a method to a quantity.
fn ask<'a>(
    cx: &mut Context<'a>,
    args: &[Value<'a>],
    question: impl FnOnce(&mut Context<'a>, &Quantity) -> Value<'a>,
) -> Eval<'a> {
    let Value::Ext(Ext::Quantity(quantity, _)) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(question(cx, quantity))
}

fn sign<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |_, quantity| Value::Int(i64::from(quantity.sign())))
}

fn as_float<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |_, quantity| {
        Value::Double(quantity.as_approximate_f64())
    })
}

fn is_integer<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |_, quantity| Value::Bool(quantity.as_i64().is_some()))
}

fn as_integer<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    ask(cx, args, |cx, quantity| match quantity.as_i64() {
        Some(integer) => Value::Int(integer),
        None => cx.error("cannot convert value to integer"),
    })
}

fn order<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Result<std::cmp::Ordering, Value<'a>> {
    match (args[0], args[1]) {
        (Value::Ext(Ext::Quantity(a, _)), Value::Ext(Ext::Quantity(b, _))) => Ok(a.cmp(b)),
        _ => Err(cx.no_overload()),
    }
}

fn is_greater<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(order(cx, args).map_or_else(|error| error, |order| Value::Bool(order.is_gt())))
}

fn is_less<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(order(cx, args).map_or_else(|error| error, |order| Value::Bool(order.is_lt())))
}

fn compare_to<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(order(cx, args).map_or_else(|error| error, |order| Value::Int(order as i64)))
}

fn operands<'a>(args: &[Value<'a>]) -> Option<(&'a Quantity, Quantity)> {
    let Value::Ext(Ext::Quantity(a, _)) = args[0] else {
        return None;
    };
    match args[1] {
        Value::Ext(Ext::Quantity(b, _)) => Some((a, b.clone())),
        Value::Int(b) => Some((a, Quantity::from_int(b, Format::DecimalExponent))),
        _ => None,
    }
}

fn add<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match operands(args) {
        Some((a, b)) => cx.ext(Ext::Quantity(a.add(&b), true)),
        None => cx.no_overload(),
    })
}

fn sub<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match operands(args) {
        Some((a, b)) => cx.ext(Ext::Quantity(a.sub(&b), true)),
        None => cx.no_overload(),
    })
}
