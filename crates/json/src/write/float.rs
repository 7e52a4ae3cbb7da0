//! Floats as Go prints them, with the shortest digits that read back to the same number.

/// Appends a finite number like Go's encoding/json (`floatEncoder` in encode.go): plain between 1e-6 and
/// 1e21, otherwise with an exponent of at least one digit. NaN and infinities become `null`.
pub fn append(out: &mut String, number: f64) {
    if !number.is_finite() {
        out.push_str("null");
        return;
    }
    let mut buffer = zmij::Buffer::new();
    let decimal = Decimal::of(buffer.format_finite(number));
    let magnitude = number.abs();
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        decimal.append_scientific(out, 1);
    } else {
        decimal.append_plain(out);
    }
}

/// Appends a number like Go's `%v` and `strconv.FormatFloat(number, 'g', -1, 64)`: plain from 1e-4 to below
/// 1e6, otherwise with an exponent of at least two digits.
pub fn append_general(out: &mut String, number: f64) {
    if !number.is_finite() {
        out.push_str(if number.is_nan() {
            "NaN"
        } else if number > 0.0 {
            "+Inf"
        } else {
            "-Inf"
        });
        return;
    }
    let mut buffer = zmij::Buffer::new();
    Decimal::of(buffer.format_finite(number)).append_general(out);
}

/// Appends a number like Go's `strconv.FormatFloat(number, 'g', -1, 32)`.
pub(crate) fn append_general_32(out: &mut String, number: f32) {
    if !number.is_finite() {
        append_general(out, number.into());
        return;
    }
    let mut buffer = zmij::Buffer::new();
    Decimal::of(buffer.format_finite(number)).append_general(out);
}

/// `0.digits × 10^point`, the digits without zeros at either end.
struct Decimal {
    negative: bool,
    digits: [u8; 24],
    len: usize,
    point: i32,
}

impl Decimal {
    /// Splits a literal such as `-1.5e-7` or `100.0`.
    fn of(literal: &str) -> Decimal {
        let (negative, literal) = match literal.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, literal),
        };
        let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut decimal = Decimal {
            negative,
            digits: [0; 24],
            len: 0,
            point: 0,
        };
        decimal.point = exponent.parse::<i32>().unwrap_or(0) + whole.len() as i32;
        for digit in whole.bytes().chain(fraction.bytes()) {
            if decimal.len == 0 && digit == b'0' {
                decimal.point -= 1;
            } else if let Some(slot) = decimal.digits.get_mut(decimal.len) {
                *slot = digit;
                decimal.len += 1;
            }
        }
        while decimal.len > 0 && decimal.digits[decimal.len - 1] == b'0' {
            decimal.len -= 1;
        }
        decimal
    }

    fn is_zero(&self) -> bool {
        self.len == 0
    }

    fn append_general(&self, out: &mut String) {
        if !self.is_zero() && !(-3..=6).contains(&self.point) {
            self.append_scientific(out, 2);
        } else {
            self.append_plain(out);
        }
    }

    fn append_plain(&self, out: &mut String) {
        self.append_sign(out);
        if self.is_zero() {
            out.push('0');
            return;
        }
        if self.point <= 0 {
            out.push_str("0.");
            (self.point..0).for_each(|_| out.push('0'));
            self.append_digits(out, 0, self.len);
            return;
        }
        let whole = self.point as usize;
        self.append_digits(out, 0, whole.min(self.len));
        (self.len..whole).for_each(|_| out.push('0'));
        if whole < self.len {
            out.push('.');
            self.append_digits(out, whole, self.len);
        }
    }

    fn append_scientific(&self, out: &mut String, exponent_digits: usize) {
        self.append_sign(out);
        self.append_digits(out, 0, 1);
        if self.len > 1 {
            out.push('.');
            self.append_digits(out, 1, self.len);
        }
        let exponent = self.point - 1;
        out.push_str(if exponent < 0 { "e-" } else { "e+" });
        let mut buffer = itoa::Buffer::new();
        let printed = buffer.format(exponent.unsigned_abs());
        (printed.len()..exponent_digits).for_each(|_| out.push('0'));
        out.push_str(printed);
    }

    fn append_sign(&self, out: &mut String) {
        if self.negative {
            out.push('-');
        }
    }

    fn append_digits(&self, out: &mut String, from: usize, to: usize) {
        self.digits[from..to]
            .iter()
            .for_each(|&digit| out.push(char::from(digit)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // number, encoding/json, strconv.FormatFloat 'g' -1 64: both printed by Go.
    const CASES: &[(f64, &str, &str)] = &[
        (0.0, "0", "0"),
        (-0.0, "-0", "-0"),
        (1.0, "1", "1"),
        (-1.5, "-1.5", "-1.5"),
        (100.0, "100", "100"),
        (100000.0, "100000", "100000"),
        (1000000.0, "1000000", "1e+06"),
        (123456789.0, "123456789", "1.23456789e+08"),
        (0.1, "0.1", "0.1"),
        (0.0001, "0.0001", "0.0001"),
        (0.00001, "0.00001", "1e-05"),
        (1e-6, "0.000001", "1e-06"),
        (1e-7, "1e-7", "1e-07"),
        (1.5e-10, "1.5e-10", "1.5e-10"),
        (1e20, "100000000000000000000", "1e+20"),
        (1e21, "1e+21", "1e+21"),
        (
            1.7976931348623157e308,
            "1.7976931348623157e+308",
            "1.7976931348623157e+308",
        ),
        (5e-324, "5e-324", "5e-324"),
        (
            18446744073709551615.0,
            "18446744073709552000",
            "1.8446744073709552e+19",
        ),
    ];

    #[test]
    fn prints_as_go_does() {
        for &(number, json, general) in CASES {
            let (mut out, mut out_general) = (String::new(), String::new());
            append(&mut out, number);
            append_general(&mut out_general, number);
            assert_eq!((out.as_str(), out_general.as_str()), (json, general));
        }
    }
}
