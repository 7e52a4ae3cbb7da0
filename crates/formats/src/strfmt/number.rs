//! `int32`, `int64`, `float` and `double`: checks of a number's decimal text.

use super::{Applies, Format};
use kindsmith_gostd::strconv;

pub(super) const INT32: Format = Format {
    name: "int32",
    doc: "An integer of 32 bits.",
    example: "2147483647",
    applies: Applies::Integer,
    check: |text| strconv::parse_int(text, 10, 32).is_ok(),
};

pub(super) const INT64: Format = Format {
    name: "int64",
    doc: "An integer of 64 bits.",
    example: "9223372036854775807",
    applies: Applies::Integer,
    check: |text| strconv::parse_int(text, 10, 64).is_ok(),
};

pub(super) const FLOAT: Format = Format {
    name: "float",
    doc: "A number that fits a float of 32 bits.",
    example: "1.5",
    applies: Applies::Number,
    check: |text| strconv::parse_f32(text).is_ok(),
};

pub(super) const DOUBLE: Format = Format {
    name: "double",
    doc: "A number that fits a float of 64 bits.",
    example: "1.5",
    applies: Applies::Number,
    check: |text| strconv::parse_f64(text).is_ok(),
};
