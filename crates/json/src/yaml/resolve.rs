//! What a scalar is: the YAML 1.1 rules of go.yaml.in/yaml/v2 (`resolve` in resolve.go), booleans of all kinds and
//! octal numbers included.

use super::cursor::Mark;
use super::error::Problem;

/// What a scalar stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Resolved<'t> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    Str(&'t str),
    /// Looks like a date; kept as text.
    Timestamp(&'t str),
}

const PREFIX: &str = "tag:yaml.org,2002:";

impl Resolved<'_> {
    fn tag(&self) -> &'static str {
        match self {
            Resolved::Null => "null",
            Resolved::Bool(_) => "bool",
            Resolved::Int(_) | Resolved::Uint(_) => "int",
            Resolved::Float(_) => "float",
            Resolved::Str(_) => "str",
            Resolved::Timestamp(_) => "timestamp",
        }
    }
}

/// Resolves a plain or tagged scalar. Of other tags than YAML's own, the text counts.
pub(super) fn resolve<'t>(tag: &str, text: &'t str, mark: Mark) -> Result<Resolved<'t>, Problem> {
    let wanted = match tag.strip_prefix(PREFIX) {
        Some(wanted @ ("str" | "bool" | "int" | "float" | "null" | "timestamp")) => wanted,
        _ if tag.is_empty() => "",
        _ => return Ok(Resolved::Str(text)),
    };
    if wanted == "str" {
        return Ok(Resolved::Str(text));
    }
    let found = guess(text, wanted == "timestamp");
    match found {
        _ if wanted.is_empty() || wanted == found.tag() => Ok(found),
        Resolved::Int(number) if wanted == "float" => Ok(Resolved::Float(number as f64)),
        _ => {
            let problem = format!("cannot decode !!{} `{text}` as a !!{wanted}", found.tag());
            Err(Problem::decoding(problem, mark))
        }
    }
}

/// Would this text, written plain, be read as anything but itself?
pub(crate) fn is_special(text: &str) -> bool {
    !matches!(guess(text, false), Resolved::Str(_)) || looks_like_date(text)
}

fn guess(text: &str, dates: bool) -> Resolved<'_> {
    let Some(&first) = text.as_bytes().first() else {
        return Resolved::Null;
    };
    match first {
        b'+' | b'-' | b'0'..=b'9' => infinity(text)
            .or_else(|| (dates && looks_like_date(text)).then_some(Resolved::Timestamp(text)))
            .or_else(|| number(text))
            .unwrap_or(Resolved::Str(text)),
        b'.' => infinity(text)
            .or_else(|| fraction(text))
            .unwrap_or(Resolved::Str(text)),
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => word(text),
        _ => Resolved::Str(text),
    }
}

fn word(text: &str) -> Resolved<'_> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Resolved::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Resolved::Bool(false)
        }
        "~" | "null" | "Null" | "NULL" => Resolved::Null,
        _ => Resolved::Str(text),
    }
}

fn infinity(text: &str) -> Option<Resolved<'_>> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(Resolved::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(Resolved::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => Some(Resolved::Float(f64::NEG_INFINITY)),
        _ => None,
    }
}

/// `.5`: here Go's `strconv.ParseFloat` decides, which allows `_` between digits.
fn fraction(text: &str) -> Option<Resolved<'_>> {
    let bytes = text.as_bytes();
    let between_digits = |at: usize| {
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        at > 0 && digit(bytes.get(at - 1)) && digit(bytes.get(at + 1))
    };
    let underscores = text.bytes().enumerate().filter(|(_, byte)| *byte == b'_');
    if !underscores.map(|(at, _)| at).all(between_digits) {
        return None;
    }
    float(&text.replace('_', ""))
}

fn number(text: &str) -> Option<Resolved<'_>> {
    let plain = text.replace('_', "");
    if let Some(integer) = integer(&plain) {
        return Some(integer);
    }
    if let Some(float) = float(&plain) {
        return Some(float);
    }
    // Go reads the digits of `0b` with a sign of their own.
    if let Some(digits) = plain.strip_prefix("0b") {
        return radix(digits, 2);
    }
    let digits = plain.strip_prefix("-0b")?;
    i64::from_str_radix(&format!("-{digits}"), 2)
        .ok()
        .map(Resolved::Int)
}

/// Go's `strconv.ParseInt` with base 0: the prefix tells the base, and a leading zero means octal.
fn integer<'t>(text: &str) -> Option<Resolved<'t>> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let (digits, base) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', b'o' | b'O', ..] => (&digits[2..], 8),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    // Rust would take another sign here, Go does not.
    if !digits.bytes().next()?.is_ascii_alphanumeric() {
        return None;
    }
    // `ParseUint`, which is tried second, takes no sign at all.
    if text.starts_with(['-', '+']) {
        return i64::from_str_radix(&format!("{sign}{digits}"), base)
            .ok()
            .map(Resolved::Int);
    }
    radix(digits, base)
}

fn radix<'t>(digits: &str, base: u32) -> Option<Resolved<'t>> {
    i64::from_str_radix(digits, base)
        .map(Resolved::Int)
        .or_else(|_| u64::from_str_radix(digits, base).map(Resolved::Uint))
        .ok()
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, and in range.
fn float<'t>(text: &str) -> Option<Resolved<'t>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (
            mantissa,
            Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)),
        ),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let well_formed = digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent));
    if !well_formed {
        return None;
    }
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .map(Resolved::Float)
}

/// `2001-1-2`, alone or with a time: what go-yaml takes for a timestamp and so quotes on output.
fn looks_like_date(text: &str) -> bool {
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some((&text[at..=at], &text[at + 1..]))),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let within = |text: &str, range: std::ops::RangeInclusive<u32>| {
        (1..=2).contains(&text.len())
            && is_digits(text)
            && text.parse().is_ok_and(|number| range.contains(&number))
    };
    let Ok(year_number) = year.parse::<u32>() else {
        return false;
    };
    year.len() == 4
        && is_digits(year)
        && within(month, 1..=12)
        && within(day, 1..=31)
        && day
            .parse::<u32>()
            .is_ok_and(|day| day <= days(year_number, month.parse().unwrap_or(1)))
        && time.is_none_or(|(separator, time)| looks_like_time(time, separator != " "))
}

fn days(year: u32, month: u32) -> u32 {
    let leap = (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `15:4:5.999` with `Z` or `+07:00` if a zone belongs there.
fn looks_like_time(text: &str, zoned: bool) -> bool {
    let clock = match (zoned, text.strip_suffix('Z')) {
        (false, _) => text,
        (true, Some(clock)) => clock,
        (true, None) => {
            let Some(at) = text.rfind(['+', '-']) else {
                return false;
            };
            let zone = text[at + 1..].split_once(':');
            let two_digits = |text: &str, below: u32| {
                text.len() == 2 && is_digits(text) && text.parse::<u32>().is_ok_and(|number| number < below)
            };
            if !zone.is_some_and(|(hours, minutes)| two_digits(hours, 25) && two_digits(minutes, 60)) {
                return false;
            }
            &text[..at]
        }
    };
    let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, "0"));
    let limits = [24, 60, 60];
    let parts: Vec<&str> = clock.split(':').collect();
    let fits = |(part, limit): (&&str, u32)| {
        (1..=2).contains(&part.len())
            && is_digits(part)
            && part.parse::<u32>().is_ok_and(|number| number < limit)
    };
    parts.len() == 3 && parts.iter().zip(limits).all(fits) && is_digits(fraction)
}
