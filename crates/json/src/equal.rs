//! Equality of values. Keeps its own stack, so nesting never exhausts the thread's.

use crate::{Object, Value};

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        equal(*self, *other, |left, right| left == right)
    }
}

impl PartialEq for Object<'_> {
    fn eq(&self, other: &Self) -> bool {
        Value::Object(*self) == Value::Object(*other)
    }
}

impl Value<'_> {
    /// Compares like `==`, but numbers by what they are worth: `1` equals `1.0`.
    #[must_use]
    pub fn equals_numerically(self, other: Value<'_>) -> bool {
        equal(self, other, numbers_equal)
    }
}

/// Two numbers, at least one of them a float or of another width.
fn numbers_equal(left: Number, right: Number) -> bool {
    match (left, right) {
        (Number::Float(float), Number::Int(int)) | (Number::Int(int), Number::Float(float)) => {
            // Beyond 2^53 the cast may round; the way back tells.
            float == int as f64 && float as i64 == int
        }
        (Number::Float(float), Number::Uint(int)) | (Number::Uint(int), Number::Float(float)) => {
            float == int as f64 && float as u64 == int
        }
        _ => left == right,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Number {
    Int(i64),
    Uint(u64),
    Float(f64),
}

fn number(value: Value<'_>) -> Option<Number> {
    match value {
        Value::Int(number) => Some(Number::Int(number)),
        Value::Uint(number) => Some(Number::Uint(number)),
        Value::Float(number) => Some(Number::Float(number)),
        _ => None,
    }
}

type Pairs<'l, 'r> = Vec<(Value<'l>, Value<'r>)>;

fn equal<'l, 'r>(left: Value<'l>, right: Value<'r>, same: fn(Number, Number) -> bool) -> bool {
    let mut pending: Pairs<'l, 'r> = Vec::new();
    if !heads_equal(left, right, same, &mut pending) {
        return false;
    }
    while let Some(pair) = pending.pop() {
        let children_equal = match pair {
            (Value::Array(left), Value::Array(right)) => {
                std::ptr::eq(left.as_ptr().cast::<u8>(), right.as_ptr().cast::<u8>())
                    || left
                        .iter()
                        .zip(right)
                        .all(|(&l, &r)| heads_equal(l, r, same, &mut pending))
            }
            (Value::Object(left), Value::Object(right)) => objects_equal(left, right, same, &mut pending),
            _ => true,
        };
        if !children_equal {
            return false;
        }
    }
    true
}

/// Compares two values without their children; containers go on the pending list.
fn heads_equal<'l, 'r>(
    left: Value<'l>,
    right: Value<'r>,
    same: fn(Number, Number) -> bool,
    pending: &mut Pairs<'l, 'r>,
) -> bool {
    let containers = match (left, right) {
        (Value::Null, Value::Null) => return true,
        (Value::Bool(left), Value::Bool(right)) => return left == right,
        (Value::Str(left), Value::Str(right)) => return left == right,
        (Value::Array(left), Value::Array(right)) => left.len() == right.len(),
        (Value::Object(left), Value::Object(right)) => left.len() == right.len(),
        _ => {
            return match (number(left), number(right)) {
                (Some(left), Some(right)) => same(left, right),
                _ => false,
            };
        }
    };
    if containers {
        pending.push((left, right));
    }
    containers
}

fn objects_equal<'l, 'r>(
    left: Object<'l>,
    right: Object<'r>,
    same: fn(Number, Number) -> bool,
    pending: &mut Pairs<'l, 'r>,
) -> bool {
    let (left, entries) = (left.entries(), right.entries());
    if std::ptr::eq(left.as_ptr().cast::<u8>(), entries.as_ptr().cast::<u8>()) {
        return true;
    }
    left.iter().zip(entries).all(|(entry, candidate)| {
        // Both sides usually come from the same writer, so the order agrees.
        let other = if entry.key == candidate.key {
            Some(candidate.value)
        } else {
            right.get(entry.key)
        };
        other.is_some_and(|other| heads_equal(entry.value, other, same, pending))
    })
}
