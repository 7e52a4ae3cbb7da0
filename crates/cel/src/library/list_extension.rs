//! `slice`, `flatten`, `reverse`, `distinct` and `lists.range` (cel-go `ext/lists.go`).

use crate::eval::context::{Context, Eval};
use crate::eval::equal::is_equal;
use crate::eval::list;
use crate::eval::value::Value;

use super::{Binding, Definition, Op, function, global, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    function(
        "slice",
        &[method(
            "list_slice",
            "(list(T), int, int) -> list(T)",
            Op::Sequential(slice),
        )],
    ),
    Definition {
        name: "flatten",
        binding: Binding::Unguarded,
        overloads: &[
            method("list_flatten", "(list(list(T))) -> list(T)", Op::Eager(flatten)),
            method(
                "list_flatten_int",
                "(list(dyn), int) -> list(dyn)",
                Op::Eager(flatten),
            ),
        ],
    },
    function(
        "lists.range",
        &[global("lists_range", "(int) -> list(int)", Op::Eager(range))],
    ),
    function(
        "reverse",
        &[method("list_reverse", "(list(T)) -> list(T)", Op::Eager(reverse))],
    ),
    function(
        "distinct",
        &[method(
            "list_distinct",
            "(list(T)) -> list(T)",
            Op::Eager(distinct),
        )],
    ),
];

const MAX_RANGE: i64 = 1_000_000;
/// Data and types never nest this deeply.
const MAX_FLATTEN_DEPTH: i64 = 1000;

fn slice<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (Value::Int(start), Value::Int(end)) = (args[1], args[2]) else {
        return Ok(cx.no_overload());
    };
    let length = list::len(args[0]) as i64;
    let problem = if start < 0 || end < 0 {
        "negative indexes not supported".to_owned()
    } else if start > end {
        "start index must be less than or equal to end index".to_owned()
    } else if length < end {
        format!("list is length {length}")
    } else {
        cx.room_for((end - start) as usize * size_of::<Value<'_>>())?;
        let part: Vec<Value<'a>> = (start..end)
            .map(|at| list::get(cx, args[0], at as usize))
            .collect();
        return Ok(cx.list(&part));
    };
    Ok(cx.error(&format!("cannot slice({start}, {end}), {problem}")))
}

fn flatten<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    if !args[0].is_list() {
        let text = format!("no such overload: {}.flatten()", args[0].type_name());
        return Ok(cx.error(&text));
    }
    let depth = match args.get(1) {
        None => 1,
        Some(Value::Int(depth)) => *depth,
        Some(other) => {
            let text = format!(
                "no such overload: {}.flatten({})",
                args[0].type_name(),
                other.type_name()
            );
            return Ok(cx.error(&text));
        }
    };
    if depth < 0 {
        return Ok(cx.error("level must be non-negative"));
    }
    let mut flat = Vec::new();
    flatten_into(cx, args[0], depth.min(MAX_FLATTEN_DEPTH), &mut flat);
    Ok(cx.list(&flat))
}

fn flatten_into<'a>(cx: &mut Context<'a>, list: Value<'a>, depth: i64, out: &mut Vec<Value<'a>>) {
    for at in 0..list::len(list) {
        if !cx.visit() || !cx.has_room(size_of_val(&**out)) {
            return;
        }
        let element = list::get(cx, list, at);
        if element.is_list() && depth > 0 {
            flatten_into(cx, element, depth - 1, out);
        } else {
            out.push(element);
        }
    }
}

fn range<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let Value::Int(n) = args[0] else {
        return Ok(cx.no_overload_for(args[0]));
    };
    if n < 0 {
        return Ok(cx.error(&format!("lists.range: size must be non-negative, got {n}")));
    }
    if n > MAX_RANGE {
        return Ok(cx.error(&format!(
            "lists.range: size {n} exceeds maximum allowed ({MAX_RANGE})"
        )));
    }
    cx.room_for(n as usize * size_of::<Value<'_>>())?;
    let numbers: Vec<Value<'a>> = (0..n).map(Value::Int).collect();
    Ok(cx.list(&numbers))
}

fn reverse<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let mut elements = list::elements(cx, args[0]);
    elements.reverse();
    Ok(cx.list(&elements))
}

fn distinct<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    if list::len(args[0]) == 0 {
        return Ok(args[0]);
    }
    let mut unique: Vec<Value<'a>> = Vec::new();
    for (position, element) in list::elements(cx, args[0]).into_iter().enumerate() {
        // The element at the same position is skipped, as in cel-go.
        if !cx.visit() {
            break;
        }
        let seen = (0..unique.len()).any(|at| at != position && is_equal(cx, element, unique[at]));
        if !seen {
            unique.push(element);
        }
    }
    Ok(cx.list(&unique))
}
