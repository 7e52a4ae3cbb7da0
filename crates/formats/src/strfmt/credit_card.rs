//! `creditcard`

use super::{Format, string};

pub(super) const FORMAT: Format = string(
    "creditcard",
    "The number of a known kind of card with a correct check digit; other characters are ignored.",
    "4111-1111-1111-1111",
    check,
);

fn check(value: &str) -> bool {
    let mut digits = [0; 16];
    let mut count = 0;
    for digit in value.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0') {
        if count == digits.len() {
            return false;
        }
        digits[count] = digit;
        count += 1;
    }
    is_known(&digits[..count]) && has_check_digit(&digits[..count])
}

fn is_known(digits: &[u8]) -> bool {
    match digits {
        [4, ..] => matches!(digits.len(), 13 | 16),
        [5, 1..=5, ..] | [6, 0, 1, 1, ..] | [6 | 3, 5, ..] => digits.len() == 16,
        [3, 4 | 7, ..] | [2, 1, 3, 1, ..] | [1, 8, 0, 0, ..] => digits.len() == 15,
        [3, 0, 0..=5, ..] | [3, 6 | 8, ..] => digits.len() == 14,
        _ => false,
    }
}

/// The Luhn sum: every second digit from the right is doubled.
fn has_check_digit(digits: &[u8]) -> bool {
    let weighted = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, &digit)| match index % 2 {
            0 => digit,
            _ if digit < 5 => 2 * digit,
            _ => 2 * digit - 9,
        });
    weighted.map(u32::from).sum::<u32>() % 10 == 0
}
