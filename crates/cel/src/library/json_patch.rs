//! `jsonpatch.escapeKey`: a key as a step of a JSON pointer.

use crate::eval::context::{Context, Eval};
use crate::eval::value::Value;

use super::{Definition, Op, function, global};

pub(super) const FUNCTIONS: &[Definition] = &[function(
    "jsonpatch.escapeKey",
    &[global(
        "string_jsonpatch_escapeKey_string",
        "(string) -> string",
        Op::Eager(escape_key),
    )],
)];

fn escape_key<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::String(key) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    let escaped = key.replace('~', "~0").replace('/', "~1");
    Ok(cx.string(&escaped))
}
