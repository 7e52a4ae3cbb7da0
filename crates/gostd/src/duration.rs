//! Durations: Go's `time.ParseDuration` and `Duration.String`, and the more permissive OpenAPI format `duration`.

use std::fmt;

use crate::strconv::{self, NumError};
use crate::time::quote_ascii_bytes;

/// A time span in nanoseconds, positive or negative, up to about 292 years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(pub i64);

/// Why a text is not a duration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseDurationError {
    /// Malformed or too long.
    Invalid(String),
    /// A number has no unit.
    MissingUnit(String),
    /// A number has an unknown unit.
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
/// The largest number of nanoseconds, reached only by the most negative duration.
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
    let (whole, after) = split_while(rest, |c| c.is_ascii_digit());
    let (fraction, after) = match after.strip_prefix('.') {
        Some(after) => split_while(after, |c| c.is_ascii_digit()),
        None => ("", after),
    };
    if whole.is_empty() && fraction.is_empty() {
        return Err(invalid());
    }
    let count = within_limit(whole).ok_or_else(invalid)?;
    let (name, after) = split_while(after, |c| c != '.' && !c.is_ascii_digit());
    if name.is_empty() {
        return Err(ParseDurationError::MissingUnit(text.to_owned()));
    }
    let unit = unit(name).ok_or_else(|| ParseDurationError::UnknownUnit {
        unit: name.to_owned(),
        text: text.to_owned(),
    })?;
    let nanos = count
        .checked_mul(unit)
        .and_then(|nanos| nanos.checked_add(fraction_of(unit, fraction)))
        .filter(|nanos| *nanos <= LIMIT)
        .ok_or_else(invalid)?;
    Ok((nanos, after))
}

/// Reads decimal digits, none as zero; `None` above [`LIMIT`].
fn within_limit(digits: &str) -> Option<u64> {
    match digits {
        "" => Some(0),
        _ => digits.parse().ok().filter(|number| *number <= LIMIT),
    }
}

/// The nanoseconds in the digits after the point, rounded as Go does: it reads as many digits as make a number within
/// [`LIMIT`] and calculates with floats.
fn fraction_of(unit: u64, digits: &str) -> u64 {
    // Leading zeros do not make the number larger. Eighteen more digits always fit, twenty never do.
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    let fitting = |significant: usize| {
        let used = digits.len().min(zeros + significant);
        Some((used, within_limit(&digits[zeros..used])?))
    };
    let (used, numerator) = fitting(19).or_else(|| fitting(18)).unwrap_or_default();
    // Step by step like Go, because beyond 10^22 every step rounds.
    let denominator: f64 = std::iter::repeat_n(10.0, used).product();
    (numerator as f64 * (unit as f64 / denominator)) as u64
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

/// Prints `value / 10^places` without trailing zeros.
fn decimal(value: u64, places: usize) -> String {
    let unit = 10_u64.pow(places as u32);
    let (whole, fraction) = (value / unit, value % unit);
    if fraction == 0 {
        return whole.to_string();
    }
    format!("{whole}.{}", format!("{fraction:0places$}").trim_end_matches('0'))
}

/// Why a text is not of the OpenAPI format `duration`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseExtendedError {
    /// A number is too large.
    Number(NumError),
    /// There is no number with a known unit.
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

/// Reads a duration as kube-openapi's `strfmt.ParseDuration` does: in Go's form, or else as the sum of all numbers
/// followed by a unit such as `day` or `weeks`, ignoring all other text.
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
