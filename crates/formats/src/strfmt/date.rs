//! `date`

use super::{Format, string};
use kindsmith_gostd::time::{Layout, Time};

pub(super) const FORMAT: Format = string("date", "A date as `2006-01-02`.", "2024-02-29", check);

pub(super) fn check(value: &str) -> bool {
    Time::parse(Layout::Date, value).is_ok()
}
