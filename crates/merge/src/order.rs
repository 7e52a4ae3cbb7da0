//! A total order of JSON values, for the elements of sets and keys (structured-merge-diff `value.Compare`).

use std::cmp::Ordering;

use kindsmith_json::Value;

/// Values nested deeper compare equal; schemas allow only scalars as keys and set items.
const MAX_DEPTH: usize = 32;

/// Numbers by value, then strings, booleans, lists, maps, null.
pub(crate) fn compare(left: Value<'_>, right: Value<'_>) -> Ordering {
    compare_at(left, right, 0)
}

fn compare_at(left: Value<'_>, right: Value<'_>, depth: usize) -> Ordering {
    match (left, right) {
        (Value::Str(left), Value::Str(right)) => left.cmp(right),
        (Value::Int(left), Value::Int(right)) => left.cmp(&right),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(&right),
        (Value::Array(left), Value::Array(right)) if depth < MAX_DEPTH => {
            let mut pairs = left.iter().zip(right);
            let first = pairs.find_map(|(left, right)| {
                let order = compare_at(*left, *right, depth + 1);
                order.is_ne().then_some(order)
            });
            first.unwrap_or_else(|| left.len().cmp(&right.len()))
        }
        (Value::Object(left), Value::Object(right)) if depth < MAX_DEPTH => {
            let (left, right) = (left.sorted(), right.sorted());
            let mut pairs = left.iter().zip(&right);
            let first = pairs.find_map(|(left, right)| {
                let order = left.key.cmp(right.key);
                let order = order.then_with(|| compare_at(left.value, right.value, depth + 1));
                order.is_ne().then_some(order)
            });
            first.unwrap_or_else(|| left.len().cmp(&right.len()))
        }
        _ => match (left.as_f64(), right.as_f64()) {
            // Kubernetes' numbers are finite; values that do not compare count as equal.
            (Some(left), Some(right)) => left.partial_cmp(&right).unwrap_or(Ordering::Equal),
            _ => rank(left).cmp(&rank(right)),
        },
    }
}

fn rank(value: Value<'_>) -> u8 {
    match value {
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => 0,
        Value::Str(_) => 1,
        Value::Bool(_) => 2,
        Value::Array(_) => 3,
        Value::Object(_) => 4,
        Value::Null => 5,
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::compare;

    #[test]
    fn values_have_an_order() {
        let sorted = [
            "-1",
            "0.5",
            "1",
            "1.5",
            "\"\"",
            "\"a\"",
            "\"b\"",
            "false",
            "true",
            "[]",
            "[1]",
            "[1,2]",
            "[2]",
            "{}",
            "{\"a\":1}",
            "{\"a\":2}",
            "{\"b\":0}",
            "null",
        ];
        let arena = Arena::new();
        let values: Vec<_> = sorted
            .iter()
            .map(|text| parse_str(&arena, text).expect("JSON"))
            .collect();
        for (i, left) in values.iter().enumerate() {
            for (j, right) in values.iter().enumerate() {
                assert_eq!(compare(*left, *right), i.cmp(&j), "{left:?} {right:?}");
            }
        }
    }
}
