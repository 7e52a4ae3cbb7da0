//! Integers in validation-gen's syntax: decimal, without redundant characters (validation-gen
//! `util.ParseInt`).

use std::fmt;

use kindsmith_gostd::quote::quote;
use kindsmith_gostd::strconv;
use kindsmith_schema::Scalar;

/// A plain integer.
pub(super) fn int(text: &str) -> Result<i64, String> {
    let value = strconv::atoi(text).map_err(|error| format!("parsing {} as int: {error}", quote(text)))?;
    canonical(text, value, "int")
}

/// An integer that fits the type.
pub(super) fn sized(text: &str, ty: Scalar) -> Result<i128, String> {
    let (low, high) = ty.range().unwrap_or((i128::from(i64::MIN), i128::from(i64::MAX)));
    if low < 0 {
        signed(text, low, high)
    } else {
        unsigned(text, high)
    }
}

fn signed(text: &str, low: i128, high: i128) -> Result<i128, String> {
    let value = strconv::parse_int(text, 10, 64)
        .map_err(|error| format!("parsing {} as int: {error}", quote(text)))?;
    let value = i128::from(canonical(text, value, "int")?);
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    let bits = bits(high) + 1;
    Err(format!(
        "value {value} does not fit in int{bits} (range [{low}, {high}])"
    ))
}

fn unsigned(text: &str, high: i128) -> Result<i128, String> {
    let value = strconv::parse_uint(text, 10, 64)
        .map_err(|error| format!("parsing {} as uint: {error}", quote(text)))?;
    let value = i128::from(canonical(text, value, "uint")?);
    if value <= high {
        return Ok(value);
    }
    let bits = bits(high);
    Err(format!(
        "value {value} does not fit in uint{bits} (range [0, {high}])"
    ))
}

fn canonical<T: fmt::Display>(text: &str, value: T, kind: &str) -> Result<T, String> {
    if value.to_string() == text {
        return Ok(value);
    }
    Err(format!("{} is not a valid {kind} value", quote(text)))
}

fn bits(high: i128) -> u32 {
    (high + 1).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, ty: Scalar, expected: Result<i128, &str>) {
        assert_eq!(sized(text, ty), expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn only_one_spelling_is_accepted() {
        assert_eq!(int("12"), Ok(12));
        for text in ["-0", "+3", "007"] {
            assert_eq!(int(text), Err(format!("{text:?} is not a valid int value")));
        }
        assert_eq!(
            int("0x3"),
            Err(r#"parsing "0x3" as int: strconv.Atoi: parsing "0x3": invalid syntax"#.to_owned())
        );
    }

    #[test]
    fn values_fit_their_type() {
        check("127", Scalar::Int8, Ok(127));
        check(
            "32768",
            Scalar::Int16,
            Err("value 32768 does not fit in int16 (range [-32768, 32767])"),
        );
        check(
            "256",
            Scalar::Byte,
            Err("value 256 does not fit in uint8 (range [0, 255])"),
        );
        check(
            "-1",
            Scalar::Uint32,
            Err(r#"parsing "-1" as uint: strconv.ParseUint: parsing "-1": invalid syntax"#),
        );
    }
}
