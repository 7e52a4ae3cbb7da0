//! Operations on values by their topology: check, list fields, merge, compare, remove.
//!
//! They are those of structured-merge-diff's `typed.TypedValue`. All except [`Topology::validate`] expect validated
//! values; values that do not fit the topology are kept unchanged and never cause a panic. Below
//! [`MAX_DEPTH`](crate::MAX_DEPTH) levels a value is one leaf. Nothing here knows managers.

mod atomics;
mod compare;
mod error;
mod field_set;
mod go_text;
mod list;
mod merge;
mod named;
mod reconcile;
mod remove;
mod validate;

pub use compare::Comparison;
pub use error::{SchemaError, SchemaErrors};
pub use validate::{Duplicates, Foreign};

use kindsmith_json::{Object, Value};

use crate::topology::{Atom, List, Map, Scalar};

/// Which of the types of its atom a value has.
#[derive(Clone, Copy)]
enum Handler<'t> {
    Map(&'t Map),
    Scalar(Scalar),
    List(&'t List),
    /// A type that accepts no value.
    Nothing,
}

impl Handler<'_> {
    fn is_same_kind(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// The type a value has, if its atom allows it; otherwise, and for null, the first one the atom has
/// (structured-merge-diff `deduceAtom`, `handleAtom`).
fn handler<'t>(atom: &'t Atom, value: Value<'_>) -> Handler<'t> {
    let fitting = match value {
        Value::Null => None,
        Value::Object(_) => atom.map.as_ref().map(Handler::Map),
        Value::Array(_) => atom.list.as_ref().map(Handler::List),
        _ => atom.scalar.map(Handler::Scalar),
    };
    fitting.unwrap_or_else(|| first_handler(atom))
}

fn first_handler(atom: &Atom) -> Handler<'_> {
    match atom {
        Atom { map: Some(map), .. } => Handler::Map(map),
        Atom {
            scalar: Some(scalar), ..
        } => Handler::Scalar(*scalar),
        Atom { list: Some(list), .. } => Handler::List(list),
        _ => Handler::Nothing,
    }
}

/// The entries of a map; empty for other values.
fn entries(value: Value<'_>) -> Object<'_> {
    value.as_object().unwrap_or_default()
}

/// The items of a list; empty for other values.
fn items(value: Value<'_>) -> &[Value<'_>] {
    value.as_array().unwrap_or_default()
}

/// Reports whether two values are the same memory or equal scalars; equal values may give `false`.
fn is_identical(left: Value<'_>, right: Value<'_>) -> bool {
    fn is_same_slice<L, R>(left: &[L], right: &[R]) -> bool {
        left.len() == right.len() && std::ptr::eq(left.as_ptr().cast::<u8>(), right.as_ptr().cast::<u8>())
    }
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => is_same_slice(left.entries(), right.entries()),
        (Value::Array(left), Value::Array(right)) => is_same_slice(left, right),
        (Value::Str(left), Value::Str(right)) => left == right,
        (Value::Int(left), Value::Int(right)) => left == right,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Null, Value::Null) => true,
        _ => false,
    }
}
