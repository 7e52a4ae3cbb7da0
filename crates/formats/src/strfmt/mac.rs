//! `mac`

use super::{Format, string};

pub(super) const FORMAT: Format = string(
    "mac",
    "A hardware address of 6, 8 or 20 bytes: with colons, dashes, dots every four digits, or nothing between.",
    "00:00:5e:00:53:01",
    check,
);

fn check(value: &str) -> bool {
    let bytes = value.as_bytes();
    match bytes {
        [_, _, separator @ (b':' | b'-'), ..] => is_grouped(bytes, *separator, 2),
        [_, _, _, _, b'.', ..] => is_grouped(bytes, b'.', 4),
        _ => is_size(bytes.len()) && bytes.iter().all(u8::is_ascii_hexdigit),
    }
}

/// Groups with this number of digits, with the same separator between all of them.
fn is_grouped(bytes: &[u8], separator: u8, digits: usize) -> bool {
    let mut count = 0;
    for group in bytes.split(|&byte| byte == separator) {
        if group.len() != digits || !group.iter().all(u8::is_ascii_hexdigit) {
            return false;
        }
        count += digits;
    }
    is_size(count)
}

fn is_size(digits: usize) -> bool {
    matches!(digits, 12 | 16 | 40)
}
