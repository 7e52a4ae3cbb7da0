//! `contains`, `startsWith`, `endsWith`, `indexOf`, `lastIndexOf`. Positions count code points.

use crate::eval::context::{Context, Eval};
use crate::eval::value::Value;

use super::{Binding, Definition, Op, function, kubernetes_lists, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    unguarded(
        "contains",
        &[method(
            "contains_string",
            "(string, string) -> bool",
            Op::Eager(contains),
        )],
    ),
    unguarded(
        "endsWith",
        &[method(
            "ends_with_string",
            "(string, string) -> bool",
            Op::Eager(ends_with),
        )],
    ),
    unguarded(
        "startsWith",
        &[method(
            "starts_with_string",
            "(string, string) -> bool",
            Op::Eager(starts_with),
        )],
    ),
    function(
        "indexOf",
        &[
            method(
                "string_index_of_string",
                "(string, string) -> int",
                Op::Eager(index_of),
            ),
            method(
                "string_index_of_string_int",
                "(string, string, int) -> int",
                Op::Sequential(index_of),
            ),
            method(
                "list_a_index_of_int",
                "(list(A), A) -> int",
                Op::Eager(kubernetes_lists::index_of),
            ),
        ],
    ),
    function(
        "lastIndexOf",
        &[
            method(
                "string_last_index_of_string",
                "(string, string) -> int",
                Op::Eager(last_index_of),
            ),
            method(
                "string_last_index_of_string_int",
                "(string, string, int) -> int",
                Op::Sequential(last_index_of),
            ),
            method(
                "list_a_last_index_of_int",
                "(list(A), A) -> int",
                Op::Eager(kubernetes_lists::last_index_of),
            ),
        ],
    ),
];

const fn unguarded(name: &'static str, overloads: &'static [super::OverloadDefinition]) -> Definition {
    Definition {
        name,
        binding: Binding::Unguarded,
        overloads,
    }
}

fn texts<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Result<(&'a str, &'a str), Value<'a>> {
    match (args[0], args[1]) {
        (Value::String(text), Value::String(part)) => Ok((text, part)),
        (Value::String(_), other) | (other, _) => Err(cx.no_overload_for(other)),
    }
}

fn contains<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(texts(cx, args).map_or_else(|error| error, |(text, part)| Value::Bool(text.contains(part))))
}

fn ends_with<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(texts(cx, args).map_or_else(|error| error, |(text, part)| Value::Bool(text.ends_with(part))))
}

fn starts_with<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(texts(cx, args).map_or_else(|error| error, |(text, part)| Value::Bool(text.starts_with(part))))
}

fn out_of_range<'a>(cx: &mut Context<'a>, at: i64) -> Value<'a> {
    cx.error(&format!("index out of range: {at}"))
}

fn index_of<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (text, part) = match texts(cx, args) {
        Ok(texts) => texts,
        Err(error) => return Ok(error),
    };
    let from = match args.get(2) {
        Some(Value::Int(from)) => *from,
        _ => 0,
    };
    if from < 0 {
        return Ok(out_of_range(cx, from));
    }
    let length = text.chars().count() as i64;
    if part.is_empty() {
        return Ok(Value::Int(from.min(length)));
    }
    if from >= length {
        return Ok(Value::Int(-1));
    }
    let start = text
        .char_indices()
        .nth(from as usize)
        .map_or(text.len(), |(at, _)| at);
    let found = text[start..]
        .find(part)
        .map(|at| from + text[start..start + at].chars().count() as i64);
    Ok(Value::Int(found.unwrap_or(-1)))
}

fn last_index_of<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (text, part) = match texts(cx, args) {
        Ok(texts) => texts,
        Err(error) => return Ok(error),
    };
    let (length, part_length) = (text.chars().count() as i64, part.chars().count() as i64);
    let from = match args.get(2) {
        Some(Value::Int(from)) => *from,
        _ if part.is_empty() => length,
        _ if text.len() < part.len() => return Ok(Value::Int(-1)),
        _ => length - 1,
    };
    if from < 0 {
        return Ok(out_of_range(cx, from));
    }
    if part.is_empty() {
        return Ok(Value::Int(from.min(length)));
    }
    if from >= length || part_length > length {
        return Ok(Value::Int(-1));
    }
    // The match must start at `from` or before it.
    let last_start = from.min(length - part_length) as usize;
    let end = text
        .char_indices()
        .nth(last_start + part_length as usize)
        .map_or(text.len(), |(at, _)| at);
    let found = text[..end]
        .rfind(part)
        .map(|at| text[..at].chars().count() as i64);
    Ok(Value::Int(found.unwrap_or(-1)))
}
