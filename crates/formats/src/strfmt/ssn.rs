//! `ssn`

use super::{Format, string};

pub(super) const FORMAT: Format = string(
    "ssn",
    "A social security number with a dash or space after 3 and 5 digits.",
    "123-45-6789",
    check,
);

/// Upstream's expression makes the separators optional, but its length test does not.
fn check(value: &str) -> bool {
    value.len() == 11
        && value.bytes().enumerate().all(|(index, byte)| match index {
            3 | 6 => matches!(byte, b'-' | b' '),
            _ => byte.is_ascii_digit(),
        })
}
