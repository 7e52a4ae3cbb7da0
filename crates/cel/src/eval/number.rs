//! The order of numbers of different types.

use std::cmp::Ordering;

use super::value::Value;

/// The order of two numbers that are not NaN.
pub(crate) fn compare_numbers(a: Value<'_>, b: Value<'_>) -> Option<Ordering> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::Uint(a), Value::Uint(b)) => a.cmp(&b),
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(&b)?,
        (Value::Int(a), Value::Uint(b)) => i128::from(a).cmp(&i128::from(b)),
        (Value::Uint(a), Value::Int(b)) => i128::from(a).cmp(&i128::from(b)),
        (Value::Double(a), Value::Int(b)) => double_int(a, b)?,
        (Value::Int(a), Value::Double(b)) => double_int(b, a)?.reverse(),
        (Value::Double(a), Value::Uint(b)) => double_uint(a, b)?,
        (Value::Uint(a), Value::Double(b)) => double_uint(b, a)?.reverse(),
        _ => return None,
    })
}

// Integers are rounded to doubles first, as in cel-go.
fn double_int(d: f64, i: i64) -> Option<Ordering> {
    if d < i64::MIN as f64 {
        return Some(Ordering::Less);
    }
    if d > i64::MAX as f64 {
        return Some(Ordering::Greater);
    }
    d.partial_cmp(&(i as f64))
}

fn double_uint(d: f64, u: u64) -> Option<Ordering> {
    if d < 0.0 {
        return Some(Ordering::Less);
    }
    if d > u64::MAX as f64 {
        return Some(Ordering::Greater);
    }
    d.partial_cmp(&(u as f64))
}
