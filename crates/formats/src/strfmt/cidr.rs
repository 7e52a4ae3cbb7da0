//! `cidr`

use super::{Format, string};
use kindsmith_gostd::cidr;

pub(super) const FORMAT: Format = string(
    "cidr",
    "An IP prefix; leading zeros are tolerated.",
    "10.0.0.0/8",
    check,
);

fn check(value: &str) -> bool {
    cidr::parse_sloppy(value).is_some()
}
