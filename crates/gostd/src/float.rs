//! Prints floats as Go does: with the fewest digits that read back to the same value, in the layouts of `%v`, `'f'`,
//! `'e'` and JSON.

/// Prints as `%v` and `strconv.FormatFloat(value, 'g', -1, 64)` do.
pub fn format_f64(value: f64) -> String {
    non_finite(value).unwrap_or_else(|| Digits::of(&shortest(value)).general())
}

/// Prints a 32-bit float as `%v` does.
pub fn format_f32(value: f32) -> String {
    non_finite(value.into()).unwrap_or_else(|| Digits::of(&shortest(value)).general())
}

/// Prints without exponent (`strconv.FormatFloat(value, 'f', -1, 64)`).
pub fn format_f64_plain(value: f64) -> String {
    non_finite(value).unwrap_or_else(|| Digits::of(&shortest(value)).plain())
}

/// Prints with exponent (`strconv.FormatFloat(value, 'e', -1, 64)`).
pub fn format_f64_exponent(value: f64) -> String {
    non_finite(value).unwrap_or_else(|| Digits::of(&shortest(value)).exponential())
}

/// Prints as `encoding/json` does; `None` for NaN and infinities, which JSON does not have.
pub fn format_f64_json(value: f64) -> Option<String> {
    let size = value.abs();
    let plain = size == 0.0 || (1e-6..1e21).contains(&size);
    value.is_finite().then(|| json(&shortest(value), plain))
}

/// Prints a 32-bit float as `encoding/json` does.
pub fn format_f32_json(value: f32) -> Option<String> {
    let size = value.abs();
    let plain = size == 0.0 || (1e-6..1e21).contains(&size);
    value.is_finite().then(|| json(&shortest(value), plain))
}

/// The fewest digits that read back to the same value, in `d.ddde±x` form.
///
/// Of two equally close candidates, Go takes the even one and Rust the larger. Rounding the exact value to that many
/// digits gives Go's choice.
fn shortest<T>(value: T) -> String
where
    T: std::fmt::LowerExp + std::str::FromStr<Err: PartialEq> + PartialEq + Copy,
{
    let text = format!("{value:e}");
    let digits = text
        .bytes()
        .take_while(|&byte| byte != b'e')
        .filter(u8::is_ascii_digit)
        .count();
    // With fewer digits, only one candidate can read back to the value.
    if digits < 6 {
        return text;
    }
    let even = format!("{value:.*e}", digits - 1);
    if even.parse() == Ok(value) { even } else { text }
}

fn non_finite(value: f64) -> Option<String> {
    let text = match value {
        f64::INFINITY => "+Inf",
        f64::NEG_INFINITY => "-Inf",
        _ if value.is_nan() => "NaN",
        _ => return None,
    };
    Some(text.to_owned())
}

fn json(shortest: &str, plain: bool) -> String {
    let digits = Digits::of(shortest);
    if plain {
        return digits.plain();
    }
    let text = digits.exponential();
    // JSON drops the zero that pads a small negative exponent: `1e-09` becomes `1e-9`.
    match text.split_once("e-0") {
        Some((mantissa, exponent)) => format!("{mantissa}e-{exponent}"),
        None => text,
    }
}

/// The parts of the shortest decimal that reads back: `sign 0.digits * 10^point`.
struct Digits {
    negative: bool,
    digits: String,
    exponent: i32,
}

impl Digits {
    /// Splits Rust's `{:e}` form, which has the fewest digits.
    fn of(shortest: &str) -> Self {
        let (mantissa, exponent) = shortest.split_once('e').unwrap_or((shortest, "0"));
        Digits {
            negative: mantissa.starts_with('-'),
            digits: mantissa
                .bytes()
                .filter(u8::is_ascii_digit)
                .map(char::from)
                .collect(),
            exponent: exponent.parse().unwrap_or(0),
        }
    }

    /// Go's `'g'`: exponent form below `1e-4` and from one million on, however many digits there are.
    fn general(&self) -> String {
        if self.exponent < -4 || self.exponent >= 6 {
            self.exponential()
        } else {
            self.plain()
        }
    }

    /// At least two exponent digits, always with a sign.
    fn exponential(&self) -> String {
        let mut text = self.sign();
        let (first, rest) = self.digits.split_at(1);
        text.push_str(first);
        if !rest.is_empty() {
            text.push('.');
            text.push_str(rest);
        }
        let sign = if self.exponent < 0 { '-' } else { '+' };
        text.push_str(&format!("e{sign}{:02}", self.exponent.unsigned_abs()));
        text
    }

    fn plain(&self) -> String {
        let mut text = self.sign();
        let point = self.exponent + 1;
        if point <= 0 {
            text.push_str("0.");
            text.extend(std::iter::repeat_n('0', point.unsigned_abs() as usize));
            text.push_str(&self.digits);
            return text
                .strip_suffix("0.0")
                .map_or(text.clone(), |sign| format!("{sign}0"));
        }
        let point = point as usize;
        if self.digits.len() <= point {
            text.push_str(&self.digits);
            text.extend(std::iter::repeat_n('0', point - self.digits.len()));
        } else {
            text.push_str(&self.digits[..point]);
            text.push('.');
            text.push_str(&self.digits[point..]);
        }
        text
    }

    fn sign(&self) -> String {
        if self.negative {
            "-".to_owned()
        } else {
            String::new()
        }
    }
}
