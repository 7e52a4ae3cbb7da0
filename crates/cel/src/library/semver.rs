//! Semantic versions: `semver`, `isSemver`, parts. Comparisons are declared with those of quantities.

use std::cmp::Ordering;

use kindsmith_formats::semver::Version;

use crate::eval::context::{Context, Eval};
use crate::eval::value::{Ext, Value};

use super::{Definition, Op, function, global, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "semver",
        &[
            global(
                "string_to_semver",
                "(string) -> kubernetes.Semver",
                Op::Eager(semver),
            ),
            global(
                "string_bool_to_semver",
                "(string, bool) -> kubernetes.Semver",
                Op::Eager(semver),
            ),
        ],
    ),
    function(
        "isSemver",
        &[
            global("is_semver_string", "(string) -> bool", Op::Eager(is_semver)),
            global(
                "is_semver_string_bool",
                "(string, bool) -> bool",
                Op::Eager(is_semver),
            ),
        ],
    ),
    function(
        "major",
        &[method(
            "semver_major",
            "(kubernetes.Semver) -> int",
            Op::Eager(major),
        )],
    ),
    function(
        "minor",
        &[method(
            "semver_minor",
            "(kubernetes.Semver) -> int",
            Op::Eager(minor),
        )],
    ),
    function(
        "patch",
        &[method(
            "semver_patch",
            "(kubernetes.Semver) -> int",
            Op::Eager(patch),
        )],
    ),
];

/// Parses the version in the first argument; the second one enables normalization.
fn parse(args: &[Value<'_>]) -> Option<Result<Version, String>> {
    let Value::String(text) = args[0] else { return None };
    let result = match args.get(1) {
        Some(Value::Bool(true)) => Version::parse_normalized(text),
        _ => Version::parse(text),
    };
    Some(result.map_err(|error| error.to_string()))
}

fn semver<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match parse(args) {
        Some(Ok(version)) => cx.ext(Ext::Semver(version)),
        Some(Err(error)) => cx.error(&error),
        None => cx.no_overload_for(args[0]),
    })
}

fn is_semver<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match parse(args) {
        Some(result) => Value::Bool(result.is_ok()),
        None => cx.no_overload_for(args[0]),
    })
}

fn part<'a>(cx: &mut Context<'a>, args: &[Value<'a>], part: fn(&Version) -> u64) -> Eval<'a> {
    let Value::Ext(Ext::Semver(version)) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    Ok(Value::Int(part(version) as i64))
}

fn major<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    part(cx, args, |version| version.major)
}

fn minor<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    part(cx, args, |version| version.minor)
}

fn patch<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    part(cx, args, |version| version.patch)
}

fn order<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Result<Ordering, Value<'a>> {
    match (args[0], args[1]) {
        (Value::Ext(Ext::Semver(a)), Value::Ext(Ext::Semver(b))) => Ok(a.cmp(b)),
        _ => Err(cx.no_overload()),
    }
}

pub(super) fn is_greater<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(order(cx, args).map_or_else(|error| error, |order| Value::Bool(order.is_gt())))
}

pub(super) fn is_less<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(order(cx, args).map_or_else(|error| error, |order| Value::Bool(order.is_lt())))
}

pub(super) fn compare_to<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(order(cx, args).map_or_else(|error| error, |order| Value::Int(order as i64)))
}
