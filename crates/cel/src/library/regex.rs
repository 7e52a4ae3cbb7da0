//! `matches`, `find` and `findAll`; constant patterns are compiled when the program is planned.

use kindsmith_gostd::regexp::Regexp;

use crate::eval::context::{Context, Eval, Stop};
use crate::eval::value::Value;

use super::{Binding, Definition, Op, Trait, function, global, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    Definition {
        name: "matches",
        binding: Binding::Singleton(Op::Eager(matches), Some(Trait::Matcher)),
        overloads: &[
            global("matches", "(string, string) -> bool", Op::None),
            method("matches_string", "(string, string) -> bool", Op::None),
        ],
    },
    function(
        "find",
        &[method(
            "string_find_string",
            "(string, string) -> string",
            Op::Eager(find),
        )],
    ),
    function(
        "findAll",
        &[
            method(
                "string_find_all_string",
                "(string, string) -> list(string)",
                Op::Eager(find_all),
            ),
            method(
                "string_find_all_string_int",
                "(string, string, int) -> list(string)",
                Op::Sequential(find_all),
            ),
        ],
    ),
];

fn matches<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::String(text), Value::String(pattern)) = (args[0], args[1]) else {
        return Ok(cx.no_overload_for(args[1]));
    };
    Ok(match Regexp::new(pattern) {
        Ok(regex) => {
            cx.pay(regex.memory())?;
            Value::Bool(regex.is_match(text))
        }
        Err(error) => cx.error(&error.to_string()),
    })
}

/// The text and compiled pattern of a search.
fn compile<'a>(
    cx: &mut Context<'a>,
    args: &[Value<'a>],
) -> Result<Result<(&'a str, Regexp), Value<'a>>, Stop> {
    let (Value::String(text), Value::String(pattern)) = (args[0], args[1]) else {
        return Ok(Err(cx.no_overload()));
    };
    match Regexp::new(pattern) {
        Ok(regex) => {
            cx.pay(regex.memory())?;
            Ok(Ok((text, regex)))
        }
        Err(error) => Ok(Err(cx.error(&format!("Illegal regex: {error}")))),
    }
}

fn find<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match compile(cx, args)? {
        Ok((text, regex)) => Value::String(regex.find(text).map_or("", |range| &text[range])),
        Err(error) => error,
    })
}

fn find_all<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let limit = match args.get(2) {
        Some(Value::Int(limit)) => usize::try_from(*limit).ok(),
        _ => None,
    };
    Ok(match compile(cx, args)? {
        Ok((text, regex)) => {
            let found: Vec<Value<'a>> = regex
                .find_all(text, limit)
                .into_iter()
                .map(|range| Value::String(&text[range]))
                .collect();
            cx.list(&found)
        }
        Err(error) => error,
    })
}
