//! The values of number literals.

/// The value of an integer literal, in any base, with underscores.
pub(super) fn int(text: &str) -> Option<i128> {
    let digits = text.replace('_', "");
    let lower = digits.to_ascii_lowercase();
    let (radix, body) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'o', ..] => (8, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        // A leading zero alone also means octal.
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, lower.as_str()),
    };
    i128::from_str_radix(body, radix).ok()
}

/// The value of a decimal floating-point literal. Hexadecimal ones do not occur in APIs.
pub(super) fn float(text: &str) -> Option<f64> {
    text.replace('_', "").parse().ok()
}
