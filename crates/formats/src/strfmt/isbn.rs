//! `isbn`, `isbn10` and `isbn13`

use super::{Format, string};

pub(super) const ANY: Format = string(
    "isbn",
    "An ISBN of 10 or 13 digits with a correct check digit.",
    "0-306-40615-2",
    check,
);

pub(super) const TEN: Format = string(
    "isbn10",
    "An ISBN of 10 digits with a correct check digit.",
    "0-306-40615-2",
    check_10,
);

pub(super) const THIRTEEN: Format = string(
    "isbn13",
    "An ISBN of 13 digits with a correct check digit.",
    "978-0-306-40615-7",
    check_13,
);

fn check(value: &str) -> bool {
    check_10(value) || check_13(value)
}

fn check_10(value: &str) -> bool {
    let mut sum = 0;
    let mut count = 0;
    for byte in significant(value) {
        count += 1;
        let digit = match byte {
            b'0'..=b'9' if count <= 10 => u32::from(byte - b'0'),
            b'X' if count == 10 => 10,
            _ => return false,
        };
        sum += count * digit;
    }
    count == 10 && sum % 11 == 0
}

fn check_13(value: &str) -> bool {
    let mut sum = 0;
    let mut count = 0_u32;
    for byte in significant(value) {
        if !byte.is_ascii_digit() || count == 13 {
            return false;
        }
        sum += u32::from(byte - b'0') * if count.is_multiple_of(2) { 1 } else { 3 };
        count += 1;
    }
    count == 13 && sum % 10 == 0
}

/// White space and dashes are skipped.
fn significant(value: &str) -> impl Iterator<Item = u8> + '_ {
    value
        .bytes()
        .filter(|byte| !matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ' | b'-'))
}
