//! Constants of the standard library that API packages use; the library itself is not read.

use super::{Constant, TypeName, Value};

/// The value of a standard constant, if known.
pub(super) fn constant(package: &str, name: &str) -> Option<Constant> {
    match package {
        "time" => duration(name).map(|nanoseconds| Constant {
            value: Value::Int(nanoseconds),
            ty: Some(TypeName {
                package: Some("time".into()),
                name: "Duration".into(),
            }),
        }),
        "math" => limit(name).map(|value| Constant::untyped(Value::Int(value))),
        _ => None,
    }
}

fn duration(name: &str) -> Option<i128> {
    Some(match name {
        "Nanosecond" => 1,
        "Microsecond" => 1_000,
        "Millisecond" => 1_000_000,
        "Second" => 1_000_000_000,
        "Minute" => 60_000_000_000,
        "Hour" => 3_600_000_000_000,
        _ => return None,
    })
}

fn limit(name: &str) -> Option<i128> {
    Some(match name {
        "MaxInt8" => i8::MAX.into(),
        "MinInt8" => i8::MIN.into(),
        "MaxInt16" => i16::MAX.into(),
        "MinInt16" => i16::MIN.into(),
        "MaxInt32" => i32::MAX.into(),
        "MinInt32" => i32::MIN.into(),
        "MaxInt64" | "MaxInt" => i64::MAX.into(),
        "MinInt64" | "MinInt" => i64::MIN.into(),
        "MaxUint8" => u8::MAX.into(),
        "MaxUint16" => u16::MAX.into(),
        "MaxUint32" => u32::MAX.into(),
        "MaxUint64" | "MaxUint" => u64::MAX.into(),
        _ => return None,
    })
}
