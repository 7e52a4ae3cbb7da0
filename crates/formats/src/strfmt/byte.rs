//! `byte`

use super::{Format, string};

pub(super) const FORMAT: Format = string(
    "byte",
    "Base64 with the standard alphabet and padding, without line breaks; not empty.",
    "aGVsbG8=",
    check,
);

fn check(value: &str) -> bool {
    let bytes = value.as_bytes();
    let digits = bytes
        .strip_suffix(b"==")
        .or_else(|| bytes.strip_suffix(b"="))
        .unwrap_or(bytes);
    !bytes.is_empty()
        && bytes.len().is_multiple_of(4)
        && digits
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}
