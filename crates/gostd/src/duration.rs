//! Durations: Go's `time.ParseDuration` and `Duration.String`, and the wider grammar of the OpenAPI format
//! `duration`.

use std::fmt;

use crate::strconv::{self, NumError};
use crate::time::quote_ascii_bytes;

/// A span of time in nanoseconds, at most about 292 years either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(pub i64);

/// Why a text is no duration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseDurationError {
    /// Malformed or too long.
    Invalid(String),
    /// A number has no unit.
    MissingUnit(String),
    /// A number has a unit that does not exist.
    UnknownUnit {
        /// The unit.
        unit: String,
        /// The whole text.
        text: String,
    },
}

impl fmt::Display for ParseDurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = |text: &str| quote_ascii_bytes(text);
        match self {
            ParseDurationError::Invalid(text) => write!(f, "time: invalid duration {}", quote(text)),
            ParseDurationError::MissingUnit(text) => {
                write!(f, "time: missing unit in duration {}", quote(text))
            }
            ParseDurationError::UnknownUnit { unit, text } => {
                write!(
                    f,
                    "time: unknown unit {} in duration {}",
                    quote(unit),
                    quote(text)
                )
            }
        }
    }
}

impl std::error::Error for ParseDurationError {}

const SECOND: u64 = 1_000_000_000;
/// The magnitude of the most negative duration.
const LIMIT: u64 = 1 << 63;

impl Duration {
    /// Reads a duration such as `1h30m` or `-1.5s` (`time.ParseDuration`).
    pub fn parse(text: &str) -> Result<Duration, ParseDurationError> {
        let invalid = || ParseDurationError::Invalid(text.to_owned());
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        if unsigned == "0" {
            return Ok(Duration(0));
        }
        if unsigned.is_empty() {
            return Err(invalid());
        }
        let mut total = 0_u64;
        let mut rest = unsigned;
        while !rest.is_empty() {
            let part;
            (part, rest) = term(rest, text)?;
            total = total
                .checked_add(part)
                .filter(|total| *total <= LIMIT)
                .ok_or_else(invalid)?;
        }
        if text.starts_with('-') {
            return Ok(Duration(total.wrapping_neg().cast_signed()));
        }
        i64::try_from(total).map(Duration).map_err(|_| invalid())
    }
}

/// Reads one number with its unit and returns what follows.
fn term<'t>(rest: &'t str, text: &str) -> Result<(u64, &'t str), ParseDurationError> {
    let invalid = || ParseDurationError::Invalid(text.to_owned());
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, after) = rest.split_at(digits(rest));
    let (fraction, after) = match after.strip_prefix('.') {
        Some(after) => after.split_at(digits(after)),
        None => ("", after),
    };
    let value = leading_int(whole).ok_or_else(invalid)?;
    if whole.is_empty() && fraction.is_empty() {
        return Err(invalid());
    }
    let end = after
        .find(|c: char| c == '.' || c.is_ascii_digit())
        .unwrap_or(after.len());
    let (name, after) = after.split_at(end);
    if name.is_empty() {
        return Err(ParseDurationError::MissingUnit(text.to_owned()));
    }
    let unit = unit(name).ok_or_else(|| ParseDurationError::UnknownUnit {
        unit: name.to_owned(),
        text: text.to_owned(),
    })?;
    let mut nanos = value
        .checked_mul(unit)
        .filter(|nanos| *nanos <= LIMIT)
        .ok_or_else(invalid)?;
    let (numerator, scale) = leading_fraction(fraction);
    if numerator > 0 {
        nanos += (numerator as f64 * (unit as f64 / scale)) as u64;
    }
    Some((nanos, after))
        .filter(|(nanos, _)| *nanos <= LIMIT)
        .ok_or_else(invalid)
}

fn unit(name: &str) -> Option<u64> {
    Some(match name {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => SECOND,
        "m" => 60 * SECOND,
        "h" => 3600 * SECOND,
        _ => return None,
    })
}

fn leading_int(digits: &str) -> Option<u64> {
    digits.bytes().try_fold(0_u64, |value, byte| {
        value
            .checked_mul(10)?
            .checked_add(u64::from(byte - b'0'))
            .filter(|value| *value <= LIMIT)
    })
}

/// The digits that fit as a number and the power of ten they are divided by; further digits are ignored.
fn leading_fraction(digits: &str) -> (u64, f64) {
    let (mut value, mut scale) = (0_u64, 1.0);
    for byte in digits.bytes() {
        if value > (LIMIT - 1) / 10 {
            break;
        }
        let next = value * 10 + u64::from(byte - b'0');
        if next > LIMIT {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value, scale)
}

/// Prints as Go does: `1h0m0s`, `1.5s`, `2µs`, `0s`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.unsigned_abs();
        if self.0 < 0 {
            f.write_str("-")?;
        }
        match nanos {
            0 => f.write_str("0s"),
            1..1_000 => write!(f, "{nanos}ns"),
            1_000..1_000_000 => write!(f, "{}\u{b5}s", decimal(nanos, 3)),
            1_000_000..SECOND => write!(f, "{}ms", decimal(nanos, 6)),
            _ => {
                let (seconds, minutes) = (nanos / SECOND, nanos / SECOND / 60);
                if minutes >= 60 {
                    write!(f, "{}h", minutes / 60)?;
                }
                if minutes > 0 {
                    write!(f, "{}m", minutes % 60)?;
                }
                write!(f, "{}s", decimal(seconds % 60 * SECOND + nanos % SECOND, 9))
            }
        }
    }
}

/// Prints `value / 10^places` without zeros at the end.
fn decimal(value: u64, places: usize) -> String {
    let unit = 10_u64.pow(places as u32);
    let (whole, fraction) = (value / unit, value % unit);
    if fraction == 0 {
        return whole.to_string();
    }
    format!("{whole}.{}", format!("{fraction:0places$}").trim_end_matches('0'))
}

/// Why a text is no duration in the wider sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseExtendedError {
    /// A number is too large.
    Number(NumError),
    /// No number with a unit was found.
    Nothing(String),
}

impl fmt::Display for ParseExtendedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseExtendedError::Number(error) => error.fmt(f),
            ParseExtendedError::Nothing(text) => write!(f, "unable to parse {text} as duration"),
        }
    }
}

impl std::error::Error for ParseExtendedError {}

/// Reads a duration as kube-openapi's `strfmt.ParseDuration` does: Go's form first, then every number followed by a
/// unit such as `day` or `weeks`; all other text is ignored.
pub fn parse_extended(text: &str) -> Result<Duration, ParseExtendedError> {
    if let Ok(duration) = Duration::parse(text) {
        return Ok(duration);
    }
    let mut total = None;
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (number, after) = split_while(&rest[start..], |c| c.is_ascii_digit());
        let spaced = after.trim_start_matches(['\t', '\n', '\x0c', '\r', ' ']);
        let (name, after_name) = split_while(spaced, |c| c.is_ascii_alphabetic() || c == '\u{b5}');
        if name.is_empty() {
            rest = after;
            continue;
        }
        rest = after_name;
        let factor = strconv::atoi(number).map_err(ParseExtendedError::Number)?;
        if let Some(unit) = extended_unit(&name.to_ascii_lowercase()) {
            // Upstream's sum wraps around silently.
            let nanos = factor.wrapping_mul(unit.cast_signed());
            total = Some(total.unwrap_or(0_i64).wrapping_add(nanos));
        }
    }
    total
        .map(Duration)
        .ok_or_else(|| ParseExtendedError::Nothing(text.to_owned()))
}

fn split_while(text: &str, keep: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !keep(c)).unwrap_or(text.len()))
}

fn extended_unit(name: &str) -> Option<u64> {
    const UNITS: &[(&[&str], &str, u64)] = &[
        (&["ns"], "nano", 1),
        (&["us", "\u{b5}s"], "micro", 1_000),
        (&["ms"], "milli", 1_000_000),
        (&["s"], "sec", SECOND),
        (&["m"], "min", 60 * SECOND),
        (&["h", "hr"], "hour", 3600 * SECOND),
        (&["d"], "day", 24 * 3600 * SECOND),
        (&["w", "wk"], "week", 7 * 24 * 3600 * SECOND),
    ];
    let found = UNITS
        .iter()
        .find(|(short, long, _)| short.contains(&name) || name.starts_with(long));
    found.map(|(_, _, unit)| *unit)
}
