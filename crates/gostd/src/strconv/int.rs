//! `strconv.ParseInt`, `ParseUint` and `Atoi`.

use super::{NumError, Reason, underscores_are_fine};

/// Reads a signed integer. Base 0 takes the base from a Go prefix and allows underscores; width 0 is 64.
pub fn parse_int(text: &str, base: u32, bits: u32) -> Result<i64, NumError> {
    signed("ParseInt", text, base, bits)
}

/// Reads a decimal integer (`strconv.Atoi`), which differs from [`parse_int`] only in the error text.
pub fn atoi(text: &str) -> Result<i64, NumError> {
    signed("Atoi", text, 10, 64)
}

/// Reads an unsigned integer. Base 0 takes the base from a Go prefix and allows underscores; width 0 is 64.
pub fn parse_uint(text: &str, base: u32, bits: u32) -> Result<u64, NumError> {
    magnitude(text, base, bits).map_err(|reason| NumError::new("ParseUint", text, reason))
}

fn signed(function: &'static str, text: &str, base: u32, bits: u32) -> Result<i64, NumError> {
    let fail = |reason| NumError::new(function, text, reason);
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let value = magnitude(digits, base, bits).map_err(fail)?;
    let cutoff = 1_u64 << (if bits == 0 { 64 } else { bits } - 1);
    if negative && value <= cutoff {
        Ok(value.wrapping_neg().cast_signed())
    } else if !negative && value < cutoff {
        Ok(value.cast_signed())
    } else {
        Err(fail(Reason::Range))
    }
}

fn magnitude(text: &str, base: u32, bits: u32) -> Result<u64, Reason> {
    if text.is_empty() {
        return Err(Reason::Syntax);
    }
    let (digits, radix) = match base {
        0 => prefixed(text),
        2..=36 => (text, base),
        _ => return Err(Reason::Base(base)),
    };
    let max = match bits {
        0 | 64 => u64::MAX,
        1..64 => (1 << bits) - 1,
        _ => return Err(Reason::BitSize(bits)),
    };
    let mut value = 0_u64;
    let mut underscores = false;
    for &byte in digits.as_bytes() {
        if byte == b'_' && base == 0 {
            underscores = true;
            continue;
        }
        let digit = char::from(byte).to_digit(radix).ok_or(Reason::Syntax)?;
        // Go stops at the first digit that does not fit and ignores the text after it.
        value = value
            .checked_mul(radix.into())
            .and_then(|value| value.checked_add(digit.into()))
            .filter(|value| *value <= max)
            .ok_or(Reason::Range)?;
    }
    if underscores && !underscores_are_fine(text) {
        return Err(Reason::Syntax);
    }
    Ok(value)
}

/// Splits off a Go base prefix; a single leading `0` means octal.
fn prefixed(text: &str) -> (&str, u32) {
    let bytes = text.as_bytes();
    if bytes[0] != b'0' {
        return (text, 10);
    }
    let base = match bytes.get(1) {
        Some(b'b' | b'B') => 2,
        Some(b'o' | b'O') => 8,
        Some(b'x' | b'X') => 16,
        _ => return (&text[1..], 8),
    };
    if bytes.len() < 3 {
        (&text[1..], 8)
    } else {
        (&text[2..], base)
    }
}
