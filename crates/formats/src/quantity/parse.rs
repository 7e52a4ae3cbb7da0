//! Reads quantities (`resource.ParseQuantity`), including upstream's odd cases.

use std::fmt;

use super::decimal::Decimal;
use super::{Amount, Format, Quantity, suffix};

/// Why a text is not a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseQuantityError {
    /// It is not a number with a suffix.
    Format,
    /// The suffix is unknown.
    Suffix,
    /// The number before the suffix cannot be read.
    Numeric,
}

impl fmt::Display for ParseQuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseQuantityError::Format => {
                "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
            }
            ParseQuantityError::Suffix => "unable to parse quantity's suffix",
            ParseQuantityError::Numeric => "unable to parse numeric part of quantity",
        })
    }
}

impl std::error::Error for ParseQuantityError {}

/// Values with more digits are stored as decimals.
const MAX_DIGITS: i32 = 18;
/// Fractions are rounded up to this many decimal places.
const PLACES: i64 = 9;

/// The parts of a text.
struct Parts<'t> {
    negative: bool,
    /// Sign, digits and point, as written.
    value: &'t str,
    /// The digits before the point without leading zeros, `0` if there are none.
    whole: &'t str,
    /// The digits after the point.
    fraction: &'t str,
    suffix: &'t str,
}

pub(super) fn parse(text: &str) -> Result<Quantity, ParseQuantityError> {
    if text.is_empty() {
        return Err(ParseQuantityError::Format);
    }
    if text == "0" {
        let zero = Quantity::from_int(0, Format::DecimalSi);
        return Ok(Quantity {
            text: Some(text.to_owned()),
            ..zero
        });
    }
    let parts = split(text).ok_or(ParseQuantityError::Format)?;
    let suffix = suffix::interpret(parts.suffix).ok_or(ParseQuantityError::Suffix)?;
    match small(text, &parts, &suffix)? {
        Some(quantity) => Ok(quantity),
        None => big(&parts, &suffix),
    }
}

fn split(text: &str) -> Option<Parts<'_>> {
    let count = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let stripped = unsigned.trim_start_matches('0');
    let (whole, mut rest) = stripped.split_at(count(stripped));
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix('.') {
        (fraction, rest) = after.split_at(count(after));
    }
    let letters = rest.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
    let digits = letters
        .strip_prefix(['+', '-'])
        .filter(|_| !rest.is_empty())
        .unwrap_or(letters);
    if count(digits) != digits.len() {
        return None;
    }
    Some(Parts {
        negative: text.starts_with('-'),
        // A value of only zeros loses its sign here.
        value: if stripped.is_empty() {
            "0"
        } else {
            &text[..text.len() - rest.len()]
        },
        whole: if whole.is_empty() { "0" } else { whole },
        fraction,
        suffix: rest,
    })
}

/// The value as a 64-bit integer with a scale, if it is short enough.
fn small(
    text: &str,
    parts: &Parts<'_>,
    suffix: &suffix::Suffix,
) -> Result<Option<Quantity>, ParseQuantityError> {
    let whole_digits = i32::try_from(parts.whole.len()).unwrap_or(i32::MAX);
    let fraction_digits = i32::try_from(parts.fraction.len()).unwrap_or(i32::MAX);
    let binary = suffix.format == Format::BinarySi;
    let (room, scale) = if binary {
        if fraction_digits > 0 {
            return Ok(None);
        }
        ((14 - suffix.exponent * 3 / 10).saturating_sub(whole_digits), 0)
    } else {
        let digits = whole_digits.saturating_add(fraction_digits);
        (
            MAX_DIGITS.saturating_sub(digits),
            suffix.exponent.wrapping_sub(fraction_digits),
        )
    };
    if room < 0 || i64::from(scale) < -PLACES {
        return Ok(None);
    }
    let digits = format!("{}{}", parts.whole, parts.fraction);
    let number: i64 = digits.parse().map_err(|_| ParseQuantityError::Numeric)?;
    let factor = if binary { 1_i64 << suffix.exponent } else { 1 };
    let Some(value) = number.checked_mul(factor) else {
        return Ok(None);
    };
    let kept = if binary {
        suffix.exponent % 10 == 0 && number & 7 != 0
    } else {
        scale % 3 == 0 && !digits.ends_with("000") && !digits.starts_with('0')
    };
    let value = if parts.negative { -value } else { value };
    Ok(Some(Quantity {
        amount: Amount::Small { value, scale },
        format: suffix.format,
        text: kept.then(|| text.to_owned()),
    }))
}

fn big(parts: &Parts<'_>, suffix: &suffix::Suffix) -> Result<Quantity, ParseQuantityError> {
    let binary = suffix.format == Format::BinarySi;
    let exponent = if binary { 0 } else { suffix.exponent };
    let read = Decimal::parse(parts.value, exponent).ok_or(ParseQuantityError::Numeric)?;
    let negative = read.sign() < 0;
    let mut amount = if negative { read.negated() } else { read };
    if binary {
        amount = amount.times(1 << suffix.exponent);
    }
    let mut format = suffix.format;
    if amount.sign() != 0 {
        amount = amount.round_up(PLACES).0;
    }
    if binary {
        let most = Decimal::from_small(i64::MAX, 0);
        if amount.cmp(&most).is_gt() {
            amount = most;
        }
        if amount.sign() > 0 && amount.cmp(&Decimal::from_small(1, 0)).is_lt() {
            format = Format::DecimalSi;
        }
    }
    let amount = if negative { amount.negated() } else { amount };
    Ok(Quantity {
        amount: Amount::Big(amount),
        format,
        text: None,
    })
}
