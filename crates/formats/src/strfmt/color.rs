//! `hexcolor` and `rgbcolor`

use super::{Format, string};

pub(super) const HEX: Format = string(
    "hexcolor",
    "Three or six hexadecimal digits, with or without a number sign before them.",
    "#ff8800",
    check_hex,
);

pub(super) const RGB: Format = string(
    "rgbcolor",
    "`rgb(r, g, b)` with numbers from 0 to 255.",
    "rgb(255, 128, 0)",
    check_rgb,
);

fn check_hex(value: &str) -> bool {
    let digits = value.strip_prefix('#').unwrap_or(value);
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn check_rgb(value: &str) -> bool {
    let list = value.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')'));
    list.is_some_and(|list| {
        let mut numbers = list.split(',');
        numbers
            .by_ref()
            .take(3)
            .filter(|number| is_channel(number))
            .count()
            == 3
            && numbers.next().is_none()
    })
}

fn is_channel(text: &str) -> bool {
    let number = text.trim_matches(['\t', '\n', '\x0c', '\r', ' ']);
    let plain =
        number.bytes().all(|byte| byte.is_ascii_digit()) && (number == "0" || !number.starts_with('0'));
    plain && number.parse::<u8>().is_ok()
}
