//! `bsonobjectid`

use super::{Format, string};

pub(super) const FORMAT: Format = string(
    "bsonobjectid",
    "24 hexadecimal digits.",
    "507f1f77bcf86cd799439011",
    check,
);

fn check(value: &str) -> bool {
    value.len() == 24 && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}
