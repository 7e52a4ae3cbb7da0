//! Comparisons in filters (client-go's third_party/forked/golang/template/funcs.go): only values of the same kind
//! compare.

use std::cmp::Ordering;

use kindsmith_json::Value;

/// Whether a comparison holds; `None` if the two cannot be compared.
pub(super) fn compare(operator: &str, left: Value<'_>, right: Value<'_>) -> Option<bool> {
    match operator {
        "==" => equal(left, right),
        "!=" => equal(left, right).map(|equal| !equal),
        "<" => order(left, right).map(|order| order == Ordering::Less),
        "<=" => order(left, right).map(|order| order != Ordering::Greater),
        ">" => order(left, right).map(|order| order == Ordering::Greater),
        ">=" => order(left, right).map(|order| order != Ordering::Less),
        _ => None,
    }
}

fn equal(left: Value<'_>, right: Value<'_>) -> Option<bool> {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Some(left == right),
        _ => order(left, right).map(|order| order == Ordering::Equal),
    }
}

fn order(left: Value<'_>, right: Value<'_>) -> Option<Ordering> {
    match (left, right) {
        (Value::Str(left), Value::Str(right)) => Some(left.cmp(right)),
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(&right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(&right),
        _ => None,
    }
}
