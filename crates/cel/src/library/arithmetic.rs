//! `+ - * / %` and negation: overflow and division by zero are errors, operand types must agree.

use crate::eval::context::{Context, Eval};
use crate::eval::list;
use crate::eval::time::{MAX_SECONDS, MIN_SECONDS};
use crate::eval::value::{Time, Value};

use super::{Binding, Definition, Op, Trait, global};

pub(super) const FUNCTIONS: &[Definition] = &[
    Definition {
        name: "_+_",
        binding: Binding::Singleton(Op::Eager(add), Some(Trait::Adder)),
        overloads: &[
            global("add_bytes", "(bytes, bytes) -> bytes", Op::None),
            global("add_double", "(double, double) -> double", Op::None),
            global(
                "add_duration_duration",
                "(duration, duration) -> duration",
                Op::None,
            ),
            global(
                "add_duration_timestamp",
                "(duration, timestamp) -> timestamp",
                Op::None,
            ),
            global(
                "add_timestamp_duration",
                "(timestamp, duration) -> timestamp",
                Op::None,
            ),
            global("add_int64", "(int, int) -> int", Op::None),
            global("add_list", "(list(A), list(A)) -> list(A)", Op::None),
            global("add_string", "(string, string) -> string", Op::None),
            global("add_uint64", "(uint, uint) -> uint", Op::None),
        ],
    },
    Definition {
        name: "_-_",
        binding: Binding::Singleton(Op::Eager(subtract), Some(Trait::Subtractor)),
        overloads: &[
            global("subtract_double", "(double, double) -> double", Op::None),
            global(
                "subtract_duration_duration",
                "(duration, duration) -> duration",
                Op::None,
            ),
            global("subtract_int64", "(int, int) -> int", Op::None),
            global(
                "subtract_timestamp_duration",
                "(timestamp, duration) -> timestamp",
                Op::None,
            ),
            global(
                "subtract_timestamp_timestamp",
                "(timestamp, timestamp) -> duration",
                Op::None,
            ),
            global("subtract_uint64", "(uint, uint) -> uint", Op::None),
        ],
    },
    Definition {
        name: "_*_",
        binding: Binding::Singleton(Op::Eager(multiply), Some(Trait::Multiplier)),
        overloads: &[
            global("multiply_double", "(double, double) -> double", Op::None),
            global("multiply_int64", "(int, int) -> int", Op::None),
            global("multiply_uint64", "(uint, uint) -> uint", Op::None),
        ],
    },
    Definition {
        name: "_/_",
        binding: Binding::Singleton(Op::Eager(divide), Some(Trait::Divider)),
        overloads: &[
            global("divide_double", "(double, double) -> double", Op::None),
            global("divide_int64", "(int, int) -> int", Op::None),
            global("divide_uint64", "(uint, uint) -> uint", Op::None),
        ],
    },
    Definition {
        name: "_%_",
        binding: Binding::Singleton(Op::Eager(modulo), Some(Trait::Modder)),
        overloads: &[
            global("modulo_int64", "(int, int) -> int", Op::None),
            global("modulo_uint64", "(uint, uint) -> uint", Op::None),
        ],
    },
    Definition {
        name: "-_",
        binding: Binding::Singleton(Op::Eager(negate), Some(Trait::Negator)),
        overloads: &[
            global("negate_double", "(double) -> double", Op::None),
            global("negate_int64", "(int) -> int", Op::None),
        ],
    },
];

const INT_OVERFLOW: &str = "integer overflow";
const UINT_OVERFLOW: &str = "unsigned integer overflow";
const DIVISION_BY_ZERO: &str = "division by zero";
const MODULUS_BY_ZERO: &str = "modulus by zero";
const TIMESTAMP_OVERFLOW: &str = "timestamp overflow";

const NANOS: i64 = 1_000_000_000;

fn int<'a>(cx: &mut Context<'a>, result: Option<i64>) -> Value<'a> {
    result.map_or_else(|| cx.error(INT_OVERFLOW), Value::Int)
}

fn uint<'a>(cx: &mut Context<'a>, result: Option<u64>) -> Value<'a> {
    result.map_or_else(|| cx.error(UINT_OVERFLOW), Value::Uint)
}

fn duration<'a>(cx: &mut Context<'a>, result: Option<i64>) -> Value<'a> {
    result.map_or_else(|| cx.error(INT_OVERFLOW), Value::Duration)
}

pub(crate) fn add<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match (args[0], args[1]) {
        (Value::Int(a), Value::Int(b)) => int(cx, a.checked_add(b)),
        (Value::Uint(a), Value::Uint(b)) => uint(cx, a.checked_add(b)),
        (Value::Double(a), Value::Double(b)) => Value::Double(a + b),
        (Value::String(a), Value::String(b)) => {
            cx.pay(a.len() + b.len())?;
            let joined = cx.arena.alloc_slice_fill_copy(a.len() + b.len(), 0u8);
            joined[..a.len()].copy_from_slice(a.as_bytes());
            joined[a.len()..].copy_from_slice(b.as_bytes());
            // Two texts joined are valid UTF-8.
            Value::String(std::str::from_utf8(joined).unwrap_or_default())
        }
        (Value::Bytes(a), Value::Bytes(b)) => {
            cx.pay(a.len() + b.len())?;
            Value::Bytes(cx.arena.alloc_slice_copy(&[a, b].concat()))
        }
        (Value::Duration(a), Value::Duration(b)) => duration(cx, a.checked_add(b)),
        (Value::Duration(d), Value::Timestamp(t)) | (Value::Timestamp(t), Value::Duration(d)) => {
            shift(cx, t, d)
        }
        (left, right) if left.is_list() && right.is_list() => list::concat(cx, left, right)?,
        (_, right) => cx.no_overload_for(right),
    })
}

fn subtract<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match (args[0], args[1]) {
        (Value::Int(a), Value::Int(b)) => int(cx, a.checked_sub(b)),
        (Value::Uint(a), Value::Uint(b)) => uint(cx, a.checked_sub(b)),
        (Value::Double(a), Value::Double(b)) => Value::Double(a - b),
        (Value::Duration(a), Value::Duration(b)) => duration(cx, a.checked_sub(b)),
        (Value::Timestamp(t), Value::Duration(d)) => match d.checked_neg() {
            Some(d) => shift(cx, t, d),
            None => cx.error(INT_OVERFLOW),
        },
        (Value::Timestamp(a), Value::Timestamp(b)) => {
            let seconds = a
                .seconds
                .checked_sub(b.seconds)
                .and_then(|s| s.checked_mul(NANOS));
            let nanos = i64::from(a.nanos) - i64::from(b.nanos);
            duration(cx, seconds.and_then(|s| s.checked_add(nanos)))
        }
        (_, right) => cx.no_overload_for(right),
    })
}

/// A time moved by a duration, within the years 1 to 9999.
fn shift<'a>(cx: &mut Context<'a>, time: Time, by: i64) -> Value<'a> {
    let nanos = i64::from(time.nanos) + by.rem_euclid(NANOS);
    let Some(seconds) = time.seconds.checked_add(by.div_euclid(NANOS) + nanos / NANOS) else {
        return cx.error(INT_OVERFLOW);
    };
    if !(MIN_SECONDS..=MAX_SECONDS).contains(&seconds) {
        return cx.error(TIMESTAMP_OVERFLOW);
    }
    Value::Timestamp(Time {
        seconds,
        nanos: (nanos % NANOS) as u32,
        offset: time.offset,
    })
}

fn multiply<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match (args[0], args[1]) {
        (Value::Int(a), Value::Int(b)) => int(cx, a.checked_mul(b)),
        (Value::Uint(a), Value::Uint(b)) => uint(cx, a.checked_mul(b)),
        (Value::Double(a), Value::Double(b)) => Value::Double(a * b),
        (_, right) => cx.no_overload_for(right),
    })
}

fn divide<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match (args[0], args[1]) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => cx.error(DIVISION_BY_ZERO),
        (Value::Int(a), Value::Int(b)) => int(cx, a.checked_div(b)),
        (Value::Uint(a), Value::Uint(b)) => uint(cx, a.checked_div(b)),
        (Value::Double(a), Value::Double(b)) => Value::Double(a / b),
        (_, right) => cx.no_overload_for(right),
    })
}

fn modulo<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match (args[0], args[1]) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => cx.error(MODULUS_BY_ZERO),
        (Value::Int(a), Value::Int(b)) => int(cx, a.checked_rem(b)),
        (Value::Uint(a), Value::Uint(b)) => uint(cx, a.checked_rem(b)),
        (_, right) => cx.no_overload_for(right),
    })
}

fn negate<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match args[0] {
        Value::Int(i) => int(cx, i.checked_neg()),
        Value::Double(d) => Value::Double(-d),
        Value::Duration(d) => duration(cx, d.checked_neg()),
        other => cx.no_overload_for(other),
    })
}
