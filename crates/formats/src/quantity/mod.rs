//! Kubernetes' `resource.Quantity`: a decimal with a suffix, such as `1500m`, `2Gi` or `1e3`.
//!
//! Upstream stores a value as a 64-bit integer with a scale, or as a big decimal if that does not fit. The difference
//! is visible (only the former can be read as an integer), so it is the same here.

mod canonical;
mod decimal;
mod parse;
mod suffix;

use std::cmp::Ordering;
use std::fmt;

use decimal::Decimal;
pub use parse::ParseQuantityError;

/// The preferred way to write a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `12e6`
    DecimalExponent,
    /// `12Mi`
    BinarySi,
    /// `12M`
    DecimalSi,
}

/// A quantity. Two quantities with the same value are equal, however they are written.
#[derive(Clone, Debug)]
pub struct Quantity {
    amount: Amount,
    format: Format,
    /// The text it was read from, if that is canonical.
    text: Option<String>,
}

#[derive(Clone, Debug)]
enum Amount {
    /// `value * 10^scale`
    Small {
        value: i64,
        scale: i32,
    },
    Big(Decimal),
}

impl Quantity {
    /// Reads a quantity (`resource.ParseQuantity`).
    pub fn parse(text: &str) -> Result<Quantity, ParseQuantityError> {
        parse::parse(text)
    }

    /// Makes a quantity from an integer (`resource.NewQuantity`).
    pub fn from_int(value: i64, format: Format) -> Quantity {
        Quantity {
            amount: Amount::Small { value, scale: 0 },
            format,
            text: None,
        }
    }

    /// The preferred way to write it.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The sign: -1, 0 or 1.
    pub fn sign(&self) -> i32 {
        match &self.amount {
            Amount::Small { value, .. } => value.signum() as i32,
            Amount::Big(decimal) => decimal.sign(),
        }
    }

    /// The value as an integer, if it is stored as one and fits (`AsInt64`). `None` for a value written with a
    /// fraction, even `1.0`.
    pub fn as_i64(&self) -> Option<i64> {
        match self.amount {
            Amount::Small { value, scale } => scaled_up(value, scale),
            Amount::Big(_) => None,
        }
    }

    /// The whole number, away from zero (`Quantity.Value`).
    pub fn value(&self) -> i64 {
        self.as_i64().unwrap_or_else(|| self.scaled(0))
    }

    /// The thousandths, away from zero (`Quantity.MilliValue`).
    pub fn milli_value(&self) -> i64 {
        let thousandths = self.as_i64().and_then(|whole| whole.checked_mul(1000));
        thousandths.unwrap_or_else(|| self.scaled(3))
    }

    /// The value times a power of ten, as Go's arithmetic has it: beyond 64 bits the upper ones are lost, and large
    /// powers are zero.
    fn scaled(&self, power: u32) -> i64 {
        let text = self.to_string();
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
        if let (Ok(digits), Ok(exponent)) = (digits.parse::<i128>(), exponent.parse::<u32>()) {
            let factor = 10_i64.checked_pow(exponent + power).unwrap_or_default();
            return (digits as i64).wrapping_mul(factor);
        }
        let number = self.as_approximate_f64() * f64::from(10_u32.pow(power));
        // A conversion of floats saturates.
        number.abs().ceil().copysign(number) as i64
    }

    /// The value as a float, possibly not the nearest one (`AsApproximateFloat64`).
    pub fn as_approximate_f64(&self) -> f64 {
        let (base, exponent) = match &self.amount {
            Amount::Small { value, scale } => (*value as f64, i64::from(*scale)),
            Amount::Big(decimal) => (decimal.unscaled_f64(), -decimal.scale()),
        };
        if exponent == 0 {
            base
        } else {
            base * pow10(exponent)
        }
    }

    /// The sum; the format is that of the left side unless it is zero.
    pub fn add(&self, other: &Quantity) -> Quantity {
        let format = if self.sign() == 0 {
            other.format
        } else {
            self.format
        };
        let amount = self
            .small_sum(other)
            .unwrap_or_else(|| Amount::Big(self.decimal().add(&other.decimal())));
        Quantity {
            amount,
            format,
            text: None,
        }
    }

    /// The difference; the format is that of the left side unless it is zero.
    pub fn sub(&self, other: &Quantity) -> Quantity {
        let amount = match &other.amount {
            Amount::Small { value, scale } => Amount::Small {
                value: value.wrapping_neg(),
                scale: *scale,
            },
            Amount::Big(decimal) => Amount::Big(decimal.clone().negated()),
        };
        self.add(&Quantity {
            amount,
            format: other.format,
            text: None,
        })
    }

    fn small_sum(&self, other: &Quantity) -> Option<Amount> {
        let (Amount::Small { value: a, scale: p }, Amount::Small { value: b, scale: q }) =
            (&self.amount, &other.amount)
        else {
            return None;
        };
        if *b == 0 {
            return Some(self.amount.clone());
        }
        if *a == 0 {
            return Some(other.amount.clone());
        }
        let scale = *p.min(q);
        let left = scaled_up(*a, p.checked_sub(scale)?)?;
        let right = scaled_up(*b, q.checked_sub(scale)?)?;
        Some(Amount::Small {
            value: left.checked_add(right)?,
            scale,
        })
    }

    fn decimal(&self) -> Decimal {
        match &self.amount {
            Amount::Small { value, scale } => Decimal::from_small(*value, *scale),
            Amount::Big(decimal) => decimal.clone(),
        }
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Amount::Small { value: a, scale: p }, Amount::Small { value: b, scale: q }) =
            (&self.amount, &other.amount)
            && p == q
        {
            return a.cmp(b);
        }
        self.decimal().cmp(&other.decimal())
    }
}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Quantity {}

/// The text it was read from if that is canonical, its canonical form otherwise (`Quantity.String`).
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => f.write_str(&canonical::text(self)),
        }
    }
}

/// `value * 10^scale` if the scale is not negative and the product fits.
fn scaled_up(value: i64, scale: i32) -> Option<i64> {
    if value == 0 && scale >= 0 {
        return Some(0);
    }
    value.checked_mul(10_i64.checked_pow(u32::try_from(scale).ok()?)?)
}

/// Powers of ten as in Go's `math.Pow10`: a product of two table entries, not always the nearest float.
fn pow10(exponent: i64) -> f64 {
    let entry = |exponent: i64| format!("1e{exponent}").parse::<f64>().unwrap_or(f64::NAN);
    match exponent {
        ..=-324 => 0.0,
        -323..=-1 => entry(-(-exponent / 32 * 32)) / entry(-exponent % 32),
        0..=308 => entry(exponent / 32 * 32) * entry(exponent % 32),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_up() {
        for (text, whole, milli) in [
            ("0", 0, 0),
            ("1500m", 2, 1500),
            ("100u", 1, 1),
            ("2Gi", 2_147_483_648, 2_147_483_648_000),
            ("-3", -3, -3000),
        ] {
            let quantity = Quantity::parse(text).expect("a quantity");
            assert_eq!(
                (quantity.value(), quantity.milli_value()),
                (whole, milli),
                "{text}"
            );
        }
    }
}
