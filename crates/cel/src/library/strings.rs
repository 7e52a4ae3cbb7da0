//! The strings extension: `charAt`, `lowerAscii`, `replace`, `split`, `substring`, `trim`, `join`, `format` and more.

use crate::eval::context::{Context, Eval};
use crate::eval::list;
use crate::eval::value::Value;

use super::{Definition, Op, function, global, method, print};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "charAt",
        &[method(
            "string_char_at_int",
            "(string, int) -> string",
            Op::Eager(char_at),
        )],
    ),
    function(
        "lowerAscii",
        &[method(
            "string_lower_ascii",
            "(string) -> string",
            Op::Eager(lower),
        )],
    ),
    function(
        "upperAscii",
        &[method(
            "string_upper_ascii",
            "(string) -> string",
            Op::Eager(upper),
        )],
    ),
    function(
        "trim",
        &[method("string_trim", "(string) -> string", Op::Eager(trim))],
    ),
    function(
        "replace",
        &[
            method(
                "string_replace_string_string",
                "(string, string, string) -> string",
                Op::Sequential(replace),
            ),
            method(
                "string_replace_string_string_int",
                "(string, string, string, int) -> string",
                Op::Sequential(replace),
            ),
        ],
    ),
    function(
        "split",
        &[
            method(
                "string_split_string",
                "(string, string) -> list(string)",
                Op::Eager(split),
            ),
            method(
                "string_split_string_int",
                "(string, string, int) -> list(string)",
                Op::Sequential(split),
            ),
        ],
    ),
    function(
        "substring",
        &[
            method(
                "string_substring_int",
                "(string, int) -> string",
                Op::Eager(substring),
            ),
            method(
                "string_substring_int_int",
                "(string, int, int) -> string",
                Op::Sequential(substring),
            ),
        ],
    ),
    function(
        "join",
        &[
            method("list_join", "(list(string)) -> string", Op::Eager(join)),
            method(
                "list_join_string",
                "(list(string), string) -> string",
                Op::Eager(join),
            ),
        ],
    ),
    function(
        "format",
        &[method(
            "string_format",
            "(string, list(dyn)) -> string",
            Op::Sequential(print::format),
        )],
    ),
    function(
        "strings.quote",
        &[global("strings_quote", "(string) -> string", Op::Eager(quote))],
    ),
];

fn text<'a>(cx: &mut Context<'a>, value: Value<'a>) -> Result<&'a str, Value<'a>> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(cx.no_overload_for(other)),
    }
}

fn out_of_range<'a>(cx: &mut Context<'a>, at: i64) -> Value<'a> {
    cx.error(&format!("index out of range: {at}"))
}

/// The byte position of a code point, or of the end.
fn byte_at(text: &str, position: i64) -> Option<usize> {
    let position = usize::try_from(position).ok()?;
    text.char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .nth(position)
}

fn char_at<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::String(text), Value::Int(position)) = (args[0], args[1]) else {
        return Ok(cx.no_overload());
    };
    Ok(match byte_at(text, position) {
        Some(at) => {
            let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            Value::String(&text[at..end])
        }
        None => out_of_range(cx, position),
    })
}

fn lower<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match text(cx, args[0]) {
        Ok(text) => {
            cx.room_for(text.len())?;
            cx.string(&text.to_ascii_lowercase())
        }
        Err(error) => error,
    })
}

fn upper<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match text(cx, args[0]) {
        Ok(text) => {
            cx.room_for(text.len())?;
            cx.string(&text.to_ascii_uppercase())
        }
        Err(error) => error,
    })
}

fn trim<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    // Go and Rust have the same definition of white space.
    Ok(text(cx, args[0]).map_or_else(|error| error, |text| Value::String(text.trim())))
}

fn replace<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::String(text), Value::String(old), Value::String(new)) = (args[0], args[1], args[2]) else {
        return Ok(cx.no_overload());
    };
    let limit = match args.get(3) {
        Some(Value::Int(limit)) if *limit >= 0 => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let times = text.matches(old).take(limit).count();
    let length = text.len() - times * old.len();
    cx.room_for(length.saturating_add(times.saturating_mul(new.len())))?;
    Ok(cx.string(&text.replacen(old, new, limit)))
}

fn split<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::String(text), Value::String(separator)) = (args[0], args[1]) else {
        return Ok(cx.no_overload());
    };
    let limit = match args.get(2) {
        Some(Value::Int(limit)) => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let most = text.len().min(limit).saturating_add(1);
    cx.room_for(match separator {
        "" => most.saturating_mul(size_of::<Value<'_>>()),
        _ => text.matches(separator).take(most).count() * size_of::<Value<'_>>(),
    })?;
    let parts: Vec<Value<'a>> = match (limit, separator) {
        (0, _) => Vec::new(),
        (_, "") => characters(text, limit),
        _ => text.splitn(limit, separator).map(Value::String).collect(),
    };
    Ok(cx.list(&parts))
}

/// The characters of a text; the last part is the rest of it.
fn characters(text: &str, limit: usize) -> Vec<Value<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if parts.len() + 1 == limit {
            parts.push(Value::String(rest));
            break;
        }
        let (head, tail) = rest.split_at(c.len_utf8());
        parts.push(Value::String(head));
        rest = tail;
    }
    parts
}

fn substring<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::String(text), Value::Int(start)) = (args[0], args[1]) else {
        return Ok(cx.no_overload());
    };
    let end = match args.get(2) {
        Some(Value::Int(end)) => Some(*end),
        _ => None,
    };
    if let Some(end) = end.filter(|end| start > *end) {
        return Ok(cx.error(&format!("invalid substring range. start: {start}, end: {end}")));
    }
    let Some(from) = byte_at(text, start) else {
        return Ok(out_of_range(cx, start));
    };
    let to = match end {
        None => text.len(),
        Some(end) => match byte_at(text, end) {
            Some(at) => at,
            None => return Ok(out_of_range(cx, end)),
        },
    };
    Ok(Value::String(&text[from..to]))
}

fn join<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let separator = match args.get(1) {
        Some(Value::String(separator)) => separator,
        _ => "",
    };
    let mut joined = String::new();
    for (at, element) in list::elements(cx, args[0]).into_iter().enumerate() {
        if at > 0 {
            joined.push_str(separator);
        }
        match element {
            Value::String(text) => {
                cx.room_for(joined.len() + text.len())?;
                joined.push_str(text);
            }
            other => {
                let text = format!("join: invalid input: {}", crate::eval::describe_value(other));
                return Ok(cx.error(&text));
            }
        }
    }
    Ok(cx.string(&joined))
}

fn quote<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let text = match text(cx, args[0]) {
        Ok(text) => text,
        Err(error) => return Ok(error),
    };
    cx.room_for(text.len())?;
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    Ok(cx.string(&quoted))
}
