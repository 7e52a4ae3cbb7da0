//! `duration`

use super::{Format, string};
use kindsmith_gostd::duration;

pub(super) const FORMAT: Format = string(
    "duration",
    "A Go duration, or numbers with units such as `3 days`.",
    "1h30m",
    check,
);

fn check(value: &str) -> bool {
    duration::parse_extended(value).is_ok()
}
