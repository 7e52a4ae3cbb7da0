//! Kubernetes types with a wire form of their own: times, durations, quantities and such.

use kindsmith_json::Value;
use kindsmith_schema::WellKnown;

/// Are two values of the type equal?
pub(super) fn equal(known: WellKnown, left: Value<'_>, right: Value<'_>) -> bool {
    match known {
        WellKnown::IntOrString => int_or_string(left) == int_or_string(right),
        _ => left == right,
    }
}

/// Is it the zero value of the type?
pub(super) fn is_zero(known: WellKnown, value: Value<'_>) -> bool {
    match known {
        WellKnown::IntOrString => int_or_string(value) == Value::Int(0),
        _ => value.is_null(),
    }
}

/// Appends the value as the type's `MarshalJSON` writes it.
pub(super) fn append(known: WellKnown, value: Value<'_>, out: &mut String) {
    let value = match known {
        WellKnown::IntOrString => int_or_string(value),
        _ => value,
    };
    super::encode::append_any(value, out);
}

fn int_or_string(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Int(_) | Value::Str(_) => value,
        _ => Value::Int(0),
    }
}
