//! Logic and access operators. Most have program nodes instead of implementations, since they evaluate operands lazily.

use crate::eval::context::{Context, Eval};
use crate::eval::value::Value;
use crate::eval::{equal, list};

use super::{Binding, Definition, Op, global};

pub(super) const FUNCTIONS: &[Definition] = &[
    planned("_?_:_", &[global("conditional", "(bool, A, A) -> A", Op::None)]),
    planned("_&&_", &[global("logical_and", "(bool, bool) -> bool", Op::None)]),
    planned("_||_", &[global("logical_or", "(bool, bool) -> bool", Op::None)]),
    planned("_==_", &[global("equals", "(A, A) -> bool", Op::None)]),
    planned("_!=_", &[global("not_equals", "(A, A) -> bool", Op::None)]),
    planned(
        "_?._",
        &[global(
            "select_optional_field",
            "(dyn, string) -> optional(V)",
            Op::None,
        )],
    ),
    planned(
        "_[_]",
        &[
            global("index_list", "(list(A), int) -> A", Op::None),
            global("index_map", "(map(A, B), A) -> B", Op::None),
            global(
                "optional_list_index_int",
                "(optional(list(V)), int) -> optional(V)",
                Op::None,
            ),
            global(
                "optional_map_index_value",
                "(optional(map(K, V)), K) -> optional(V)",
                Op::None,
            ),
        ],
    ),
    planned(
        "_[?_]",
        &[
            global(
                "list_optindex_optional_int",
                "(list(V), int) -> optional(V)",
                Op::None,
            ),
            global(
                "optional_list_optindex_optional_int",
                "(optional(list(V)), int) -> optional(V)",
                Op::None,
            ),
            global(
                "map_optindex_optional_value",
                "(map(K, V), K) -> optional(V)",
                Op::None,
            ),
            global(
                "optional_map_optindex_optional_value",
                "(optional(map(K, V)), K) -> optional(V)",
                Op::None,
            ),
        ],
    ),
    Definition {
        name: "!_",
        binding: Binding::Singleton(Op::Eager(not), None),
        overloads: &[global("logical_not", "(bool) -> bool", Op::None)],
    },
    Definition {
        name: "@not_strictly_false",
        binding: Binding::Singleton(Op::NonStrict(not_strictly_false), None),
        overloads: &[global("not_strictly_false", "(bool) -> bool", Op::None)],
    },
    Definition {
        name: "@in",
        binding: Binding::Singleton(Op::Eager(is_in), None),
        overloads: &[
            global("in_list", "(A, list(A)) -> bool", Op::None),
            global("in_map", "(A, map(A, B)) -> bool", Op::None),
        ],
    },
];

const fn planned(name: &'static str, overloads: &'static [super::OverloadDefinition]) -> Definition {
    Definition {
        name,
        binding: Binding::Planned,
        overloads,
    }
}

fn not<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match args[0] {
        Value::Bool(b) => Value::Bool(!b),
        other => cx.no_overload_for(other),
    })
}

fn not_strictly_false<'a>(_: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match args[0] {
        bool @ Value::Bool(_) => bool,
        _ => Value::Bool(true),
    })
}

fn is_in<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    let (element, container) = (args[0], args[1]);
    Ok(if container.is_list() {
        equal::list_contains(cx, container, element)
    } else if container.is_map() {
        list::map_contains(cx, container, element)
    } else {
        cx.no_overload_for(container)
    })
}
