//! `sort` and `@sortByAssociatedKeys`, which the macro `sortBy` calls.

use std::cmp::Ordering;

use crate::eval::context::{Context, Eval};
use crate::eval::list;
use crate::eval::value::Value;

use super::compare::compare;
use super::{Binding, Definition, Op, Trait, method};

pub(super) const FUNCTIONS: &[Definition] = &[
    Definition {
        name: "sort",
        binding: Binding::Singleton(Op::Eager(sort), Some(Trait::List)),
        overloads: &[
            method("list_int_sort", "(list(int)) -> list(int)", Op::None),
            method("list_uint_sort", "(list(uint)) -> list(uint)", Op::None),
            method("list_double_sort", "(list(double)) -> list(double)", Op::None),
            method("list_bool_sort", "(list(bool)) -> list(bool)", Op::None),
            method(
                "list_google.protobuf.Duration_sort",
                "(list(duration)) -> list(duration)",
                Op::None,
            ),
            method(
                "list_google.protobuf.Timestamp_sort",
                "(list(timestamp)) -> list(timestamp)",
                Op::None,
            ),
            method("list_string_sort", "(list(string)) -> list(string)", Op::None),
            method("list_bytes_sort", "(list(bytes)) -> list(bytes)", Op::None),
        ],
    },
    Definition {
        name: "@sortByAssociatedKeys",
        binding: Binding::Singleton(Op::Eager(sort_by), Some(Trait::List)),
        overloads: &[
            method(
                "list_int_sortByAssociatedKeys",
                "(list(T), list(int)) -> list(T)",
                Op::None,
            ),
            method(
                "list_uint_sortByAssociatedKeys",
                "(list(T), list(uint)) -> list(T)",
                Op::None,
            ),
            method(
                "list_double_sortByAssociatedKeys",
                "(list(T), list(double)) -> list(T)",
                Op::None,
            ),
            method(
                "list_bool_sortByAssociatedKeys",
                "(list(T), list(bool)) -> list(T)",
                Op::None,
            ),
            method(
                "list_google.protobuf.Duration_sortByAssociatedKeys",
                "(list(T), list(duration)) -> list(T)",
                Op::None,
            ),
            method(
                "list_google.protobuf.Timestamp_sortByAssociatedKeys",
                "(list(T), list(timestamp)) -> list(T)",
                Op::None,
            ),
            method(
                "list_string_sortByAssociatedKeys",
                "(list(T), list(string)) -> list(T)",
                Op::None,
            ),
            method(
                "list_bytes_sortByAssociatedKeys",
                "(list(T), list(bytes)) -> list(T)",
                Op::None,
            ),
        ],
    },
];

fn sort<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    sort_with_keys(cx, args[0], args[0])
}

fn sort_by<'a>(cx: &mut Context<'a>, args: &[Value<'a>]) -> Eval<'a> {
    sort_with_keys(cx, args[0], args[1])
}

fn sort_with_keys<'a>(cx: &mut Context<'a>, list: Value<'a>, keys: Value<'a>) -> Eval<'a> {
    let (length, key_count) = (list::len(list), list::len(keys));
    if length != key_count {
        return Ok(cx.error(&format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got {length} and {key_count} elements respectively"
        )));
    }
    if length == 0 {
        return Ok(list);
    }
    let key_values = list::elements(cx, keys);
    let first = key_values[0];
    if !Trait::Comparer.holds(first) {
        return Ok(cx.error("list elements must be comparable"));
    }
    if length > 1 && key_values.iter().any(|key| key.type_name() != first.type_name()) {
        return Ok(cx.error("list elements must have the same type"));
    }
    let elements = list::elements(cx, list);
    let mut order: Vec<usize> = (0..length).collect();
    // Values that cannot be compared, such as NaN, keep their order.
    order.sort_by(|a, b| compare(cx, key_values[*a], key_values[*b]).unwrap_or(Ordering::Equal));
    let sorted: Vec<Value<'a>> = order.into_iter().map(|at| elements[at]).collect();
    Ok(cx.list(&sorted))
}
