//! `date-time`

use super::{Format, date, string};

pub(super) const FORMAT: Format = string(
    "date-time",
    "Date and time as in RFC 3339, in any case; what follows a second `T` is ignored.",
    "2024-02-29T12:30:00Z",
    check,
);

fn check(value: &str) -> bool {
    let mut parts = value.split(['t', 'T']);
    let (Some(day), Some(time)) = (parts.next(), parts.next()) else {
        return false;
    };
    date::check(day) && is_time(time)
}

fn is_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else {
        return false;
    };
    let &[h1, h2, b':', m1, m2, b':', s1, s2] = clock.as_bytes() else {
        return false;
    };
    let in_range = |tens: u8, ones: u8, most: &[u8; 2]| {
        tens.is_ascii_digit() && ones.is_ascii_digit() && [tens, ones] <= *most
    };
    in_range(h1, h2, b"23")
        && in_range(m1, m2, b"59")
        && in_range(s1, s2, b"59")
        && (is_offset(rest) || without_fraction(rest).is_some_and(is_offset))
}

/// Upstream's expression has an unescaped dot, so any character starts a fraction.
fn without_fraction(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    chars.next().filter(|&c| c != '\n')?;
    let digits = chars.as_str();
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < digits.len()).then_some(rest)
}

/// Hours and minutes of the offset are not checked further.
fn is_offset(text: &str) -> bool {
    match text.as_bytes() {
        [b'z' | b'Z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => [h1, h2, m1, m2].into_iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
