//! `size` and `x.size()`: characters, bytes, elements or entries.

use crate::eval::context::{Context, Eval};
use crate::eval::value::Value;

use super::{Binding, Definition, Op, Trait, global, method};

pub(super) const FUNCTIONS: &[Definition] = &[Definition {
    name: "size",
    binding: Binding::Singleton(Op::Eager(size), Some(Trait::Sizer)),
    overloads: &[
        global("size_bytes", "(bytes) -> int", Op::None),
        method("bytes_size", "(bytes) -> int", Op::None),
        global("size_list", "(list(A)) -> int", Op::None),
        method("list_size", "(list(A)) -> int", Op::None),
        global("size_map", "(map(A, B)) -> int", Op::None),
        method("map_size", "(map(A, B)) -> int", Op::None),
        global("size_string", "(string) -> int", Op::None),
        method("string_size", "(string) -> int", Op::None),
    ],
}];

fn size<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    Ok(match args[0].size() {
        Some(size) => Value::Int(size as i64),
        None => cx.no_overload_for(args[0]),
    })
}
