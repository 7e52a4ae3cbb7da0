//! Builtin types, and conversions of constants to them.

use super::Value;

/// The kind of values that a builtin type holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Basic {
    String,
    Bool,
    Float,
    Signed,
    /// An unsigned integer with this many bits.
    Unsigned(u32),
}

pub(super) fn basic(name: &str) -> Option<Basic> {
    Some(match name {
        "string" => Basic::String,
        "bool" => Basic::Bool,
        "float32" | "float64" => Basic::Float,
        "int" | "int8" | "int16" | "int32" | "int64" | "rune" => Basic::Signed,
        "byte" | "uint8" => Basic::Unsigned(8),
        "uint16" => Basic::Unsigned(16),
        "uint32" => Basic::Unsigned(32),
        "uint" | "uint64" | "uintptr" => Basic::Unsigned(64),
        _ => return None,
    })
}

/// The value in the type; `None` if it does not fit.
pub(super) fn convert(value: Value, to: Basic) -> Option<Value> {
    Some(match (value, to) {
        (Value::Int(value), Basic::Float) => Value::Float(value as f64),
        // Converting a rune to string gives that character.
        (Value::Int(value), Basic::String) => {
            let char = u32::try_from(value).ok().and_then(char::from_u32);
            Value::String(char.unwrap_or('\u{FFFD}').into())
        }
        // The complement of an unsigned constant stays within its bits.
        (Value::Int(value), Basic::Unsigned(bits)) if value < 0 => Value::Int(value & ((1 << bits) - 1)),
        (Value::Float(value), Basic::Signed | Basic::Unsigned(_))
            if value.fract() == 0.0 && value.abs() < 1e18 =>
        {
            Value::Int(value as i128)
        }
        (value @ Value::Int(_), Basic::Signed | Basic::Unsigned(_))
        | (value @ Value::Float(_), Basic::Float)
        | (value @ Value::String(_), Basic::String)
        | (value @ Value::Bool(_), Basic::Bool) => value,
        _ => return None,
    })
}
