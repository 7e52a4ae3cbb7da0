//! Numbers: the grammar with Go's messages, and the values of literals.

use super::BigIntegers;
use super::error::Fault;
use crate::Value;

/// Reads the number that starts at `start` and returns it with the offset after it.
///
/// A number out of range becomes an infinity, which the caller reports after the whole text proved
/// well-formed.
pub(super) fn number(text: &str, start: usize, big: BigIntegers) -> Result<(Value<'static>, usize), Fault> {
    let bytes = text.as_bytes();
    let negative = bytes[start] == b'-';
    let first = start + usize::from(negative);
    let mut end = first;
    let mut magnitude: u64 = 0;
    // 18 digits cannot overflow; longer integers take the slow path below.
    while let Some(digit) = bytes
        .get(end)
        .map(|byte| byte.wrapping_sub(b'0'))
        .filter(|&digit| digit < 10)
    {
        magnitude = magnitude.wrapping_mul(10).wrapping_add(digit.into());
        end += 1;
    }
    let digits = end - first;
    let next = bytes.get(end).copied();
    if digits == 0 {
        return Err(Fault::invalid(end, "in numeric literal"));
    }
    if digits > 1 && bytes[first] == b'0' {
        end = first + 1;
        return Ok((Value::Int(0), end));
    }
    if matches!(next, Some(b'.' | b'e' | b'E')) {
        return float(text, start, end);
    }
    if digits <= 18 {
        let magnitude = magnitude as i64;
        if magnitude == 0 && negative && big == BigIntegers::Exact {
            return Ok((Value::Float(-0.0), end));
        }
        return Ok((Value::Int(if negative { -magnitude } else { magnitude }), end));
    }
    Ok((long_integer(&text[start..end], big), end))
}

fn long_integer(literal: &str, big: BigIntegers) -> Value<'static> {
    if let Ok(number) = literal.parse::<i64>() {
        return Value::Int(number);
    }
    if big == BigIntegers::Exact
        && let Ok(number) = literal.parse::<u64>()
    {
        return Value::Uint(number);
    }
    nearest_float(literal)
}

/// Reads fraction and exponent; `end` is after the integer part.
#[cold]
fn float(text: &str, start: usize, mut end: usize) -> Result<(Value<'static>, usize), Fault> {
    let bytes = text.as_bytes();
    if bytes[end] == b'.' {
        end = digits(bytes, end + 1, "after decimal point in numeric literal")?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        end += 1;
        if let Some(b'+' | b'-') = bytes.get(end) {
            end += 1;
        }
        end = digits(bytes, end, "in exponent of numeric literal")?;
    }
    Ok((nearest_float(&text[start..end]), end))
}

/// Skips at least one digit.
fn digits(bytes: &[u8], start: usize, context: &'static str) -> Result<usize, Fault> {
    let count = bytes[start.min(bytes.len())..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if count == 0 {
        return Err(Fault::invalid(start, context));
    }
    Ok(start + count)
}

fn nearest_float(literal: &str) -> Value<'static> {
    Value::Float(
        literal
            .parse()
            .expect("the grammar above is a subset of what Rust parses"),
    )
}
