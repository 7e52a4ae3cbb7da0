//! `strconv.ParseFloat`: decimal and hexadecimal floats, infinities and NaN.

use std::borrow::Cow;

use super::{NumError, Reason, underscores_are_fine};

/// Reads a 64-bit float.
pub fn parse_f64(text: &str) -> Result<f64, NumError> {
    let fail = |reason| NumError::new("ParseFloat", text, reason);
    let value = match scan(text).ok_or_else(|| fail(Reason::Syntax))? {
        Scanned::Special(value) => return Ok(value),
        Scanned::Decimal(plain) => plain.parse::<f64>().map_err(|_| fail(Reason::Syntax))?,
        Scanned::Hex(hex) => hex.round(52, -1023),
    };
    if value.is_infinite() {
        Err(fail(Reason::Range))
    } else {
        Ok(value)
    }
}

/// Reads a 32-bit float, rounding once from the text.
pub fn parse_f32(text: &str) -> Result<f32, NumError> {
    let fail = |reason| NumError::new("ParseFloat", text, reason);
    let value = match scan(text).ok_or_else(|| fail(Reason::Syntax))? {
        Scanned::Special(value) => return Ok(value as f32),
        Scanned::Decimal(plain) => plain.parse::<f32>().map_err(|_| fail(Reason::Syntax))?,
        // Already rounded to 24 bits of precision, so the conversion is exact or overflows.
        Scanned::Hex(hex) => hex.round(23, -127) as f32,
    };
    if value.is_infinite() {
        Err(fail(Reason::Range))
    } else {
        Ok(value)
    }
}

enum Scanned<'t> {
    Special(f64),
    /// A text without underscores that Rust's parser reads the same way.
    Decimal(Cow<'t, str>),
    Hex(Hex),
}

/// The value `mantissa * 2^exponent`, a little more if `sticky`.
struct Hex {
    negative: bool,
    mantissa: u64,
    sticky: bool,
    exponent: i64,
}

fn scan(text: &str) -> Option<Scanned<'_>> {
    if let Some(value) = special(text) {
        return Some(Scanned::Special(value));
    }
    let mut plain = Cow::Borrowed(text);
    if text.contains('_') {
        if !underscores_are_fine(text) {
            return None;
        }
        plain = Cow::Owned(text.replace('_', ""));
    }
    let negative = plain.starts_with('-');
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    if let Some(digits) = unsigned
        .strip_prefix("0x")
        .or_else(|| unsigned.strip_prefix("0X"))
    {
        return scan_hex(digits, negative).map(Scanned::Hex);
    }
    is_decimal(unsigned.as_bytes()).then_some(Scanned::Decimal(plain))
}

fn special(text: &str) -> Option<f64> {
    if text.eq_ignore_ascii_case("nan") {
        return Some(f64::NAN);
    }
    let (negative, name) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let infinite = name.eq_ignore_ascii_case("inf") || name.eq_ignore_ascii_case("infinity");
    infinite.then_some(if negative {
        f64::NEG_INFINITY
    } else {
        f64::INFINITY
    })
}

/// Digits with at most one point, then an optional exponent.
fn is_decimal(text: &[u8]) -> bool {
    let end = text
        .iter()
        .position(|byte| matches!(byte, b'e' | b'E'))
        .unwrap_or(text.len());
    let (mantissa, exponent) = text.split_at(end);
    let points = mantissa.iter().filter(|&&byte| byte == b'.').count();
    points <= 1
        && mantissa.len() > points
        && mantissa.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
        && (exponent.is_empty() || is_exponent(&exponent[1..]))
}

fn is_exponent(text: &[u8]) -> bool {
    let digits = text
        .strip_prefix(b"+")
        .or_else(|| text.strip_prefix(b"-"))
        .unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Hexadecimal floats must have a `p` exponent.
fn scan_hex(text: &str, negative: bool) -> Option<Hex> {
    let (digits, power) = text.split_once(['p', 'P'])?;
    let mut hex = Hex {
        negative,
        mantissa: 0,
        sticky: false,
        exponent: 0,
    };
    let (mut seen_digit, mut seen_point) = (false, false);
    for byte in digits.bytes() {
        if byte == b'.' && !seen_point {
            seen_point = true;
            continue;
        }
        let digit = char::from(byte).to_digit(16)?;
        seen_digit = true;
        hex.push(digit, seen_point);
    }
    if !seen_digit || !is_exponent(power.as_bytes()) {
        return None;
    }
    hex.exponent = hex.exponent.saturating_add(clamped(power));
    Some(hex)
}

/// Exponents beyond ten thousand make no difference; Go clamps there too.
fn clamped(power: &str) -> i64 {
    let digits = power.trim_start_matches(['+', '-']).trim_start_matches('0');
    let size = if digits.len() > 5 {
        99_999
    } else {
        digits.parse().unwrap_or(0)
    };
    if power.starts_with('-') { -size } else { size }
}

impl Hex {
    fn push(&mut self, digit: u32, after_point: bool) {
        if self.mantissa >> 60 == 0 {
            self.mantissa = self.mantissa << 4 | u64::from(digit);
            self.exponent -= if after_point { 4 } else { 0 };
        } else {
            self.sticky |= digit != 0;
            self.exponent += if after_point { 0 } else { 4 };
        }
    }

    /// Rounds half to even, to a float with this number of fraction bits and this exponent bias.
    fn round(&self, fraction_bits: i64, bias: i64) -> f64 {
        let sign = if self.negative { -1.0 } else { 1.0 };
        if self.mantissa == 0 {
            return sign * 0.0;
        }
        let shift = i64::from(self.mantissa.leading_zeros());
        let (mantissa, exponent) = (self.mantissa << shift, self.exponent.saturating_sub(shift));
        let top = exponent.saturating_add(63);
        // Below the smallest normal exponent, each step loses one bit of precision.
        let lost = (63 - fraction_bits + (bias + 1 - top).max(0)).min(65);
        let kept = round_half_even(mantissa, lost, self.sticky);
        let limit = -bias;
        let scale = exponent.saturating_add(lost);
        let value = scaled(kept, scale);
        // A carry out of the top bit can reach the next power of two, which may be too large.
        if scaled_exponent(kept, scale) > limit {
            sign * f64::INFINITY
        } else {
            sign * value
        }
    }
}

fn round_half_even(mantissa: u64, lost: i64, sticky: bool) -> u64 {
    let wide = u128::from(mantissa);
    let kept = wide >> lost;
    let rest = wide & ((1 << lost) - 1);
    let half = 1_u128 << (lost - 1);
    let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
    // At most 54 bits were kept, so one more fits.
    (kept + u128::from(up)) as u64
}

fn scaled_exponent(kept: u64, scale: i64) -> i64 {
    if kept == 0 {
        i64::MIN
    } else {
        63 - i64::from(kept.leading_zeros()) + scale
    }
}

/// `kept * 2^scale`; the result must be exact or out of range.
fn scaled(kept: u64, scale: i64) -> f64 {
    if kept == 0 {
        return 0.0;
    }
    let mut value = kept as f64;
    let mut left = scale.clamp(-2000, 2000) as i32;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= 2_f64.powi(step);
        left -= step;
    }
    value
}
