//! The value of a scalar: Kubernetes' table of nulls, booleans and numbers. Knows no structure.

use super::base64;
use super::timestamp::is_timestamp;
use super::tree::Tag;
use crate::{Arena, Value, read};

/// Why a tag does not fit its scalar.
pub(super) enum Misfit {
    /// The scalar is something else, with this tag.
    Type(&'static str, &'static str),
    Base64,
}

/// The value of a scalar. Integers above `int64` stay exact here, and floats stay floats.
pub(super) fn resolve<'a>(
    arena: &'a Arena,
    text: &'a str,
    plain: bool,
    tag: Tag,
) -> Result<Value<'a>, Misfit> {
    let wanted = match tag {
        Tag::None if plain => return Ok(untagged(text)),
        Tag::None | Tag::Str | Tag::Merge | Tag::NonSpecific | Tag::Other => return Ok(Value::Str(text)),
        Tag::Binary => {
            let bytes = base64::decode(text).ok_or(Misfit::Base64)?;
            return Ok(Value::Str(arena.alloc_str(&read::repair(&bytes))));
        }
        Tag::Timestamp if is_timestamp(text) => return Ok(Value::Str(text)),
        Tag::Timestamp => "!!timestamp",
        Tag::Int => "!!int",
        Tag::Float => "!!float",
        Tag::Bool => "!!bool",
        Tag::Null => "!!null",
    };
    let value = untagged(text);
    match (tag, value) {
        (Tag::Float, Value::Int(number)) => Ok(Value::Float(number as f64)),
        _ if name(value) == wanted => Ok(value),
        _ => Err(Misfit::Type(name(value), wanted)),
    }
}

fn name(value: Value<'_>) -> &'static str {
    match value {
        Value::Null => "!!null",
        Value::Bool(_) => "!!bool",
        Value::Int(_) | Value::Uint(_) => "!!int",
        Value::Float(_) => "!!float",
        _ => "!!str",
    }
}

/// The value of a scalar without quotes and tag.
pub(crate) fn untagged(text: &str) -> Value<'_> {
    let Some(&first) = text.as_bytes().first() else {
        return Value::Null;
    };
    match first {
        b'+' | b'-' | b'.' | b'0'..=b'9' => number(text).unwrap_or(Value::Str(text)),
        b'~' | b'n' | b'N' | b'y' | b'Y' | b'o' | b'O' | b't' | b'T' | b'f' | b'F' => word(text),
        _ => Value::Str(text),
    }
}

fn word(text: &str) -> Value<'_> {
    match text {
        "~" | "null" | "Null" | "NULL" => Value::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            Value::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            Value::Bool(false)
        }
        _ => Value::Str(text),
    }
}

fn number(text: &str) -> Option<Value<'static>> {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Some(Value::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Some(Value::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => return Some(Value::Float(f64::NEG_INFINITY)),
        _ => {}
    }
    // After a leading point, an underscore is allowed only between digits.
    if text.starts_with("._") || text.starts_with('.') && text.ends_with('_') {
        return None;
    }
    let stripped;
    let digits = if text.contains('_') {
        stripped = text.replace('_', "");
        stripped.as_str()
    } else {
        text
    };
    integer(digits)
        .or_else(|| float(digits))
        .or_else(|| odd_binary(digits))
}

/// An integer in Go's syntax with a base prefix: `0x`, `0o`, `0b`, or just `0` for octal.
fn integer(text: &str) -> Option<Value<'static>> {
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (base, digits) = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &unsigned[2..]),
        [b'0', b'o' | b'O', ..] => (8, &unsigned[2..]),
        [b'0', b'b' | b'B', ..] => (2, &unsigned[2..]),
        [b'0', _, ..] => (8, &unsigned[1..]),
        _ => (10, unsigned),
    };
    let magnitude = magnitude(digits, base)?;
    // An unsigned number has no sign, not even a plus.
    let signed = unsigned.len() < text.len();
    match (negative, i64::try_from(magnitude)) {
        (false, Ok(number)) => Some(Value::Int(number)),
        (true, Ok(number)) => Some(Value::Int(-number)),
        (true, Err(_)) if magnitude == 1 << 63 => Some(Value::Int(i64::MIN)),
        (false, Err(_)) if !signed => Some(Value::Uint(magnitude)),
        _ => None,
    }
}

/// A number of digits only.
fn magnitude(digits: &str, base: u32) -> Option<u64> {
    let clean = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if clean {
        u64::from_str_radix(digits, base).ok()
    } else {
        None
    }
}

/// A decimal with digits before or after the point, and an optional exponent with digits.
fn float(text: &str) -> Option<Value<'static>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (
            mantissa,
            Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)),
        ),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    if !has_digits
        || !digits(whole)
        || !digits(fraction)
        || exponent.is_some_and(|text| text.is_empty() || !digits(text))
    {
        return None;
    }
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .map(Value::Float)
}

/// `0b-11`: a second sign is allowed after `0b`.
fn odd_binary(text: &str) -> Option<Value<'static>> {
    let digits = text.strip_prefix("0b")?;
    let unsigned = digits.strip_prefix(['-', '+'])?;
    let number = i64::try_from(magnitude(unsigned, 2)?).ok()?;
    Some(Value::Int(if digits.starts_with('-') { -number } else { number }))
}
