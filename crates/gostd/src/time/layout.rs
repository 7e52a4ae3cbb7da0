//! Reads times by layout, with the errors of Go's `time.Parse`.

use std::fmt;

use super::civil::{self, Date};
use super::{Time, quote_ascii_bytes};

/// A layout of the RFC 3339 family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `time.RFC3339`: what Kubernetes' `Time` reads and writes. A fraction is accepted but not written.
    Rfc3339,
    /// `time.RFC3339Nano`
    Rfc3339Nano,
    /// Six digits of fraction: what Kubernetes' `MicroTime` reads and writes.
    Rfc3339Micro,
    /// Three digits of fraction.
    Rfc3339Milli,
    /// Date and time without offset.
    LocalDateTime,
    /// Only a date.
    Date,
}

impl Layout {
    /// The layout as Go writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Layout::Rfc3339 => "2006-01-02T15:04:05Z07:00",
            Layout::Rfc3339Nano => "2006-01-02T15:04:05.999999999Z07:00",
            Layout::Rfc3339Micro => "2006-01-02T15:04:05.000000Z07:00",
            Layout::Rfc3339Milli => "2006-01-02T15:04:05.000Z07:00",
            Layout::LocalDateTime => "2006-01-02T15:04:05",
            Layout::Date => "2006-01-02",
        }
    }

    /// The fraction as the layout writes it, if it has one.
    fn fraction(self) -> Option<&'static str> {
        match self {
            Layout::Rfc3339Nano => Some(".999999999"),
            Layout::Rfc3339Micro => Some(".000000"),
            Layout::Rfc3339Milli => Some(".000"),
            Layout::Rfc3339 | Layout::LocalDateTime | Layout::Date => None,
        }
    }
}

/// Why a text is not a time; prints as Go's `time.ParseError`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTimeError {
    layout: Layout,
    text: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    /// The rest of the text does not start with this element of the layout.
    Mismatch { rest: String, element: &'static str },
    /// A number is too large or too small.
    OutOfRange(&'static str),
    /// There is text after the time.
    ExtraText(String),
}

impl fmt::Display for ParseTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = quote_ascii_bytes;
        write!(f, "parsing time {}", quote(&self.text))?;
        match &self.problem {
            Problem::Mismatch { rest, element } => {
                let layout = quote(self.layout.as_str());
                write!(
                    f,
                    " as {layout}: cannot parse {} as {}",
                    quote(rest),
                    quote(element)
                )
            }
            Problem::OutOfRange(what) => write!(f, ": {what} out of range"),
            Problem::ExtraText(rest) => write!(f, ": extra text: {}", quote(rest)),
        }
    }
}

impl std::error::Error for ParseTimeError {}

/// Reads a time as kube-openapi's `strfmt.ParseDateTime` does: with or without fraction, with or without offset. The
/// error is that of the last layout tried.
pub fn parse_date_time(text: &str) -> Result<Time, ParseTimeError> {
    if text.is_empty() {
        return Ok(Time {
            seconds: 0,
            nanos: 0,
            offset: 0,
        });
    }
    let layouts = [
        Layout::Rfc3339Micro,
        Layout::Rfc3339Milli,
        Layout::Rfc3339,
        Layout::Rfc3339Nano,
    ];
    let found = layouts.into_iter().find_map(|layout| parse(layout, text).ok());
    found.map_or_else(|| parse(Layout::LocalDateTime, text), Ok)
}

pub(super) fn parse(layout: Layout, text: &str) -> Result<Time, ParseTimeError> {
    let mut reader = Reader { layout, rest: text };
    reader.time().map_err(|problem| ParseTimeError {
        layout,
        text: text.to_owned(),
        problem,
    })
}

struct Reader<'t> {
    layout: Layout,
    rest: &'t str,
}

impl Reader<'_> {
    fn time(&mut self) -> Result<Time, Problem> {
        let year = self.year()?;
        self.literal("-")?;
        let month = self.number("01", Digits::Two)?;
        check(month, 1..=12, "month")?;
        self.literal("-")?;
        let day = self.number("02", Digits::Two)?;
        let (mut second, mut nanos, mut offset) = (0, 0, 0);
        if self.layout != Layout::Date {
            (second, nanos) = self.clock()?;
            if self.layout != Layout::LocalDateTime {
                offset = self.offset()?;
            }
        }
        if !self.rest.is_empty() {
            return Err(Problem::ExtraText(self.rest.to_owned()));
        }
        check(day, 1..=civil::days_in(month, year), "day")?;
        let days = civil::to_days(Date { year, month, day });
        Ok(Time {
            seconds: days * 86_400 + i64::from(second) - i64::from(offset),
            nanos,
            offset,
        })
    }

    /// The second of the day and the nanoseconds past it.
    fn clock(&mut self) -> Result<(u32, u32), Problem> {
        self.literal("T")?;
        let hour = self.number("15", Digits::OneOrTwo)?;
        check(hour, 0..=23, "hour")?;
        self.literal(":")?;
        let minute = self.number("04", Digits::Two)?;
        check(minute, 0..=59, "minute")?;
        self.literal(":")?;
        let second = self.number("05", Digits::Two)?;
        check(second, 0..=59, "second")?;
        Ok((hour * 3600 + minute * 60 + second, self.nanos()?))
    }

    fn year(&mut self) -> Result<i64, Problem> {
        let digits = self
            .rest
            .get(..4)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let year = digits
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(|| self.mismatch("2006"))?;
        self.rest = &self.rest[4..];
        Ok(year)
    }

    fn literal(&mut self, element: &'static str) -> Result<(), Problem> {
        self.rest = self
            .rest
            .strip_prefix(element)
            .ok_or_else(|| self.mismatch(element))?;
        Ok(())
    }

    fn number(&mut self, element: &'static str, digits: Digits) -> Result<u32, Problem> {
        let count = self.rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
        if count == 0 || (count == 1 && digits == Digits::Two) {
            return Err(self.mismatch(element));
        }
        let (number, rest) = self.rest.split_at(count);
        self.rest = rest;
        Ok(number
            .bytes()
            .fold(0, |value, byte| value * 10 + u32::from(byte - b'0')))
    }

    /// A layout without a fraction accepts one of any length; one with zeros needs exactly that many digits.
    fn nanos(&mut self) -> Result<u32, Problem> {
        if let Some(element) = self.layout.fraction().filter(|element| element.starts_with(".0")) {
            return self.fixed_nanos(element);
        }
        let digits = self.rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        if !self.rest.starts_with(['.', ',']) || digits == 0 {
            return Ok(0);
        }
        let (fraction, rest) = self.rest[1..].split_at(digits);
        self.rest = rest;
        Ok(billionths(fraction))
    }

    fn fixed_nanos(&mut self, element: &'static str) -> Result<u32, Problem> {
        let fraction = self
            .rest
            .strip_prefix(['.', ','])
            .and_then(|rest| rest.get(..element.len() - 1));
        let fraction = fraction.ok_or_else(|| self.mismatch(element))?;
        // Go reads the digits as a number, which may have a sign.
        let digits = fraction.replacen(['+', '-'], "0", usize::from(fraction.starts_with(['+', '-'])));
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.mismatch(element));
        }
        let nanos = billionths(&digits);
        if fraction.starts_with('-') && nanos > 0 {
            return Err(Problem::OutOfRange("fractional second"));
        }
        self.rest = &self.rest[element.len()..];
        Ok(nanos)
    }

    fn offset(&mut self) -> Result<i32, Problem> {
        const ELEMENT: &str = "Z07:00";
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let bytes = self.rest.as_bytes();
        let &[sign, h1, h2, b':', m1, m2, ..] = bytes else {
            return Err(self.mismatch(ELEMENT));
        };
        let number = |tens: u8, ones: u8| {
            let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
            digits.then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
        };
        let (hours, minutes) = (
            number(h1, h2),
            number(m1, m2).filter(|_| number(h1, h2).is_some()),
        );
        // Go checks ranges before other errors; 24 hours and 60 minutes are in range. An error in the minutes wins,
        // because upstream checks them last and keeps the last error.
        check(
            minutes.unwrap_or(0).unsigned_abs(),
            0..=60,
            "time zone offset minute",
        )?;
        check(hours.unwrap_or(0).unsigned_abs(), 0..=24, "time zone offset hour")?;
        let sign = match sign {
            b'+' => 1,
            b'-' => -1,
            _ => return Err(self.mismatch(ELEMENT)),
        };
        let (Some(hours), Some(minutes)) = (hours, minutes) else {
            return Err(self.mismatch(ELEMENT));
        };
        self.rest = &self.rest[6..];
        Ok(sign * (hours * 60 + minutes) * 60)
    }

    fn mismatch(&self, element: &'static str) -> Problem {
        Problem::Mismatch {
            rest: self.rest.to_owned(),
            element,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Digits {
    Two,
    OneOrTwo,
}

/// Reads digits after a point as billionths; further digits are ignored.
fn billionths(digits: &str) -> u32 {
    let places = digits.bytes().chain(std::iter::repeat(b'0')).take(9);
    places.fold(0, |value, byte| value * 10 + u32::from(byte - b'0'))
}

fn check(value: u32, range: std::ops::RangeInclusive<u32>, what: &'static str) -> Result<(), Problem> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(Problem::OutOfRange(what))
    }
}
