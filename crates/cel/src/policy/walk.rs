//! Walks over values that become JSON: each part is paid for.

use kindsmith_json::Entry;

use crate::eval::context::Context;
use crate::eval::value::Value;
use crate::eval::{Scratch, list};

/// The elements of a list of any representation; `None` if they do not fit the budget.
pub(super) fn elements<'a>(scratch: &'a Scratch, value: Value<'a>) -> Vec<Value<'a>> {
    let bytes = value
        .size()
        .unwrap_or_default()
        .saturating_mul(size_of::<Value<'_>>() as u64);
    match value {
        _ if !scratch.pay(bytes) => Vec::new(),
        Value::List(elements) | Value::SetList(elements) => elements.to_vec(),
        Value::Concat(_) | Value::ConstList(_) => {
            list::elements(&mut Context::new(scratch, 0, u64::MAX), value)
        }
        _ => Vec::new(),
    }
}

/// How deep values may be that become JSON: as deep as JSON that is read, and the walk uses the stack.
pub(super) const DEEPEST: usize = 1_000;

/// Pays for a part of a value that is `depth` levels deep; false if the walk ends here.
pub(super) fn pay(scratch: &Scratch, depth: usize) -> bool {
    let is_wanted = !kindsmith_gostd::budget::is_done();
    is_wanted && depth <= DEEPEST && scratch.pay(size_of::<Entry<'_>>() as u64)
}
