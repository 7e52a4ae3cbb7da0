//! Decimals of any size, with only the operations that quantities need. An exponent of a billion costs nothing, because
//! trailing zeros are counted and not stored.

use std::cmp::Ordering;

/// How many digits two numbers may be apart before a sum ignores the smaller one. Without a limit, a text of twelve
/// bytes could need gigabytes; upstream has no limit.
const MAX_GAP: i64 = 100_000;

/// The unscaled number is `digits * 10^zeros`; the value is that times `10^-scale`.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    negative: bool,
    /// Most significant first, each 0 to 9, without zeros at either end; empty for zero.
    digits: Vec<u8>,
    zeros: i64,
    scale: i64,
}

impl Decimal {
    /// Normalizes `digits * 10^exponent` to this scale.
    fn new(negative: bool, mut digits: Vec<u8>, exponent: i64, scale: i64) -> Self {
        let leading = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..leading);
        let trailing = digits.iter().rev().take_while(|&&digit| digit == 0).count();
        digits.truncate(digits.len() - trailing);
        let zeros = if digits.is_empty() {
            0
        } else {
            exponent + trailing as i64 + scale
        };
        Decimal {
            negative: negative && !digits.is_empty(),
            digits,
            zeros,
            scale,
        }
    }

    pub(super) fn from_small(value: i64, scale: i32) -> Self {
        let digits = value
            .unsigned_abs()
            .to_string()
            .bytes()
            .map(|byte| byte - b'0')
            .collect();
        Decimal::new(value < 0, digits, scale.into(), -i64::from(scale))
    }

    /// Reads digits with at most one point, times `10^exponent`.
    pub(super) fn parse(text: &str, exponent: i32) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits: Vec<u8> = whole
            .bytes()
            .chain(fraction.bytes())
            .map(|byte| byte.wrapping_sub(b'0'))
            .collect();
        if digits.is_empty() || digits.iter().any(|&digit| digit > 9) {
            return None;
        }
        let scale = fraction.len() as i64 - i64::from(exponent);
        Some(Decimal::new(text.starts_with('-'), digits, -scale, scale))
    }

    pub(super) fn sign(&self) -> i32 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    pub(super) fn scale(&self) -> i64 {
        self.scale
    }

    pub(super) fn negated(mut self) -> Self {
        self.negative = !self.negative && !self.digits.is_empty();
        self
    }

    /// The power of ten of the last digit.
    fn exponent(&self) -> i64 {
        self.zeros - self.scale
    }

    /// The unscaled number as the nearest float.
    pub(super) fn unscaled_f64(&self) -> f64 {
        let sign = if self.negative { "-" } else { "" };
        let digits: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        format!("{sign}0{digits}e{}", self.zeros)
            .parse()
            .unwrap_or(f64::NAN)
    }

    /// The digits without trailing zeros, and their power of ten.
    pub(super) fn parts(&self) -> (String, i64) {
        let mut text = String::from(if self.negative { "-" } else { "" });
        text.extend(self.digits.iter().map(|digit| char::from(b'0' + digit)));
        (text, self.exponent())
    }

    /// Rounds away from zero to `places` digits after the point; reports whether that changed the value.
    pub(super) fn round_up(&self, places: i64) -> (Self, bool) {
        let drop = -places - self.exponent();
        if drop <= 0 || self.digits.is_empty() {
            return (
                Decimal::new(self.negative, self.digits.clone(), self.exponent(), places),
                true,
            );
        }
        let kept = (self.digits.len() as i64 - drop).max(0) as usize;
        // The dropped digits end in one that is not zero.
        let digits = add_magnitudes(&self.digits[..kept], &[1]);
        (Decimal::new(self.negative, digits, -places, places), false)
    }

    /// The product with a number, keeping the scale.
    pub(super) fn times(&self, factor: u64) -> Self {
        let mut digits = Vec::with_capacity(self.digits.len() + 20);
        let mut carry = 0_u128;
        for &digit in self.digits.iter().rev() {
            carry += u128::from(digit) * u128::from(factor);
            digits.push((carry % 10) as u8);
            carry /= 10;
        }
        while carry > 0 {
            digits.push((carry % 10) as u8);
            carry /= 10;
        }
        digits.reverse();
        Decimal::new(self.negative, digits, self.exponent(), self.scale)
    }

    /// For an integer: how often 1024 divides it, and the quotient as text.
    pub(super) fn without_factors_of_1024(&self) -> (String, i64) {
        let zeros = usize::try_from(self.exponent())
            .unwrap_or(0)
            .min(MAX_GAP as usize);
        let mut digits = [&self.digits[..], &vec![0; zeros]].concat();
        let mut times = 0;
        while !digits.is_empty() {
            let (quotient, rest) = divided(&digits, 1024);
            if rest != 0 {
                break;
            }
            digits = quotient;
            times += 1;
        }
        let sign = if self.negative { "-" } else { "" };
        let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        (format!("{sign}{text}"), times)
    }

    pub(super) fn add(&self, other: &Decimal) -> Decimal {
        let scale = self.scale.max(other.scale);
        let rescaled = |decimal: &Decimal| {
            Decimal::new(
                decimal.negative,
                decimal.digits.clone(),
                decimal.exponent(),
                scale,
            )
        };
        if self.digits.is_empty() {
            return rescaled(other);
        }
        if other.digits.is_empty() {
            return rescaled(self);
        }
        let exponent = self.exponent().min(other.exponent());
        if (self.exponent() - other.exponent()).abs() > MAX_GAP {
            return rescaled(if self.magnitude(other).is_gt() {
                self
            } else {
                other
            });
        }
        let aligned = |decimal: &Decimal| {
            let zeros = (decimal.exponent() - exponent) as usize;
            [&decimal.digits[..], &vec![0; zeros]].concat()
        };
        let (left, right) = (aligned(self), aligned(other));
        if self.negative == other.negative {
            return Decimal::new(self.negative, add_magnitudes(&left, &right), exponent, scale);
        }
        match self.magnitude(other) {
            Ordering::Less => Decimal::new(
                other.negative,
                subtract_magnitudes(&right, &left),
                exponent,
                scale,
            ),
            _ => Decimal::new(self.negative, subtract_magnitudes(&left, &right), exponent, scale),
        }
    }

    /// Compares absolute values; neither may be zero.
    fn magnitude(&self, other: &Decimal) -> Ordering {
        let top = |decimal: &Decimal| decimal.digits.len() as i64 + decimal.exponent();
        // Neither has trailing zeros, so the digits compare like strings.
        top(self)
            .cmp(&top(other))
            .then_with(|| self.digits.cmp(&other.digits))
    }
}

impl Decimal {
    pub(super) fn cmp(&self, other: &Decimal) -> Ordering {
        self.sign().cmp(&other.sign()).then_with(|| match self.sign() {
            0 => Ordering::Equal,
            1 => self.magnitude(other),
            _ => other.magnitude(self),
        })
    }
}

fn add_magnitudes(left: &[u8], right: &[u8]) -> Vec<u8> {
    let length = left.len().max(right.len());
    let mut sum = Vec::with_capacity(length + 1);
    let mut carry = 0;
    for place in 0..length {
        let digit = |digits: &[u8]| digits.iter().rev().nth(place).copied().unwrap_or(0);
        let total = digit(left) + digit(right) + carry;
        sum.push(total % 10);
        carry = total / 10;
    }
    sum.push(carry);
    sum.reverse();
    sum
}

/// `left - right`; `left` must not be smaller.
fn subtract_magnitudes(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut difference = Vec::with_capacity(left.len());
    let mut borrow = 0;
    for place in 0..left.len() {
        let digit = |digits: &[u8]| digits.iter().rev().nth(place).copied().unwrap_or(0);
        let taken = digit(right) + borrow;
        borrow = u8::from(digit(left) < taken);
        difference.push(digit(left) + 10 * borrow - taken);
    }
    difference.reverse();
    difference
}

/// The quotient without leading zeros, and the remainder.
fn divided(digits: &[u8], divisor: u32) -> (Vec<u8>, u32) {
    let mut quotient = Vec::with_capacity(digits.len());
    let mut rest = 0;
    for &digit in digits {
        rest = rest * 10 + u32::from(digit);
        let next = (rest / divisor) as u8;
        if next != 0 || !quotient.is_empty() {
            quotient.push(next);
        }
        rest %= divisor;
    }
    (quotient, rest)
}
