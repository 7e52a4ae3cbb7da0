//! Equality of values. Deep values do not overflow the stack.

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
    /// Compares like `==`, but numbers by value: `1` equals `1.0`.
    #[must_use]
    pub fn equals_numerically(self, other: Value<'_>) -> bool {
        equal(self, other, numbers_equal)
    }
}

/// Two numbers, at least one of them a float or of another width.
fn numbers_equal(left: Number, right: Number) -> bool {
    match (left, right) {
        (Number::Float(float), Number::Int(int)) | (Number::Int(int), Number::Float(float)) => {
            // Beyond 2^53 the cast may round; converting back detects that.
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

/// Recursion is fastest; pairs nested deeper are queued here.
type Pairs<'l, 'r> = Vec<(Value<'l>, Value<'r>)>;

const MAX_RECURSION: usize = 64;

fn equal<'l, 'r>(left: Value<'l>, right: Value<'r>, same: fn(Number, Number) -> bool) -> bool {
    let mut pending: Pairs<'l, 'r> = Vec::new();
    if !descend(left, right, same, &mut pending, 0) {
        return false;
    }
    while let Some((left, right)) = pending.pop() {
        if !descend(left, right, same, &mut pending, 0) {
            return false;
        }
    }
    true
}

fn descend<'l, 'r>(
    left: Value<'l>,
    right: Value<'r>,
    same: fn(Number, Number) -> bool,
    pending: &mut Pairs<'l, 'r>,
    depth: usize,
) -> bool {
    match (left, right) {
        (Value::Str(left), Value::Str(right)) => left == right,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Null, Value::Null) => true,
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_))
            if depth == MAX_RECURSION =>
        {
            pending.push((left, right));
            true
        }
        (Value::Array(left), Value::Array(right)) => {
            let pairs = left.iter().zip(right);
            let mut pairs = pairs.map(|(&left, &right)| descend(left, right, same, pending, depth + 1));
            left.len() == right.len() && (same_place(left, right) || pairs.all(|equal| equal))
        }
        (Value::Object(left), Value::Object(right)) => objects_equal(left, right, same, pending, depth + 1),
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => same(left, right),
            _ => false,
        },
    }
}

fn objects_equal<'l, 'r>(
    left: Object<'l>,
    right: Object<'r>,
    same: fn(Number, Number) -> bool,
    pending: &mut Pairs<'l, 'r>,
    depth: usize,
) -> bool {
    let (left, entries) = (left.entries(), right.entries());
    if left.len() != entries.len() {
        return false;
    }
    same_place(left, entries)
        || left.iter().zip(entries).all(|(entry, candidate)| {
            // Both sides usually come from the same writer, so the order agrees.
            let other = if entry.key == candidate.key {
                Some(candidate.value)
            } else {
                right.get(entry.key)
            };
            other.is_some_and(|other| descend(entry.value, other, same, pending, depth))
        })
}

/// Parts shared in memory are equal.
fn same_place<L, R>(left: &[L], right: &[R]) -> bool {
    std::ptr::eq(left.as_ptr().cast::<u8>(), right.as_ptr().cast::<u8>())
}

#[cfg(test)]
mod tests {
    use crate::{Arena, parse_str};

    #[test]
    fn integers_and_floats_are_equal_only_numerically() {
        let cases = [
            ("1", "1.0", false, true),
            ("[1,{\"a\":2}]", "[1.0,{\"a\":2e0}]", false, true),
            ("9007199254740993", "9007199254740992.0", false, false),
            ("1", "1.5", false, false),
            ("0", "-0.0", false, true),
            ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true, true),
            ("{\"a\":1}", "{\"b\":1}", false, false),
            ("{\"a\":null}", "{}", false, false),
            ("[1,2]", "[2,1]", false, false),
            ("\"1\"", "1", false, false),
        ];
        for (left, right, equal, numerically) in cases {
            let arena = Arena::new();
            let (left, right) = (
                parse_str(&arena, left).expect("JSON"),
                parse_str(&arena, right).expect("JSON"),
            );
            assert_eq!(
                (left == right, left.equals_numerically(right)),
                (equal, numerically),
                "{left:?} {right:?}"
            );
        }
    }
}
