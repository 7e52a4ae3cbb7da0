//! Kubernetes types with a wire form of their own: times, durations, quantities and such.
//!
//! Text that does not parse counts as the zero value, as in all of `value`; `decode` rejects it.

use kindsmith_formats::quantity::{self, Quantity};
use kindsmith_gostd::duration::Duration;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::WellKnown;

/// Are two values of the type equal? Quantities compare by number, times by instant
/// (apimachinery `equality.Semantic`).
pub(super) fn equal(known: WellKnown, left: Value<'_>, right: Value<'_>) -> bool {
    match known {
        WellKnown::Time | WellKnown::MicroTime | WellKnown::GoTime => time(left) == time(right),
        WellKnown::Duration => duration(left) == duration(right),
        WellKnown::Quantity => quantity(left) == quantity(right),
        WellKnown::IntOrString => int_or_string(left) == int_or_string(right),
        _ => left == right,
    }
}

/// Is it the zero value of the type?
pub(super) fn is_zero(known: WellKnown, value: Value<'_>) -> bool {
    match known {
        WellKnown::Time | WellKnown::MicroTime | WellKnown::GoTime => time(value).is_none(),
        WellKnown::Duration => duration(value) == Duration(0),
        WellKnown::IntOrString => int_or_string(value) == Value::Int(0),
        _ => value.is_null(),
    }
}

/// The value as the type's `MarshalJSON` writes it; none if the type writes any JSON unchanged.
pub(super) fn encoded<'a>(known: WellKnown, value: Value<'a>, arena: &'a Arena) -> Option<Value<'a>> {
    let encoded = match known {
        WellKnown::Time => encoded_time(value, Layout::Rfc3339, arena),
        WellKnown::MicroTime => encoded_time(value, Layout::Rfc3339Micro, arena),
        WellKnown::GoTime => match instant(value) {
            Some(time) => text(value, &time.format(Layout::Rfc3339Nano), arena),
            None => Value::Str("0001-01-01T00:00:00Z"),
        },
        WellKnown::Duration => text(value, &duration(value).to_string(), arena),
        WellKnown::Quantity => text(value, &quantity(value).to_string(), arena),
        WellKnown::IntOrString => int_or_string(value),
        _ => return None,
    };
    Some(encoded)
}

fn encoded_time<'a>(value: Value<'a>, layout: Layout, arena: &'a Arena) -> Value<'a> {
    match instant(value).filter(|time| !is_year_one(time)) {
        Some(time) => text(value, &time.utc().format(layout), arena),
        None => Value::Null,
    }
}

/// The value if it is this text already, as most are.
pub(super) fn text<'a>(value: Value<'a>, text: &str, arena: &'a Arena) -> Value<'a> {
    match value {
        Value::Str(given) if given == text => value,
        _ => Value::Str(arena.alloc_str(text)),
    }
}

fn instant(value: Value<'_>) -> Option<Time> {
    // Go reads fractions of a second whether the layout has them or not.
    Time::parse(Layout::Rfc3339, value.as_str()?).ok()
}

/// The instant in seconds and nanoseconds; `None` is Go's zero time.
fn time(value: Value<'_>) -> Option<(i64, u32)> {
    let time = instant(value).filter(|time| !is_year_one(time))?;
    Some((time.unix_seconds(), time.nanos()))
}

/// Go's zero time: the first second of year one.
fn is_year_one(time: &Time) -> bool {
    time.unix_seconds() == -62_135_596_800 && time.nanos() == 0
}

fn duration(value: Value<'_>) -> Duration {
    value
        .as_str()
        .and_then(|text| Duration::parse(text).ok())
        .unwrap_or(Duration(0))
}

fn quantity(value: Value<'_>) -> Quantity {
    let parsed = match value {
        Value::Str(text) => Quantity::parse(text.trim()).ok(),
        Value::Null => None,
        number => Quantity::parse(&kindsmith_json::to_string(number)).ok(),
    };
    parsed.unwrap_or_else(|| Quantity::from_int(0, quantity::Format::DecimalSi))
}

fn int_or_string(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Int(_) | Value::Str(_) => value,
        _ => Value::Int(0),
    }
}
