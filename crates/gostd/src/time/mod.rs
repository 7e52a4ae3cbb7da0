//! Points in time as Go's `time` reads and writes them in the RFC 3339 family of layouts. Knows no clock and no
//! time zone names.

mod civil;
mod layout;

use std::cmp::Ordering;
use std::fmt::Write as _;

pub use layout::{Layout, ParseTimeError, parse_date_time};

/// A point in time, with the offset from UTC it was written with.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Seconds since 1970-01-01T00:00:00Z.
    seconds: i64,
    nanos: u32,
    /// Seconds east of UTC.
    offset: i32,
}

impl Time {
    /// Makes a time in UTC from seconds since 1970 and nanoseconds below a second.
    pub fn from_unix(seconds: i64, nanos: u32) -> Option<Time> {
        (nanos < 1_000_000_000).then_some(Time {
            seconds,
            nanos,
            offset: 0,
        })
    }

    /// Reads a time (`time.Parse`).
    pub fn parse(layout: Layout, text: &str) -> Result<Time, ParseTimeError> {
        layout::parse(layout, text)
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    pub fn unix_seconds(&self) -> i64 {
        self.seconds
    }

    /// Nanoseconds past the second.
    pub fn nanos(&self) -> u32 {
        self.nanos
    }

    /// Seconds east of UTC.
    pub fn offset(&self) -> i32 {
        self.offset
    }

    /// The same point in time, with UTC as its offset.
    pub fn utc(&self) -> Time {
        Time { offset: 0, ..*self }
    }

    /// The point in time, truncated to the second.
    pub fn truncated_to_seconds(&self) -> Time {
        Time { nanos: 0, ..*self }
    }

    /// Writes the time (`Time.Format`).
    pub fn format(&self, layout: Layout) -> String {
        let local = self.seconds.saturating_add(self.offset.into());
        let date = civil::from_days(local.div_euclid(86_400));
        let second = local.rem_euclid(86_400);
        let mut text = String::with_capacity(35);
        if date.year < 0 {
            text.push('-');
        }
        push_digits(&mut text, date.year.unsigned_abs(), 4);
        for (mark, number) in [('-', date.month), ('-', date.day)] {
            text.push(mark);
            push_digits(&mut text, number.into(), 2);
        }
        if layout == Layout::Date {
            return text;
        }
        let second = second.unsigned_abs();
        for (mark, number) in [('T', second / 3600), (':', second / 60 % 60), (':', second % 60)] {
            text.push(mark);
            push_digits(&mut text, number, 2);
        }
        self.push_fraction(&mut text, layout);
        if layout != Layout::LocalDateTime {
            self.push_offset(&mut text);
        }
        text
    }

    fn push_fraction(&self, text: &mut String, layout: Layout) {
        let nanos = u64::from(self.nanos);
        let (number, width) = match layout {
            Layout::Rfc3339Nano if nanos > 0 => (nanos, 9),
            Layout::Rfc3339Micro => (nanos / 1_000, 6),
            Layout::Rfc3339Milli => (nanos / 1_000_000, 3),
            _ => return,
        };
        text.push('.');
        push_digits(text, number, width);
        if layout == Layout::Rfc3339Nano {
            text.truncate(text.trim_end_matches('0').len());
        }
    }

    fn push_offset(&self, text: &mut String) {
        if self.offset == 0 {
            text.push('Z');
            return;
        }
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs() / 60;
        text.push(sign);
        push_digits(text, (minutes / 60).into(), 2);
        text.push(':');
        push_digits(text, (minutes % 60).into(), 2);
    }
}

/// Appends a number with at least so many digits. Every write formats times; Rust's own formatting takes twenty times as long.
fn push_digits(text: &mut String, number: u64, width: u32) {
    let mut power = 10_u64.pow(width - 1);
    while number / power >= 10 {
        power *= 10;
    }
    while power > 0 {
        text.push(char::from(b'0' + (number / power % 10) as u8));
        power /= 10;
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.seconds, self.nanos).cmp(&(other.seconds, other.nanos))
    }
}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Equal when they are the same point in time, whatever their offsets.
impl PartialEq for Time {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Time {}

/// Quotes a text as Go's package `time` does in errors: every byte outside ASCII as `\x..`, DEL unchanged.
pub(crate) fn quote_ascii_bytes(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=0x7f => out.push(char::from(byte)),
            _ => write!(out, "\\x{byte:02x}").expect("strings take any text"),
        }
    }
    out.push('"');
    out
}
