//! `< <= > >=`: numbers of different types compare by value, NaN with nothing.

use std::cmp::Ordering;

use crate::eval::compare_numbers;
use crate::eval::context::{Context, Eval};
use crate::eval::value::Value;

use super::{Binding, Definition, Op, OverloadDefinition, Trait, global};

pub(super) const FUNCTIONS: &[Definition] = &[
    comparison("_<_", Op::Eager(less), LESS),
    comparison("_<=_", Op::Eager(less_equals), LESS_EQUALS),
    comparison("_>=_", Op::Eager(greater_equals), GREATER_EQUALS),
    comparison("_>_", Op::Eager(greater), GREATER),
];

const fn comparison(name: &'static str, op: Op, overloads: &'static [OverloadDefinition]) -> Definition {
    Definition {
        name,
        binding: Binding::Singleton(op, Some(Trait::Comparer)),
        overloads,
    }
}

/// The overloads of one comparison; their names start with its name.
macro_rules! overloads {
    ($name:literal) => {
        &[
            global(concat!($name, "_bool"), "(bool, bool) -> bool", Op::None),
            global(concat!($name, "_int64"), "(int, int) -> bool", Op::None),
            global(concat!($name, "_int64_double"), "(int, double) -> bool", Op::None),
            global(concat!($name, "_int64_uint64"), "(int, uint) -> bool", Op::None),
            global(concat!($name, "_uint64"), "(uint, uint) -> bool", Op::None),
            global(
                concat!($name, "_uint64_double"),
                "(uint, double) -> bool",
                Op::None,
            ),
            global(concat!($name, "_uint64_int64"), "(uint, int) -> bool", Op::None),
            global(concat!($name, "_double"), "(double, double) -> bool", Op::None),
            global(concat!($name, "_double_int64"), "(double, int) -> bool", Op::None),
            global(
                concat!($name, "_double_uint64"),
                "(double, uint) -> bool",
                Op::None,
            ),
            global(concat!($name, "_string"), "(string, string) -> bool", Op::None),
            global(concat!($name, "_bytes"), "(bytes, bytes) -> bool", Op::None),
            global(
                concat!($name, "_timestamp"),
                "(timestamp, timestamp) -> bool",
                Op::None,
            ),
            global(
                concat!($name, "_duration"),
                "(duration, duration) -> bool",
                Op::None,
            ),
        ]
    };
}

const LESS: &[OverloadDefinition] = overloads!("less");
const LESS_EQUALS: &[OverloadDefinition] = overloads!("less_equals");
const GREATER_EQUALS: &[OverloadDefinition] = overloads!("greater_equals");
const GREATER: &[OverloadDefinition] = overloads!("greater");

/// The order of two values, or the error of comparing them.
pub(crate) fn compare<'a>(cx: &mut Context<'a>, a: Value<'a>, b: Value<'a>) -> Result<Ordering, Value<'a>> {
    Ok(match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::Double(d), Value::Double(_) | Value::Int(_) | Value::Uint(_)) if d.is_nan() => {
            return Err(nan(cx));
        }
        (Value::Double(_) | Value::Int(_) | Value::Uint(_), Value::Double(d)) if d.is_nan() => {
            return Err(nan(cx));
        }
        (Value::Double(d), _) if d.is_nan() => return Err(nan(cx)),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(&b),
        (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        (Value::Duration(a), Value::Duration(b)) => a.cmp(&b),
        (Value::Timestamp(a), Value::Timestamp(b)) => a.order(b),
        _ => match compare_numbers(a, b) {
            Some(order) => order,
            None => return Err(cx.no_overload_for(b)),
        },
    })
}

fn nan<'a>(cx: &mut Context<'a>) -> Value<'a> {
    cx.error("NaN values cannot be ordered")
}

fn check<'a>(cx: &mut Context<'a>, args: &[Value<'a>], holds: fn(Ordering) -> bool) -> Eval<'a> {
    Ok(match compare(cx, args[0], args[1]) {
        Ok(order) => Value::Bool(holds(order)),
        Err(error) => error,
    })
}

fn less<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    check(cx, args, Ordering::is_lt)
}

fn less_equals<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    check(cx, args, Ordering::is_le)
}

fn greater_equals<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    check(cx, args, Ordering::is_ge)
}

fn greater<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    check(cx, args, Ordering::is_gt)
}
