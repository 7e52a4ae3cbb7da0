//! Type conversions: `int`, `string`, `dyn`, `type` and the like.

use crate::eval::context::{Context, Eval};
use crate::eval::convert;
use crate::eval::value::{Ext, Value};

use super::{Binding, Definition, Op, function, global};

pub(super) const FUNCTIONS: &[Definition] = &[
    Definition {
        name: "type",
        binding: Binding::Singleton(Op::Eager(to_type), None),
        overloads: &[global("type", "(A) -> type(A)", Op::None)],
    },
    Definition {
        name: "dyn",
        binding: Binding::Singleton(Op::Eager(identity), None),
        overloads: &[global("to_dyn", "(A) -> dyn", Op::None)],
    },
    function(
        "bool",
        &[
            global("bool_to_bool", "(bool) -> bool", Op::Eager(identity)),
            global("string_to_bool", "(string) -> bool", Op::Eager(to_bool)),
        ],
    ),
    function(
        "bytes",
        &[
            global("bytes_to_bytes", "(bytes) -> bytes", Op::Eager(identity)),
            global("string_to_bytes", "(string) -> bytes", Op::Eager(to_bytes)),
        ],
    ),
    function(
        "double",
        &[
            global("double_to_double", "(double) -> double", Op::Eager(identity)),
            global("int64_to_double", "(int) -> double", Op::Eager(to_double)),
            global("string_to_double", "(string) -> double", Op::Eager(to_double)),
            global("uint64_to_double", "(uint) -> double", Op::Eager(to_double)),
        ],
    ),
    function(
        "duration",
        &[
            global(
                "duration_to_duration",
                "(duration) -> duration",
                Op::Eager(identity),
            ),
            global("int64_to_duration", "(int) -> duration", Op::Eager(to_duration)),
            global(
                "string_to_duration",
                "(string) -> duration",
                Op::Eager(to_duration),
            ),
        ],
    ),
    function(
        "int",
        &[
            global("int64_to_int64", "(int) -> int", Op::Eager(identity)),
            global("double_to_int64", "(double) -> int", Op::Eager(to_int)),
            global("duration_to_int64", "(duration) -> int", Op::Eager(to_int)),
            global("string_to_int64", "(string) -> int", Op::Eager(to_int)),
            global("timestamp_to_int64", "(timestamp) -> int", Op::Eager(to_int)),
            global("uint64_to_int64", "(uint) -> int", Op::Eager(to_int)),
        ],
    ),
    function(
        "string",
        &[
            global("string_to_string", "(string) -> string", Op::Eager(identity)),
            global("bool_to_string", "(bool) -> string", Op::Eager(to_string)),
            global("bytes_to_string", "(bytes) -> string", Op::Eager(to_string)),
            global("double_to_string", "(double) -> string", Op::Eager(to_string)),
            global("duration_to_string", "(duration) -> string", Op::Eager(to_string)),
            global("int64_to_string", "(int) -> string", Op::Eager(to_string)),
            global(
                "timestamp_to_string",
                "(timestamp) -> string",
                Op::Eager(to_string),
            ),
            global("uint64_to_string", "(uint) -> string", Op::Eager(to_string)),
            global("ip_to_string", "(net.IP) -> string", Op::Eager(ext_to_string)),
            global("cidr_to_string", "(net.CIDR) -> string", Op::Eager(ext_to_string)),
        ],
    ),
    function(
        "timestamp",
        &[
            global(
                "timestamp_to_timestamp",
                "(timestamp) -> timestamp",
                Op::Eager(identity),
            ),
            global(
                "int64_to_timestamp",
                "(int) -> timestamp",
                Op::Eager(to_timestamp),
            ),
            global(
                "string_to_timestamp",
                "(string) -> timestamp",
                Op::Eager(to_timestamp),
            ),
        ],
    ),
    function(
        "uint",
        &[
            global("uint64_to_uint64", "(uint) -> uint", Op::Eager(identity)),
            global("double_to_uint64", "(double) -> uint", Op::Eager(to_uint)),
            global("int64_to_uint64", "(int) -> uint", Op::Eager(to_uint)),
            global("string_to_uint64", "(string) -> uint", Op::Eager(to_uint)),
        ],
    ),
];

fn identity<'a>(_: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(args[0])
}

fn to_type<'a>(_: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(Value::Type(args[0].type_name()))
}

fn to_bool<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(convert::to_bool(cx, args[0]))
}

fn to_bytes<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(convert::to_bytes(cx, args[0]))
}

fn to_double<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(convert::to_double(cx, args[0]))
}

fn to_duration<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(convert::to_duration(cx, args[0]))
}

fn to_int<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(convert::to_int(cx, args[0]))
}

fn to_uint<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(convert::to_uint(cx, args[0]))
}

fn to_string<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(convert::to_string(cx, args[0]))
}

fn to_timestamp<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(convert::to_timestamp(cx, args[0]))
}

fn ext_to_string<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match args[0] {
        Value::Ext(ext @ (Ext::Ip(_) | Ext::Cidr(_))) => {
            let text = ext.to_string();
            cx.string(&text)
        }
        other => cx.no_overload_for(other),
    })
}
